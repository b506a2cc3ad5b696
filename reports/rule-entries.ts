import type { Clause, Clauses } from './clauses';
import type { JudgedScenario } from './judge';
import type { RecordedRun } from './recorded-run';
import { ruleReason, ruleVerdict } from './rules';
import type { RuleEntry, ScenarioEntry } from './verdicts';

/** One entry a clause whose Rule was selected, in the order of the features. */
export function ruleEntries(scenarios: readonly JudgedScenario[], run: RecordedRun, clauses: Clauses): RuleEntry[] {
  const byClause = new Map<string, JudgedScenario[]>();
  for (const scenario of scenarios) {
    for (const id of scenario.clauseIds) byClause.set(id, [...(byClause.get(id) ?? []), scenario]);
  }
  return [...byClause].flatMap(([id, judged]) => {
    const clause = clauses.get(id);
    return clause ? [ruleEntry(clause, judged, run)] : [];
  });
}

function ruleEntry(clause: Clause, judged: readonly JudgedScenario[], run: RecordedRun): RuleEntry {
  const scenarios = judged.map(scenarioEntry);
  const rules = new Map(
    judged.flatMap(({ recorded }) => (recorded.place?.rule ? [[recorded.place.rule.id, recorded.place.rule]] : [])),
  );
  const total = [...rules.keys()].reduce((sum, ruleId) => sum + (run.scenariosByRule.get(ruleId) ?? 0), 0);
  const reason = ruleReason(scenarios, total);
  return {
    id: clause.id,
    page: clause.page,
    section: clause.section,
    title: [...rules.values()][0]?.name ?? '',
    verdict: ruleVerdict(scenarios.map((scenario) => scenario.verdict)),
    ...(reason !== undefined && { reason }),
    scenarios,
  };
}

function scenarioEntry({ recorded, verdict, durationMs, detail }: JudgedScenario): ScenarioEntry {
  const { name, uri, line } = recorded;
  return { name, uri, line, verdict, durationMs, ...(detail !== undefined && { detail }) };
}
