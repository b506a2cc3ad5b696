import { violations, type ScenarioVerdict } from '../../catalog/verdict';
import type { RuleEntry, ScenarioEntry } from '../judge/verdicts';
import { ruleOf, type BaselineRule } from './baseline';
import type { Change, ChangeKind, ScenarioChange } from './changes';
import { gravityOf, ruleGravityOf } from './gravity';
import { scenariosByName } from '../judge/scenario-names';

/** The verdicts of scenarios that differ between runs, by name. */
export type FlakyScenarios = ReadonlyMap<string, readonly ScenarioVerdict[]>;

/** What is known of the run beside its verdicts. */
export interface RuleCircumstances {
  readonly flaky?: FlakyScenarios | undefined;
  /** The baseline has no such rule. */
  readonly isNew?: boolean;
  /** A part of the rule may have been selected on purpose. */
  readonly selected?: boolean;
}

/** A rule that the baseline has not: news, unless it fails at once. */
export function newRule(rule: RuleEntry, flaky?: FlakyScenarios): Change {
  const change = changeOfRule(rule, { verdict: 'untested', pass: 0 }, { flaky, isNew: true });
  const what = `${rule.verdict}, not in the baseline`;
  const isGood = change === undefined || change.kind === 'improvement' || change.kind === 'new';
  return isGood ? { kind: 'new', ...headOf(rule), what, scenarios: [] } : { ...change, what };
}

/** How a rule has changed, told as the gravest of what its scenarios show; `undefined` if it has not. */
export function changeOfRule(
  rule: RuleEntry,
  before: BaselineRule,
  { flaky = new Map(), isNew = false, selected = false }: RuleCircumstances = {},
): Change | undefined {
  const total = before.pass + Object.keys(before.others ?? {}).length;
  const gone = Math.max(0, total - rule.scenarios.length);
  const findings = scenarioFindings(rule, before, flaky, ruleOf(rule).pass + gone >= before.pass);
  const lost = gone > 0 && !selected;
  const kinds = [...findings.map(({ kind }) => kind), ...(lost ? (['vanished'] as const) : [])];
  const isPart = gone > 0 && selected;
  const kind = gravity.find((each) => kinds.includes(each)) ?? (isPart ? undefined : kindOfRule(rule, before, isNew));
  if (kind === undefined) return undefined;
  return {
    kind,
    ...headOf(rule),
    what: whatOfRule(rule, before, lost ? [gone, total] : undefined),
    ...detailOf(rule, findings),
    scenarios: findings,
  };
}

function whatOfRule({ verdict }: RuleEntry, before: BaselineRule, lost?: readonly [number, number]): string {
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

/** The kinds from the gravest; what a rule is told as when several things happened to its scenarios. */
const gravity: readonly ChangeKind[] = ['regression', 'surprise', 'flaky', 'vanished', 'broken', 'new', 'improvement'];

/** What the verdicts on the rule say by themselves: a rule without scenarios has no others. */
function kindOfRule(rule: RuleEntry, before: BaselineRule, isNew: boolean): ChangeKind | undefined {
  if (isNew) return undefined;
  const difference = ruleGravityOf(rule.verdict) - ruleGravityOf(before.verdict);
  if (difference === 0) return undefined;
  return difference > 0 ? 'regression' : 'improvement';
}

function scenarioFindings(
  rule: RuleEntry,
  before: BaselineRule,
  flaky: FlakyScenarios,
  keptPasses: boolean,
): ScenarioChange[] {
  const known = new Map(Object.entries(before.others ?? {}));
  const mayBeNew = rule.scenarios.length > before.pass + known.size;
  return [...scenariosByName(rule)].flatMap(([name, scenario]) => {
    const differing = flaky.get(name);
    if (differing) return [finding('flaky', name, scenario, `${differing.join(', ')} in turn`)];
    const kind = kindOfScenario(scenario.verdict, known.get(name), keptPasses);
    if (kind === undefined) return [];
    return [finding(kind, name, scenario, whatOf(scenario.verdict, known.get(name), mayBeNew))];
  });
}

function kindOfScenario(
  verdict: ScenarioVerdict,
  before: ScenarioVerdict | undefined,
  keptPasses: boolean,
): ChangeKind | undefined {
  if (verdict === 'broken') return 'broken';
  if (verdict === 'surprise') return 'surprise';
  if (before !== undefined) {
    const difference = gravityOf(verdict) - gravityOf(before);
    if (difference === 0) return undefined;
    return difference > 0 ? 'regression' : 'improvement';
  }
  if (verdict === 'pass') return undefined;
  return violations.has(verdict) || !keptPasses ? 'regression' : 'new';
}

/** The baseline names no scenario that passed: where the rule has more than it had, it may be one of the new ones. */
function whatOf(verdict: ScenarioVerdict, before: ScenarioVerdict | undefined, mayBeNew: boolean): string {
  if (before !== undefined) return `${before} → ${verdict}`;
  return mayBeNew ? `${verdict}, and passed in the baseline or is new` : `pass → ${verdict}`;
}

function finding(kind: ChangeKind, name: string, scenario: ScenarioEntry, what: string): ScenarioChange {
  const { uri, line, verdict, detail } = scenario;
  return { kind, name, uri, line, verdict, what, ...(detail !== undefined && { detail }) };
}
