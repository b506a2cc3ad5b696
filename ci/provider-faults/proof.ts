import type { ScenarioVerdict } from '../../reports/verdict';
import type { ProviderFault } from './fault';

/** A scenario that ran, and what became of it. */
export interface Shown {
  readonly uri: string;
  readonly line: number;
  readonly name: string;
  /** Clause ids of its rule. */
  readonly clauseIds: readonly string[];
  readonly verdict: ScenarioVerdict;
  readonly detail: string | undefined;
}

/** What the scenarios showed of a fault. */
export interface FaultProof {
  /** Rules of the fault that noticed it. */
  readonly caughtBy: readonly string[];
  /** Rules that failed besides, as the fault declares. */
  readonly explained: readonly string[];
  /** What is wrong with the fault or with a rule, one line each. */
  readonly problems: readonly string[];
}

/** Whether a scenario says that the device does not do what the page says, or says nothing at all. */
export function isAmiss({ verdict }: Pick<Shown, 'verdict'>): boolean {
  return verdict !== 'pass' && verdict !== 'not-applicable';
}

/** Whether a scenario went otherwise than the list of deviations has it. */
export function isUnexpected(one: Pick<Shown, 'verdict'>): boolean {
  return isAmiss(one) && one.verdict !== 'deviates';
}

/** In which scenarios two runs of the same features differ, one line each. */
export function differences(expected: readonly Shown[], observed: readonly Shown[]): readonly string[] {
  const placeOf = ({ uri, line }: Shown): string => `${uri}:${line}`;
  const verdicts = new Map(expected.map((one) => [placeOf(one), one.verdict]));
  const others = observed.filter((one) => verdicts.get(placeOf(one)) !== one.verdict);
  const missing = expected.length - observed.length;
  return [
    ...others.map((one) => `differs from ${verdicts.get(placeOf(one)) ?? 'nothing'}: ${describe(one)}`),
    ...(missing === 0 ? [] : [`has ${observed.length} scenarios and not ${expected.length}`]),
  ];
}

/**
 * Holds what the scenarios showed under a fault against what the fault declares.
 *
 * @param shown - scenarios that pass without the fault
 * @param isWhole - whether these were all that can notice it
 */
export function judgeFault(
  { rules, alsoBreaks = {} }: ProviderFault,
  shown: readonly Shown[],
  isWhole: boolean,
): FaultProof {
  const declared = new Set(Object.values(alsoBreaks).flat());
  const amiss = shown.filter(isAmiss);
  const failed = new Set(amiss.filter(({ verdict }) => verdict !== 'broken').flatMap(({ clauseIds }) => clauseIds));
  const accounted = (ids: readonly string[]): boolean => ids.some((id) => rules.includes(id) || declared.has(id));
  const unnoticed = rules.filter((id) => !failed.has(id)).map((id) => `${id} does not notice it`);
  const strangers = amiss
    .filter(({ clauseIds }) => !accounted(clauseIds))
    .map((one) => `fails ${one.clauseIds.join(', ')}, which it does not declare: ${describe(one)}`);
  const stale = isWhole
    ? [...declared]
        .filter((id) => !amiss.some(({ clauseIds }) => clauseIds.includes(id)))
        .map((id) => `declares to break ${id}, which passes`)
    : [];
  return {
    caughtBy: rules.filter((id) => failed.has(id)),
    explained: [...declared].filter((id) => amiss.some(({ clauseIds }) => clauseIds.includes(id))),
    problems: [...unnoticed, ...strangers, ...stale],
  };
}

/** Where a scenario stands and what became of it, in a line. */
export function describe({ uri, line, name, verdict, detail = '' }: Shown): string {
  return `${uri}:${line} "${name}" ${verdict}: ${detail.replace(/\s+/g, ' ').slice(0, 240)}`;
}
