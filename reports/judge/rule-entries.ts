import { clauseIdsOf, type Clause, type Clauses } from '../../catalog/clauses';
import type { JudgedScenario } from './judged-run';
import type { RecordedRule, RecordedRun } from '../recording/recorded-run';
import { ruleReason, ruleVerdict, untestedReason } from './rules';
import type { RuleEntry, ScenarioEntry } from './verdicts';

/**
 * One entry a clause whose Rule was selected, in the order of the features.
 *
 * Cucumber selects scenarios, so a Rule that has none counts as selected together with its whole feature.
 */
export function ruleEntries(scenarios: readonly JudgedScenario[], run: RecordedRun, clauses: Clauses): RuleEntry[] {
  return [...rulesByClause(run)].flatMap(([id, rules]) => {
    const clause = clauses.get(id);
    const judged = scenarios.filter(({ clauseIds }) => clauseIds.includes(id));
    const isSelected =
      judged.length > 0 || rules.every((rule) => rule.scenarioNames.length === 0 && rule.featureIsWhole);
    return clause && isSelected ? [ruleEntry(clause, rules, judged)] : [];
  });
}

function rulesByClause({ rules }: RecordedRun): Map<string, RecordedRule[]> {
  const byClause = new Map<string, RecordedRule[]>();
  for (const recorded of rules.values()) {
    for (const id of clauseIdsOf(recorded.rule.tags)) byClause.set(id, [...(byClause.get(id) ?? []), recorded]);
  }
  return byClause;
}

function ruleEntry(clause: Clause, rules: readonly RecordedRule[], judged: readonly JudgedScenario[]): RuleEntry {
  const scenarios = judged.map(scenarioEntry);
  const reason = judged.length === 0 ? whyUntested(rules) : ruleReason(scenarios, countScenarios(rules));
  return {
    id: clause.id,
    page: clause.page,
    section: clause.section,
    title: rules[0]?.rule.name ?? '',
    verdict: ruleVerdict(scenarios.map((scenario) => scenario.verdict)),
    ...(reason !== undefined && { reason }),
    scenarios,
  };
}

function countScenarios(rules: readonly RecordedRule[]): number {
  return rules.reduce((sum, rule) => sum + rule.scenarioNames.length, 0);
}

function whyUntested(rules: readonly RecordedRule[]): string | undefined {
  return rules.map(({ rule }) => untestedReason(rule)).find((reason) => reason !== undefined);
}

function scenarioEntry({ recorded, verdict, durationMs, detail }: JudgedScenario): ScenarioEntry {
  const { name, uri, line } = recorded;
  return { name, uri, line, verdict, durationMs, ...(detail !== undefined && { detail }) };
}
