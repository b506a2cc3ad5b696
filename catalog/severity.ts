import type { RuleVerdict, ScenarioVerdict } from './verdict';

/** From a pass to what the DUT did to the system. */
const scenarioSeverities: readonly ScenarioVerdict[] = [
  'pass',
  'deviates',
  'not-applicable',
  'broken',
  'blocked',
  'surprise',
  'fail',
  'hang',
  'crash',
  'panic',
];

const ruleSeverities: readonly RuleVerdict[] = [
  'conforms',
  'deviates',
  'not-applicable',
  'untested',
  'broken',
  'blocked',
  'violates',
];

/**
 * How severe a verdict on a scenario is; 0 is a pass. What was not examined is worse than what deviates as listed: nothing
 * looks better because it was skipped. What is broken says nothing of the device, what is blocked says something of it, and
 * a violation something of the very rule.
 */
export function severityOf(verdict: ScenarioVerdict): number {
  return scenarioSeverities.indexOf(verdict);
}

/** How severe a verdict on a rule is; 0 is `conforms`. */
export function ruleSeverityOf(verdict: RuleVerdict): number {
  return ruleSeverities.indexOf(verdict);
}
