import type { Program } from '../../programs/program';
import { runProgram } from '../../programs/run-program';
import { SimBackend } from '../../sim/backend';
import { soundParts } from '../../sim/device/device';
import { cellKey } from './cell';
import { observed } from './observed';

/** The cells through which a program leads the sound simulator. */
export async function cellsReachedBy(program: Program): Promise<ReadonlySet<string>> {
  const cells = new Set<string>();
  const parts = observed(soundParts, (cell) => cells.add(cellKey(cell)));
  await runProgram(new SimBackend(parts), program);
  return cells;
}
