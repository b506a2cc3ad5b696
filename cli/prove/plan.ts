import { replacedBy } from '../../drivers/sim/faults/touched';
import type { Fault } from '../../drivers/sim/faults/fault';
import { isOf, verbsOfRules } from '../../reports/proof/reliance';
import type { RecordedScenario, Trial } from './prove-job';

/** A scenario that may notice a fault. */
export interface PlannedTrial extends Trial {
  readonly scenario: RecordedScenario;
}

/** What a proof is about. */
export interface Scope {
  /** Ids of the rules that the user named; all unless given. */
  readonly ids?: readonly string[];
  /** Whether scenarios stand for others that make the same calls. */
  readonly isSample: boolean;
}

/** Whether a fault is tried on the scenarios of all rules: it is of one that the user named. */
export function isWhole({ rules }: Fault, { ids }: Scope): boolean {
  return ids === undefined || rules.some((id) => ids.includes(id));
}

/**
 * The scenarios to run under a fault: those of its rules to their end, others until it shows that they rely on what it
 * breaks. One that has nothing to do with what the fault replaces runs as it does without.
 *
 * @param isToEnd - whether a scenario of other rules is run to its end, too
 */
export function planTrials(
  fault: Fault,
  sound: readonly RecordedScenario[],
  scope: Scope,
  isToEnd: (scenario: RecordedScenario) => boolean = () => false,
): PlannedTrial[] {
  const { rules, parts } = fault;
  const replaced = new Set(replacedBy(parts));
  const isAsked = (one: RecordedScenario): boolean => isWhole(fault, scope) || isOf(one, scope.ids ?? []);
  const touched = sound.filter((one) => isAsked(one) && one.touches.some((touch) => replaced.has(touch)));
  const isWholly = (one: RecordedScenario): boolean => isOf(one, rules) || isToEnd(one);
  const toEnd = touched.filter(isWholly);
  const others = touched.filter((one) => !isWholly(one));
  const uptoVerbs = [...verbsOfRules(sound, rules)];
  return [
    ...toEnd.map((scenario) => trialOf(scenario, [])),
    ...(scope.isSample ? sampleOf(others, replaced) : others).map((scenario) => trialOf(scenario, uptoVerbs)),
  ];
}

function trialOf(scenario: RecordedScenario, uptoVerbs: readonly string[]): PlannedTrial {
  const { uri, line } = scenario;
  return { uri, line, uptoVerbs, scenario };
}

/** Of the scenarios that call the same verbs and meet the same of what a fault replaces, the one that does most. */
function sampleOf(scenarios: readonly RecordedScenario[], replaced: ReadonlySet<string>): RecordedScenario[] {
  const most = new Map<string, RecordedScenario>();
  for (const scenario of scenarios) {
    const kind = [...scenario.verbs, '|', ...scenario.touches.filter((touch) => replaced.has(touch))].sort().join();
    const so = most.get(kind);
    if (so === undefined || scenario.history.length > so.history.length) most.set(kind, scenario);
  }
  return [...most.values()];
}
