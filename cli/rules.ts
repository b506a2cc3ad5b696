import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Table from 'cli-table3';
import { UsageError } from '../drivers/contract';
import { loadClauses, type Clause } from '../reports/clauses';
import type { RuleVerdict } from '../reports/verdict';
import { parseVerdicts } from '../reports/verdicts';
import { featureRules } from './registry';

/** A clause with what the features have for it, and what a run said of it. */
interface RuleRow extends Clause {
  readonly scenarios: number;
  /** Feature file of its Rule. */
  readonly uri?: string;
  readonly verdict?: RuleVerdict;
}

/** What the user asks of `verbspec rules`. */
export interface RulesOptions {
  /** Pages or clause ids; none for all. */
  readonly selectors: readonly string[];
  readonly json: boolean;
  /** Folder of a run's results. */
  readonly run?: string;
}

/**
 * Prints the registry: every clause with the number of its scenarios.
 *
 * @returns the exit code
 */
export function listRules({ selectors, json, run }: RulesOptions): number {
  const all = ruleRows(run === undefined ? new Map() : verdictsIn(run));
  const unknown = selectors.find((selector) => !all.some((row) => names(row, selector)));
  if (unknown !== undefined)
    throw new UsageError(`there is no page or rule "${unknown}"`, '`verbspec rules` lists all');
  const rows = all.filter((row) => selectors.length === 0 || selectors.some((selector) => names(row, selector)));
  process.stdout.write(json ? `${JSON.stringify(rows, undefined, 2)}\n` : `${tableOf(rows)}\n`);
  return 0;
}

function names({ id, page }: RuleRow, selector: string): boolean {
  return selector === id || selector === page;
}

function ruleRows(verdicts: ReadonlyMap<string, RuleVerdict>): RuleRow[] {
  const rules = featureRules();
  return [...loadClauses().values()].map((clause) => {
    const shown = rules.filter(({ ids }) => ids.includes(clause.id));
    const scenarios = shown.reduce((sum, rule) => sum + rule.scenarios.length, 0);
    const uri = shown[0]?.uri;
    const verdict = verdicts.get(clause.id);
    return { ...clause, scenarios, ...(uri !== undefined && { uri }), ...(verdict !== undefined && { verdict }) };
  });
}

function verdictsIn(folder: string): ReadonlyMap<string, RuleVerdict> {
  const path = join(folder, 'verdicts.json');
  if (!existsSync(path)) throw new UsageError(`${folder} holds no verdicts.json`, 'name the folder of a run');
  return new Map(parseVerdicts(readFileSync(path, 'utf8'), path).rules.map(({ id, verdict }) => [id, verdict]));
}

/** Characters of a statement before it wraps. */
const statementWidth = 60;

function tableOf(rows: readonly RuleRow[]): string {
  const withVerdicts = rows.some(({ verdict }) => verdict !== undefined);
  const table = new Table({
    head: ['rule', 'level', 'scenarios', ...(withVerdicts ? ['verdict'] : []), 'statement'],
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
    style: { head: [], border: [] },
    wordWrap: true,
    colWidths: [null, null, null, ...(withVerdicts ? [null] : []), statementWidth],
  });
  for (const { id, level, scenarios, verdict = 'untested', statement } of rows) {
    table.push([id, level, scenarios, ...(withVerdicts ? [verdict] : []), statement]);
  }
  return table.toString();
}
