import type { SystematicFault } from '../../../drivers/sim/faults/systematic/systematic-fault';
import { argumentFor, isLike, type Argument } from './argued';
import type { SystematicOutcome } from './systematic-job';

/** What became of a systematic fault. */
export interface SystematicVerdict extends SystematicOutcome {
  readonly fault: string;
  readonly piece: string;
  readonly operator: string;
  readonly trigger: string;
  /**
   * `caught` and `caught elsewhere` as they are; `void`: it changes nothing, nor could it; `argued`: no page forbids what it
   * does; `missed`: nothing has caught it.
   */
  readonly verdict: 'caught' | 'caught elsewhere' | 'void' | 'argued' | 'missed';
  /** Why it need not be caught. */
  readonly because?: string;
}

/** What the systematic faults have shown. */
export interface SystematicProof {
  readonly schemaVersion: 1;
  readonly suite: { readonly version: string; readonly commit: string };
  readonly faults: readonly SystematicVerdict[];
  /** Of the faults that count, which are neither void nor argued. */
  readonly caughtPercent: number;
  /** ... by a rule about what was spoilt. */
  readonly caughtByOwnPercent: number;
  readonly problems: readonly string[];
}

/** The verdict on a fault with this outcome. */
export function verdictOn(
  { name, piece, operator, trigger, mayBeIdle }: SystematicFault,
  outcome: SystematicOutcome,
  all: readonly Argument[],
): SystematicVerdict {
  const one = { fault: name, piece, operator, trigger, ...outcome };
  if (outcome.outcome === 'caught' || outcome.outcome === 'caught elsewhere')
    return { ...one, verdict: outcome.outcome };
  if (outcome.outcome === 'idle' && mayBeIdle) return { ...one, verdict: 'void' };
  const because = argumentFor(name, all)?.because;
  return because === undefined ? { ...one, verdict: 'missed' } : { ...one, verdict: 'argued', because };
}

/** @param isWhole - whether all faults have run, so that an argument for none of them is one too many */
export function judgeSystematic(
  suite: SystematicProof['suite'],
  faults: readonly SystematicVerdict[],
  all: readonly Argument[],
  isWhole: boolean,
): SystematicProof {
  const count = (...verdicts: readonly SystematicVerdict['verdict'][]): number =>
    faults.filter(({ verdict }) => verdicts.includes(verdict)).length;
  const counting = count('caught', 'caught elsewhere', 'missed');
  return {
    schemaVersion: 1,
    suite,
    faults,
    caughtPercent: percent(count('caught', 'caught elsewhere'), counting),
    caughtByOwnPercent: percent(count('caught'), counting),
    problems: [
      ...faults.filter(({ verdict }) => verdict === 'missed').map(missed),
      ...(isWhole ? all.flatMap((one) => unneeded(one, faults)) : []),
    ],
  };
}

function missed({ fault, outcome, by }: SystematicVerdict): string {
  if (outcome === 'idle') return `${fault}: no scenario is in a state that it changes`;
  return `${fault}: no scenario fails${by === undefined ? '' : `, although ${by} runs otherwise`}`;
}

/** An argument is for faults that nothing has caught. */
function unneeded({ faults: patterns }: Argument, faults: readonly SystematicVerdict[]): string[] {
  return patterns
    .filter((pattern) => !faults.some(({ fault, verdict }) => verdict === 'argued' && isLike(fault, pattern)))
    .map((pattern) => `not-forbidden.json: ${pattern} is of no fault that is missed: take it out`);
}

/** Rounded down: 100 only if it is all. */
function percent(part: number, whole: number): number {
  return whole === 0 ? 100 : Math.floor((part / whole) * 1000) / 10;
}
