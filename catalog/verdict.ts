/** What a run says of one scenario. */
export type ScenarioVerdict =
  'pass' | 'fail' | 'crash' | 'hang' | 'panic' | 'deviates' | 'surprise' | 'not-applicable' | 'broken';

/** What a run says of one rule; `untested` has no scenario in the run. */
export type RuleVerdict = 'conforms' | 'violates' | 'deviates' | 'not-applicable' | 'broken' | 'untested';

/** All verdicts on scenarios in the order of reports: failures first after `pass`, what says nothing of the device last. */
export const verdictsInReportOrder = [
  'pass',
  'fail',
  'crash',
  'hang',
  'panic',
  'surprise',
  'broken',
  'deviates',
  'not-applicable',
] as const satisfies readonly ScenarioVerdict[];

/** The verdicts that fail a rule and the gate. */
export const violations: ReadonlySet<ScenarioVerdict> = new Set(['fail', 'crash', 'hang', 'panic', 'surprise']);
