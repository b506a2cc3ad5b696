import type { ScenarioVerdict } from '../../catalog/verdict';
import { mayFail, type RecordedCalls, type ProviderFault } from './fault';

/** A scenario that ran, with its verdict. */
export interface Shown {
  readonly uri: string;
  readonly line: number;
  readonly name: string;
  /** Clause ids of its rule. */
  readonly clauseIds: readonly string[];
  readonly verdict: ScenarioVerdict;
  readonly detail: string | undefined;
  /** Of what failed, without names and numbers. */
  readonly signature?: string | undefined;
  /** What of completions it shows to differ. */
  readonly differing?: ReadonlySet<string>;
}

/** A scenario that ran, beside what it called without a fault. */
export interface Sound extends Shown {
  readonly calls: RecordedCalls;
}

/** What the scenarios showed of a fault. */
export interface FaultProof {
  /** Rules of the fault that noticed it. */
  readonly caughtBy: readonly string[];
  /** Other rules that failed, in order. */
  readonly met: readonly string[];
  /** What is wrong with the fault or with a rule, one line each. */
  readonly problems: readonly string[];
}

/** What other rules a fault is known to make fail, and how much of it has to show. */
export interface Known {
  readonly met: readonly string[];
  /** Whether all scenarios that can notice it ran. */
  readonly isWhole: boolean;
}

/** Whether a scenario says that the device does not do what the page says, or says nothing at all. */
export function isAmiss({ verdict }: Pick<Shown, 'verdict'>): boolean {
  return verdict !== 'pass' && verdict !== 'not-applicable';
}

/** Whether a scenario came as far as its own rule. */
function hasJudged({ verdict }: Pick<Shown, 'verdict'>): boolean {
  return verdict !== 'broken' && verdict !== 'blocked';
}

/** Whether it failed only when all was accounted for that the device gave it, which says nothing of its rule. */
function isOfAccount({ detail = '' }: Pick<Shown, 'detail'>): boolean {
  return detail.startsWith('After hook "account"');
}

/** Whether a scenario went otherwise than the list of deviations has it. */
export function isUnexpected(one: Pick<Shown, 'verdict'>): boolean {
  return isAmiss(one) && one.verdict !== 'deviates';
}

/** Where a scenario stands. */
export function placeOf({ uri, line }: Shown): string {
  return `${uri}:${line}`;
}

/** In which scenarios two runs of the same features differ, one line each. */
export function differences(expected: readonly Shown[], observed: readonly Shown[]): readonly string[] {
  const verdicts = new Map(expected.map((one) => [placeOf(one), one.verdict]));
  const others = observed.filter((one) => verdicts.get(placeOf(one)) !== one.verdict);
  const missing = expected.length - observed.length;
  return [
    ...others.map((one) => `differs from ${verdicts.get(placeOf(one)) ?? 'nothing'}: ${describeScenario(one)}`),
    ...(missing === 0 ? [] : [`has ${observed.length} scenarios and not ${expected.length}`]),
  ];
}

/**
 * Compares what the scenarios showed under a fault with what is known of it.
 *
 * @param shown - scenarios that pass without the fault
 */
export function judgeFault(fault: ProviderFault, { met, isWhole }: Known, shown: readonly Sound[]): FaultProof {
  const amiss = shown.filter(isAmiss);
  const failed = new Set(amiss.filter(hasJudged).flatMap(({ clauseIds }) => clauseIds));
  const isOwn = (id: string): boolean => fault.rules.includes(id);
  const besides = amiss.filter((one) => !one.clauseIds.some(isOwn) && !isOfAccount(one));
  const meets = new Set(besides.flatMap(({ clauseIds }) => clauseIds));
  return {
    caughtBy: fault.rules.filter((id) => failed.has(id)),
    met: [...meets].sort(),
    problems: [
      ...fault.rules.filter((id) => !failed.has(id)).map((id) => `is not noticed by ${id}: ${seenOf(id, shown)}`),
      ...besides.filter(({ calls }) => !fault.exposes(calls)).map(withoutExposure),
      ...besides.filter(({ clauseIds }) => !mayFail(fault, met, clauseIds)).map(unknown),
      ...(isWhole ? met.filter((id) => !meets.has(id)).map((id) => `met ${id}, and does no more: ${remedy}`) : []),
    ],
  };
}

const remedy = 'if that is meant, --accept';

function withoutExposure(one: Shown): string {
  return `fails ${one.clauseIds.join(', ')}, which calls nothing that it changes: ${describeScenario(one)}`;
}

function unknown(one: Shown): string {
  return `meets ${one.clauseIds.join(', ')} too: ${describeScenario(one)}; ${remedy}`;
}

/** What the scenarios of a rule came to that did not fail. */
function seenOf(id: string, shown: readonly Sound[]): string {
  const seen = shown.filter(({ clauseIds }) => clauseIds.includes(id)).map(describeScenario);
  return seen.join('; ') || 'none of its scenarios passes without a fault';
}

/** Place, name and verdict of a scenario, in a line. */
export function describeScenario({ uri, line, name, verdict, detail = '' }: Shown): string {
  return `${uri}:${line} "${name}" ${verdict}: ${detail.replace(/\s+/g, ' ').slice(0, 240)}`;
}
