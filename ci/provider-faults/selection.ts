import { accountedFor, type ProviderFault } from './fault';
import { isAmiss, type Shown } from './proof';

/** A scenario as it went without a fault. */
export interface Sound extends Shown {
  /** C functions that it called. */
  readonly verbs: ReadonlySet<string>;
}

/** Scenarios of other rules that have to pass under a fault, where not all are run. */
const bystandersMax = 5;

/**
 * The scenarios that a fault is shown by. One that calls none of the verbs that misbehave goes as it goes without the
 * fault, and one that does not pass then says nothing.
 *
 * @param isWhole - whether to take all of them; else those of the rules that it breaks, and of the others a few, spread
 *   evenly over the features
 */
export function scenariosFor<T extends Sound>(fault: ProviderFault, all: readonly T[], isWhole: boolean): readonly T[] {
  const exposed = all.filter((one) => !isAmiss(one) && fault.verbs.some((verb) => one.verbs.has(verb)));
  if (isWhole) return exposed;
  const own = exposed.filter(({ clauseIds }) => clauseIds.some((id) => fault.rules.includes(id)));
  const known = accountedFor(fault);
  const others = exposed.filter(({ clauseIds }) => !clauseIds.some((id) => known.has(id)));
  const count = Math.min(bystandersMax, others.length);
  const spread = Array.from({ length: count }, (_, index) => others[Math.floor((index * others.length) / count)]);
  return [...own, ...spread.flatMap((one) => one ?? [])];
}

/** Paths with lines for Cucumber, a feature each. */
export function pathsOf(scenarios: readonly Shown[]): string[] {
  const byFeature = new Map<string, number[]>();
  for (const { uri, line } of scenarios) byFeature.set(uri, [...(byFeature.get(uri) ?? []), line]);
  return [...byFeature].map(([uri, lines]) => [uri, ...lines].join(':'));
}
