/** What a run says of one scenario. */
export type ScenarioVerdict =
  'pass' | 'fail' | 'crash' | 'hang' | 'panic' | 'deviates' | 'surprise' | 'not-applicable' | 'blocked' | 'broken';

/** What a run says of one rule; `untested` has no scenario in the run. */
export type RuleVerdict = 'conforms' | 'violates' | 'deviates' | 'not-applicable' | 'blocked' | 'broken' | 'untested';

/** All verdicts on scenarios in the order of reports: failures first after `pass`, what says nothing of the device last. */
export const verdictsInReportOrder = [
  'pass',
  'fail',
  'crash',
  'hang',
  'panic',
  'surprise',
  'blocked',
  'broken',
  'deviates',
  'not-applicable',
] as const satisfies readonly ScenarioVerdict[];

/** The verdicts that violate the rule of their scenario. */
export const violations: ReadonlySet<ScenarioVerdict> = new Set(['fail', 'crash', 'hang', 'panic', 'surprise']);

/** The verdicts that fail a run and the gate: a device that blocks a scenario did what it must not, if not to its rule. */
export const failing: ReadonlySet<ScenarioVerdict> = new Set([...violations, 'blocked']);
