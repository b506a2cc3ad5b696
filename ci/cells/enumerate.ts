import { judgedRun } from '../../cli/run/judge-run';
import { cellKey, type Cell, type SeeCell } from '../../drivers/explore/coverage/cell';
import { observed } from '../../drivers/explore/coverage/observed';
import { Aim } from '../../drivers/explore/generate/aim';
import { exhaustive, exhaustiveCount } from '../../drivers/explore/generate/exhaustive';
import { generate } from '../../drivers/explore/generate/generate';
import { soundParts } from '../../drivers/sim/device/device';
import { simulatedDut } from '../../drivers/sim/device/dut';
import { Prover } from '../../drivers/sim/faults/prover';

const { capabilities } = simulatedDut;

/** The cells that scenarios reach. */
export async function cellsOfScenarios(paths: readonly string[]): Promise<ReadonlySet<string>> {
  const cells = new Set<string>();
  const driver = new Prover(observed(soundParts, (cell) => cells.add(cellKey(cell))));
  await judgedRun(driver, paths, 'defined', [], () => undefined);
  return cells;
}

/** How far random walks go. */
export interface WalkLimits {
  readonly seeds: readonly number[];
  /** A seed is left after so many programs that reach no new cell, or after so many at all. */
  readonly withoutNews: number;
  readonly most: number;
}

/** The cells that random walks reach, of which every other one heads for what was met least. */
export async function cellsOfWalks(limits: WalkLimits, say: (line: string) => void): Promise<ReadonlySet<string>> {
  const cells = new Set<string>();
  const see: SeeCell = (cell) => cells.add(cellKey(cell));
  for (const seed of limits.seeds) {
    const aim = new Aim();
    let newestAt = 0;
    for (let index = 0; index < limits.most && index - newestAt < limits.withoutNews; index++) {
      const before = cells.size;
      await generate({ seed, capabilities, see, ...(index % 2 === 1 && { aim }) }, index);
      if (cells.size > before) newestAt = index;
    }
    say(`seed ${seed}: ${cells.size} cells, the newest by program ${newestAt}`);
  }
  return cells;
}

/** The cells of programs of the small scope, every so many-th of all. */
export async function cellsOfSmallScope(step: number): Promise<ReadonlySet<string>> {
  const cells = new Set<string>();
  const see = (cell: Cell): void => void cells.add(cellKey(cell));
  for (let index = 0; index < exhaustiveCount; index += step) await exhaustive(index, capabilities, see);
  return cells;
}
