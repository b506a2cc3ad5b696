import { isAbout } from '../../../drivers/sim/faults/systematic/about';
import type { SystematicFault } from '../../../drivers/sim/faults/systematic/systematic-fault';
import type { History } from '../../../drivers/sim/faults/history';
import { divergence } from '../../../drivers/sim/faults/replay';
import { runWhole, placeOf } from '../prove-job';

/** A scenario that may notice a systematic fault. */
export interface SystematicTrial {
  readonly uri: string;
  readonly line: number;
  readonly clauseIds: readonly string[];
}

/** What a systematic fault led to. */
export interface SystematicOutcome {
  /** By a rule about what it spoils, by another one, not although scenarios went astray, not at all. */
  readonly outcome: 'caught' | 'caught elsewhere' | 'seen' | 'unseen';
  /** The first scenario that failed, or that went astray. */
  readonly by?: string;
}

/** How many scenarios that went astray run together. */
const batch = 4;

/** Tries scenarios, those first that are about what the fault spoils, until one of these catches it. */
export async function runSystematic(
  fault: SystematicFault,
  trials: readonly SystematicTrial[],
  histories: ReadonlyMap<string, History>,
  beat: () => void,
): Promise<SystematicOutcome> {
  const isAboutIt = ({ clauseIds }: SystematicTrial): boolean => clauseIds.some((id) => isAbout(fault.piece, id));
  const first = await firstCatch(fault, trials.filter(isAboutIt), histories, beat);
  if (first.caughtBy !== undefined) return { outcome: 'caught', by: first.caughtBy };
  const other = await firstCatch(
    fault,
    trials.filter((trial) => !isAboutIt(trial)),
    histories,
    beat,
  );
  if (other.caughtBy !== undefined) return { outcome: 'caught elsewhere', by: other.caughtBy };
  const by = first.astray ?? other.astray;
  return by === undefined ? { outcome: 'unseen' } : { outcome: 'seen', by };
}

interface Search {
  readonly caughtBy?: string;
  /** A scenario that runs otherwise under the fault, and passes. */
  readonly astray?: string;
}

async function firstCatch(
  fault: SystematicFault,
  trials: readonly SystematicTrial[],
  histories: ReadonlyMap<string, History>,
  beat: () => void,
): Promise<Search> {
  let astray: string | undefined;
  let waiting: SystematicTrial[] = [];
  for (const [index, trial] of trials.entries()) {
    beat();
    const found = await divergence(fault.parts(), histories.get(placeOf(trial)) ?? []);
    if (found !== undefined) waiting.push(trial);
    if (waiting.length < batch && (index < trials.length - 1 || waiting.length === 0)) continue;
    astray ??= waiting[0] && placeOf(waiting[0]);
    const failed = (await runWhole(fault.parts(), waiting, beat)).find(({ verdict }) => verdict !== 'pass');
    if (failed !== undefined) return { caughtBy: placeOf(failed.recorded) };
    waiting = [];
  }
  return { ...(astray !== undefined && { astray }) };
}
