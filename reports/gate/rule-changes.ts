import { failing, type ScenarioVerdict } from '../../catalog/verdict';
import type { RuleEntry, ScenarioEntry } from '../judge/verdicts';
import { standingOf, type RuleException } from './baseline';
import type { Change, ChangeKind, ScenarioChange } from './changes';
import { severityOf, ruleSeverityOf } from '../../catalog/severity';
import { hasGrown, keepsPasses, type PageStanding } from './page-standing';
import { scenariosByName } from '../judge/scenario-names';

/** The verdicts of scenarios that differ between runs, by name. */
export type FlakyScenarios = ReadonlyMap<string, readonly ScenarioVerdict[]>;

/** What a rule is compared with, beside the scenarios that are known not to pass. */
interface Expectation {
  readonly known: ReadonlyMap<string, ScenarioVerdict>;
  /** As many scenarios pass as did, so one that is not known and is skipped or deviates is new. */
  readonly keepsPasses: boolean;
  /** There are more scenarios than there were. */
  readonly hasGrown: boolean;
}

/** How a rule that is not an exception departs from conforming; `undefined` if it does not. */
export function departureOf(
  rule: RuleEntry,
  page: PageStanding,
  flaky: FlakyScenarios = new Map(),
): Change | undefined {
  const expectation = { known: new Map(), keepsPasses: keepsPasses(page), hasGrown: hasGrown(page) };
  const findings = scenarioFindings(rule, expectation, flaky);
  const kind = mostSevere(findings);
  if (kind === undefined) return undefined;
  return { kind, ...headOf(rule), what: departureInWords(rule, kind, expectation), scenarios: findings };
}

function departureInWords({ verdict }: RuleEntry, kind: ChangeKind, { hasGrown }: Expectation): string {
  if (verdict === 'conforms') return 'still conforms';
  if (kind === 'new') return `${verdict}, in what is not in the baseline`;
  return hasGrown ? `${verdict}, and conforms in the baseline or is new` : `conforms → ${verdict}`;
}

/**
 * How an exception has changed, by the most severe change of its scenarios; `undefined` if it has not.
 *
 * @param selected - a part of the rule may have been selected on purpose
 */
export function changeOfException(
  rule: RuleEntry,
  before: RuleException,
  { flaky = new Map(), selected = false }: { flaky?: FlakyScenarios | undefined; selected?: boolean } = {},
): Change | undefined {
  const total = before.pass + Object.keys(before.others).length;
  const gone = Math.max(0, total - rule.scenarios.length);
  const expectation = {
    known: new Map(Object.entries(before.others)),
    keepsPasses: standingOf(rule).pass + gone >= before.pass,
    hasGrown: rule.scenarios.length > total,
  };
  const findings = scenarioFindings(rule, expectation, flaky);
  const lost = gone > 0 && !selected;
  const kind = mostSevere(findings, lost) ?? (gone > 0 ? undefined : kindOfRule(rule, before));
  if (kind === undefined) return undefined;
  return {
    kind,
    ...headOf(rule),
    what: whatOfRule(rule, before, lost ? [gone, total] : undefined),
    ...detailOf(rule, findings),
    scenarios: findings,
  };
}

function whatOfRule({ verdict }: RuleEntry, before: RuleException, lost?: readonly [number, number]): string {
  const told = verdict === before.verdict ? `still ${verdict}` : `${before.verdict} → ${verdict}`;
  if (lost === undefined) return told;
  const [gone, total] = lost;
  return `${told}; ${gone} of ${total} scenarios ${gone === 1 ? 'is' : 'are'} gone`;
}

function headOf({ id, title }: RuleEntry): Pick<Change, 'subject' | 'title'> {
  return { subject: id, ...(title !== '' && { title }) };
}

function detailOf({ reason }: RuleEntry, scenarios: readonly ScenarioChange[]): Pick<Change, 'detail'> {
  return scenarios.length === 0 && reason !== undefined ? { detail: reason } : {};
}

/** Which kind stands for a rule when its scenarios changed in several ways: the first of these. */
const kindsBySeverity: readonly ChangeKind[] = [
  'regression',
  'surprise',
  'flaky',
  'vanished',
  'broken',
  'new',
  'improvement',
];

function mostSevere(findings: readonly ScenarioChange[], lost = false): ChangeKind | undefined {
  const kinds = [...findings.map(({ kind }) => kind), ...(lost ? (['vanished'] as const) : [])];
  return kindsBySeverity.find((each) => kinds.includes(each));
}

/** What the verdicts on the rule say by themselves. */
function kindOfRule(rule: RuleEntry, before: RuleException): ChangeKind | undefined {
  const difference = ruleSeverityOf(rule.verdict) - ruleSeverityOf(before.verdict);
  if (difference === 0) return undefined;
  return difference > 0 ? 'regression' : 'improvement';
}

function scenarioFindings(rule: RuleEntry, expectation: Expectation, flaky: FlakyScenarios): ScenarioChange[] {
  return [...scenariosByName(rule)].flatMap(([name, scenario]) => {
    const differing = flaky.get(name);
    if (differing) return [finding('flaky', name, scenario, `${differing.join(', ')} in turn`)];
    const before = expectation.known.get(name);
    const kind = kindOfScenario(scenario.verdict, before, expectation.keepsPasses);
    if (kind === undefined) return [];
    return [finding(kind, name, scenario, whatOf(scenario.verdict, before, expectation.hasGrown))];
  });
}

function kindOfScenario(
  verdict: ScenarioVerdict,
  before: ScenarioVerdict | undefined,
  keptPasses: boolean,
): ChangeKind | undefined {
  if (verdict === 'broken') return 'broken';
  if (verdict === 'surprise') return 'surprise';
  if (verdict === 'blocked' && before !== 'blocked') return 'regression'; // what it would come to is not known any more
  if (before !== undefined) {
    const difference = severityOf(verdict) - severityOf(before);
    if (difference === 0) return undefined;
    return difference > 0 ? 'regression' : 'improvement';
  }
  if (verdict === 'pass') return undefined;
  return failing.has(verdict) || !keptPasses ? 'regression' : 'new';
}

/** The baseline names no scenario that passed: where there are more than there were, it may be one of the new ones. */
function whatOf(verdict: ScenarioVerdict, before: ScenarioVerdict | undefined, mayBeNew: boolean): string {
  if (before !== undefined) return `${before} → ${verdict}`;
  return mayBeNew ? `${verdict}, and passed in the baseline or is new` : `pass → ${verdict}`;
}

function finding(kind: ChangeKind, name: string, scenario: ScenarioEntry, what: string): ScenarioChange {
  const { uri, line, verdict, detail } = scenario;
  return { kind, name, uri, line, verdict, what, ...(detail !== undefined && { detail }) };
}
