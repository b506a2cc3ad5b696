import { amiss } from '../judge/match-deviations';
import type { Authority } from '../../catalog/authority';
import { scenariosByName } from '../judge/scenario-names';
import type { ScenarioVerdict } from '../../catalog/verdict';
import type { RuleEntry, ScenarioEntry, Verdicts } from '../judge/verdicts';

/** What CI systems know of a test. */
export type CaseState = 'passed' | 'failed' | 'error' | 'skipped';

/** One test as CI systems have it. */
export interface CiCase {
  /** Man page, or what else it belongs to. */
  readonly group: string;
  /** Id of the rule, or what else it says something of. */
  readonly subject: string;
  readonly name: string;
  readonly state: CaseState;
  /** The verdict that the state stands for: `crash`, `deviates`, `expired`. */
  readonly verdict: string;
  /** Why, for all that did not pass. */
  readonly message?: string;
  /** What there is to read of it beyond that, in lines. */
  readonly output?: string;
  readonly place?: { readonly uri: string; readonly line: number };
  readonly durationMs?: number;
  /** What the rule rests on, where that is known. */
  readonly authority?: Authority;
}

const states: Readonly<Record<ScenarioVerdict, CaseState>> = {
  pass: 'passed',
  fail: 'failed',
  crash: 'failed',
  hang: 'failed',
  panic: 'failed',
  surprise: 'failed',
  blocked: 'failed',
  broken: 'error',
  deviates: 'skipped',
  'not-applicable': 'skipped',
};

/**
 * A run as tests: each scenario once; then what fails a run and is not a scenario.
 *
 * @param problems - what went wrong outside of all scenarios
 */
export function casesOf(verdicts: Verdicts, problems: readonly string[] = []): CiCase[] {
  return [
    ...casesOfScenarios(verdicts),
    ...deviationCases(verdicts),
    ...capabilityCases(verdicts),
    ...setUpCases(verdicts, problems),
  ];
}

/** Each scenario of a run once. Clauses that share a Rule share its scenarios: those are tests of the first. */
export function casesOfScenarios({ rules }: Verdicts): CiCase[] {
  const told = new Set<string>();
  return rules.flatMap((rule) =>
    [...scenariosByName(rule)].flatMap(([name, scenario]) => {
      const place = `${scenario.uri}:${scenario.line}`;
      if (told.has(place)) return [];
      told.add(place);
      return [scenarioCase(rule, name, scenario)];
    }),
  );
}

function scenarioCase({ page, id, authority }: RuleEntry, name: string, scenario: ScenarioEntry): CiCase {
  const { uri, line, verdict, detail, durationMs } = scenario;
  return {
    group: page,
    subject: id,
    name,
    state: states[verdict],
    verdict,
    ...(detail !== undefined && { message: detail }),
    place: { uri, line },
    durationMs,
    ...(authority !== undefined && { authority }),
  };
}

/** Whatever becomes of the scenario, the list of deviations is to be fixed. */
function deviationCases({ deviations = [] }: Verdicts): CiCase[] {
  return deviations
    .filter(({ state }) => amiss.has(state))
    .map(({ rule, scenario, state, detail, reason, listedAt }) => ({
      group: 'listed deviations',
      subject: rule,
      name: scenario ?? 'all scenarios',
      state: 'failed',
      verdict: state,
      message: `${detail}; reason: ${reason}${listedAt === undefined ? '' : `; listed at ${listedAt}`}`,
    }));
}

function capabilityCases({ expectedCapabilities }: Verdicts): CiCase[] {
  if (expectedCapabilities === undefined) return [];
  const { expected, missing } = expectedCapabilities;
  const lost: readonly string[] = missing;
  return expected.map((name) => ({
    group: 'expected capabilities',
    subject: name,
    name: 'the device has it',
    ...(lost.includes(name)
      ? { state: 'failed', verdict: 'capability-lost', message: `missing: ${name}, which was expected` }
      : { state: 'passed', verdict: 'pass' }),
  }));
}

function setUpCases({ dutLost }: Verdicts, problems: readonly string[]): CiCase[] {
  const lost = dutLost === undefined ? [] : [`the device under test was lost: ${dutLost}`];
  return [...lost, ...problems].map((message, index) => ({
    group: 'set-up',
    subject: 'set-up',
    name: `problem ${index + 1}`,
    state: 'error',
    verdict: 'broken',
    message,
  }));
}
