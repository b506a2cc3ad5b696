import type { JudgedScenario } from '../judge/judged-run';
import { failureOf, type Failure } from './failures';
import type { Signature } from './signature';

/** Failures with one signature, in the order of the features. */
export interface Group {
  readonly signature: Signature;
  /** The example. */
  readonly first: Failure;
  readonly failures: readonly Failure[];
}

/** The failures of a run by their signatures, the largest group first. */
export function groupsOf(scenarios: readonly JudgedScenario[]): Group[] {
  return groupedFailures(scenarios.flatMap((scenario) => failureOf(scenario) ?? []));
}

/** Failures by their signatures, the largest group first. */
export function groupedFailures(failures: readonly Failure[]): Group[] {
  const groups = new Map<Signature, { readonly first: Failure; readonly failures: Failure[] }>();
  for (const failure of failures) {
    const group = groups.get(failure.signature);
    if (group === undefined) groups.set(failure.signature, { first: failure, failures: [failure] });
    else group.failures.push(failure);
  }
  return [...groups]
    .map(([signature, group]) => ({ signature, ...group }))
    .sort((one, other) => other.failures.length - one.failures.length);
}
