import { basename } from 'node:path/posix';
import { strongestOf, type Authority } from '../../catalog/authority';
import { clauseIdsOf, type Clause, type Clauses } from '../../catalog/clauses';
import type { JudgedScenario } from './judged-run';
import type { RecordedFeature, RecordedRule, RecordedRun } from '../recording/recorded-run';
import { ruleReason, ruleVerdict } from './rules';
import type { RuleEntry, ScenarioEntry } from './verdicts';

/**
 * One entry per clause that was selected, in the order of the features; a clause without a Rule follows the one that its
 * page lists before it.
 *
 * Cucumber selects scenarios, so a clause that has none counts as selected together with the whole feature of its page.
 */
export function ruleEntries(scenarios: readonly JudgedScenario[], run: RecordedRun, clauses: Clauses): RuleEntry[] {
  const rules = rulesByClause(run);
  const ids = run.features.flatMap((feature) => {
    const own = [...rules].flatMap(([id, ofClause]) => (ofClause.some(({ uri }) => uri === feature.uri) ? [id] : []));
    return withUntested(own, untestedOf(feature, clauses), [...clauses.keys()]);
  });
  return [...new Set(ids)].flatMap((id) => {
    const clause = clauses.get(id);
    const judged = scenarios.filter(({ clauseIds }) => clauseIds.includes(id));
    if (clause === undefined || (judged.length === 0 && rules.has(id))) return [];
    const own = rules.get(id) ?? [];
    return [ruleEntry(clause, own, authorityOf(clause, own, clauses), judged, chargeOf(clause, scenarios))];
  });
}

function withUntested(ids: readonly string[], untested: readonly Clause[], order: readonly string[]): string[] {
  const all = [...ids];
  for (const { id } of untested) {
    const before = order.slice(0, order.indexOf(id)).findLast((other) => all.includes(other));
    all.splice(before === undefined ? 0 : all.indexOf(before) + 1, 0, id);
  }
  return all;
}

/** The clauses that were selected and have no Rule. */
export function untestedClauses({ features }: RecordedRun, clauses: Clauses): Clause[] {
  return features.flatMap((feature) => untestedOf(feature, clauses));
}

function untestedOf({ uri, isWhole }: RecordedFeature, clauses: Clauses): Clause[] {
  const name = basename(uri.replaceAll('\\', '/'), '.feature');
  return isWhole ? [...clauses.values()].filter(({ page, untested }) => page === name && untested !== undefined) : [];
}

function rulesByClause({ rules }: RecordedRun): Map<string, RecordedRule[]> {
  const byClause = new Map<string, RecordedRule[]>();
  for (const recorded of rules.values()) {
    for (const id of clauseIdsOf(recorded.rule.tags)) byClause.set(id, [...(byClause.get(id) ?? []), recorded]);
  }
  return byClause;
}

/** A Rule with several clauses rests on the strongest of their authorities. */
function authorityOf(clause: Clause, rules: readonly RecordedRule[], clauses: Clauses): Authority {
  const sharing = rules.flatMap(({ rule }) => clauseIdsOf(rule.tags)).flatMap((id) => clauses.get(id)?.authority ?? []);
  return strongestOf([clause.authority, ...sharing]) ?? clause.authority;
}

/**
 * @param charge - what other scenarios say against the rule
 */
function ruleEntry(
  clause: Clause,
  rules: readonly RecordedRule[],
  authority: Authority,
  judged: readonly JudgedScenario[],
  charge: string | undefined,
): RuleEntry {
  const scenarios = judged.map(scenarioEntry);
  const verdict = charge === undefined ? ruleVerdict(scenarios.map((scenario) => scenario.verdict)) : 'violates';
  const own = judged.length === 0 ? clause.untested : ruleReason(scenarios, countScenarios(rules));
  const reason = charge !== undefined && own !== undefined ? `${charge}; ${own}` : (charge ?? own);
  return {
    id: clause.id,
    page: clause.page,
    section: clause.section,
    title: rules[0]?.rule.name ?? clause.statement ?? '',
    authority,
    verdict,
    ...(reason !== undefined && { reason }),
    ...(verdict === 'conforms' && clause.effectNotShown && { effectNotShown: true }),
    scenarios,
  };
}

/** A verb that is refused where nothing is left that it could be refused for breaks its rule, in whichever scenario. */
function chargeOf({ subject, chargedInCleanUp }: Clause, scenarios: readonly JudgedScenario[]): string | undefined {
  if (chargedInCleanUp === undefined) return undefined;
  const refusals = scenarios.flatMap(({ unexplained }) =>
    unexplained.filter(({ isCleanUp, comparison }) => isCleanUp === true && comparison?.subject === `${subject}()`),
  );
  const [first] = refusals;
  if (first === undefined) return undefined;
  const where = refusals.length === 1 ? 'the clean-up of a scenario' : `the clean-up of ${refusals.length} scenarios`;
  return `${first.words}, in ${where}`;
}

function countScenarios(rules: readonly RecordedRule[]): number {
  return rules.reduce((sum, rule) => sum + rule.scenarioNames.length, 0);
}

function scenarioEntry({ recorded, verdict, durationMs, detail, notRun }: JudgedScenario): ScenarioEntry {
  const { name, uri, line } = recorded;
  return {
    name,
    uri,
    line,
    verdict,
    durationMs,
    ...(detail !== undefined && { detail }),
    ...(notRun.length > 0 && { notRun }),
  };
}
