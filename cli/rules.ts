import Table from 'cli-table3';
import type { Clause } from '../reports/clauses';
import { loadClauses } from '../reports/clauses';
import { featureRules } from './registry';

/** A clause with what the features have for it. */
interface RuleRow extends Clause {
  readonly scenarios: number;
  readonly uri?: string;
}

/** Prints the registry: every clause with the number of its scenarios. */
export function listRules(pages: readonly string[], json: boolean): number {
  const rows = ruleRows().filter(({ id, page }) => pages.length === 0 || pages.includes(page) || pages.includes(id));
  process.stdout.write(json ? `${JSON.stringify(rows, undefined, 2)}\n` : `${tableOf(rows)}\n`);
  return 0;
}

function ruleRows(): RuleRow[] {
  const rules = featureRules();
  return [...loadClauses().values()].map((clause) => {
    const shown = rules.filter(({ ids }) => ids.includes(clause.id));
    const scenarios = shown.reduce((sum, rule) => sum + rule.scenarios.length, 0);
    const uri = shown[0]?.uri;
    return { ...clause, scenarios, ...(uri !== undefined && { uri }) };
  });
}

function tableOf(rows: readonly RuleRow[]): string {
  const table = new Table({
    head: ['rule', 'level', 'scenarios', 'statement'],
    style: { head: [], border: [] },
    wordWrap: true,
    colWidths: [null, null, null, 60],
  });
  for (const { id, level, scenarios, statement } of rows) table.push([id, level, scenarios, statement]);
  return table.toString();
}
