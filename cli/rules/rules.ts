import type { RuleRow } from './rule-row';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../drivers/contract';
import { authorities, type Authority } from '../../catalog/authority';
import type { Clause } from '../../catalog/clauses';
import type { RuleVerdict } from '../../catalog/verdict';
import { checkRules } from '../lint/check-rules';
import { readVerdicts } from '../inputs/recorded-runs';
import { featureRules } from '../inputs/features';
import { renderRules } from './rules-table';
import { selectClauses } from './select-clauses';

/** What the user asks of `verbspec rules`. */
export interface RulesOptions {
  /** Pages or clause ids; none for all. */
  readonly selectors: readonly string[];
  readonly json: boolean;
  /** Lint instead of a list. */
  readonly check: boolean;
  /** `--authority`: what the clauses rest on; anything unless given. */
  readonly authority?: readonly Authority[];
  /** Folder of a run's results. */
  readonly run?: string;
}

/**
 * Prints every clause with the number of its scenarios, or the reason why it has none; or lints it.
 *
 * @returns the exit code
 */
export async function rules({ selectors, json, check, authority, run }: RulesOptions): Promise<number> {
  const selected = ofAuthority(selectClauses(selectors), authority);
  if (check) return checkRules({ pages: selectors.length === 0 ? [] : selected.map(({ page }) => page) });
  const rows = ruleRows(selected, run === undefined ? new Map() : verdictsIn(run));
  process.stdout.write(json ? `${JSON.stringify(rows, undefined, 2)}\n` : renderRules(rows, process.stdout));
  return 0;
}

function ofAuthority(clauses: readonly Clause[], wanted: readonly Authority[] = authorities): readonly Clause[] {
  const chosen = clauses.filter(({ authority }) => wanted.includes(authority));
  if (chosen.length > 0) return chosen;
  throw new UsageError(`no clause of these has the authority ${wanted.join(' or ')}`, '`verbspec rules` lists all');
}

function ruleRows(clauses: readonly Clause[], verdicts: ReadonlyMap<string, RuleVerdict>): RuleRow[] {
  const all = featureRules();
  return clauses.map(({ statement, untested: reason, ...clause }) => {
    const own = all.filter(({ ids }) => ids.includes(clause.id));
    const verdict = verdicts.get(clause.id);
    const [first] = own;
    return {
      ...clause,
      title: first?.title ?? statement ?? 'no Rule yet',
      ...(first && { uri: first.uri }),
      scenarios: own.reduce((sum, { scenarios }) => sum + scenarios.length, 0),
      ...(reason !== undefined && { reason }),
      ...(verdict !== undefined && { verdict }),
    };
  });
}

function verdictsIn(folder: string): ReadonlyMap<string, RuleVerdict> {
  const path = join(folder, 'verdicts.json');
  if (!existsSync(path)) throw new UsageError(`${folder} holds no verdicts.json`, 'name the folder of a run');
  return new Map(readVerdicts(path).rules.map(({ id, verdict }) => [id, verdict]));
}
