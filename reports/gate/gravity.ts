import type { RuleVerdict, ScenarioVerdict } from '../../catalog/verdict';

const scenarioVerdicts: readonly ScenarioVerdict[] = [
  'pass',
  'deviates',
  'not-applicable',
  'broken',
  'surprise',
  'fail',
  'hang',
  'crash',
  'panic',
];

const ruleVerdicts: readonly RuleVerdict[] = [
  'conforms',
  'deviates',
  'not-applicable',
  'untested',
  'broken',
  'violates',
];

/**
 * How bad a verdict on a scenario is; 0 is a pass. What was not examined is worse than what deviates as listed: nothing
 * looks better because it was skipped. A violation outranks what is broken, as it is said of the device.
 */
export function gravityOf(verdict: ScenarioVerdict): number {
  return scenarioVerdicts.indexOf(verdict);
}

/** How bad a verdict on a rule is; 0 is `conforms`. */
export function ruleGravityOf(verdict: RuleVerdict): number {
  return ruleVerdicts.indexOf(verdict);
}
