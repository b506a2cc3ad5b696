import { withShare, type Cause, type Causes } from '../diagnosis/causes';
import { isFailing, type Change, type ScenarioChange } from './changes';

/** Of the causes of a run, what they explain of what fails the gate: what is as in the baseline does not count. */
export function causesOfGate({ causes }: Causes, changes: readonly Change[]): Causes {
  const failed = failedScenarios(changes);
  const own = causes.flatMap((cause): Cause[] => {
    const scenarios = cause.scenarios.filter((scenario) => failed.has(placeOf(scenario)));
    const first = scenarios.find((scenario) => placeOf(scenario) === placeOf(cause.first)) ?? scenarios[0];
    return first === undefined ? [] : [withShare({ ...cause, first, scenarios }, failed.size)];
  });
  return { failed: failed.size, causes: own.sort((one, other) => other.scenarios.length - one.scenarios.length) };
}

/** The changes that no cause explains, not even in part. */
export function unexplainedChanges({ causes }: Causes, changes: readonly Change[]): Change[] {
  const explained = new Set(causes.flatMap(({ scenarios }) => scenarios.map(placeOf)));
  return changes.filter(({ scenarios }) => !scenarios.some((scenario) => explained.has(placeOf(scenario))));
}

/** The scenarios of the changes that fail the gate, each once: clauses that share a Rule share them. */
export function failedScenarios(changes: readonly Change[]): ReadonlyMap<string, ScenarioChange> {
  const scenarios = changes.filter(isFailing).flatMap((change) => change.scenarios);
  return new Map(scenarios.map((scenario) => [placeOf(scenario), scenario]));
}

/** Where a scenario stands. */
export function placeOf({ uri, line }: { readonly uri: string; readonly line: number }): string {
  return `${uri}:${line}`;
}
