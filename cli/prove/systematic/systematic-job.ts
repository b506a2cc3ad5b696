import { isAbout } from '../../../drivers/sim/faults/systematic/about';
import type { SystematicFault } from '../../../drivers/sim/faults/systematic/systematic-fault';
import type { Parts } from '../../../drivers/sim/device/device';
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
  /**
   * By a rule about what it spoils; by another one; by none, although scenarios went astray, or although it changed
   * something; or it changed nothing in any scenario.
   */
  readonly outcome: 'caught' | 'caught elsewhere' | 'seen' | 'unseen' | 'idle';
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
  const search = new Search(fault, histories, beat);
  const own = await search.firstCatch(trials.filter(isAboutIt));
  if (own !== undefined) return { outcome: 'caught', by: own };
  const other = await search.firstCatch(trials.filter((trial) => !isAboutIt(trial)));
  if (other !== undefined) return { outcome: 'caught elsewhere', by: other };
  if (!search.hasActed) return { outcome: 'idle' }; // that somebody looks on may itself shift two answers
  return search.astray === undefined ? { outcome: 'unseen' } : { outcome: 'seen', by: search.astray };
}

/** Looks for a scenario that a fault makes fail. */
class Search {
  /** A scenario that runs otherwise under the fault, and passes. */
  astray: string | undefined;
  /** Whether the fault has changed anything. */
  hasActed = false;
  readonly #parts: Parts;

  constructor(
    fault: SystematicFault,
    readonly histories: ReadonlyMap<string, History>,
    readonly beat: () => void,
  ) {
    this.#parts = fault.parts(() => (this.hasActed = true));
  }

  async firstCatch(trials: readonly SystematicTrial[]): Promise<string | undefined> {
    let waiting: SystematicTrial[] = [];
    for (const [index, trial] of trials.entries()) {
      this.beat();
      const found = await divergence(this.#parts, this.histories.get(placeOf(trial)) ?? []);
      if (found !== undefined) waiting.push(trial);
      if (waiting.length < batch && (index < trials.length - 1 || waiting.length === 0)) continue;
      this.astray ??= waiting[0] && placeOf(waiting[0]);
      const failed = (await runWhole(this.#parts, waiting, this.beat)).find(({ verdict }) => verdict !== 'pass');
      if (failed !== undefined) return placeOf(failed.recorded);
      waiting = [];
    }
    return undefined;
  }
}
