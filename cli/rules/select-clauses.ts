import { UsageError } from '../../drivers/contract';
import { loadClauses, type Clause } from '../../catalog/clauses';

/** The clauses of pages and those that are named by their ids; all without a name. @throws UsageError for an unknown name */
export function selectClauses(selectors: readonly string[]): Clause[] {
  const all = [...loadClauses().values()];
  const names = ({ id, page }: Clause, selector: string): boolean => selector === id || selector === page;
  const unknown = selectors.find((selector) => !all.some((clause) => names(clause, selector)));
  if (unknown !== undefined) {
    throw new UsageError(`there is no page or rule "${unknown}"`, '`verbspec rules` lists all');
  }
  return all.filter((clause) => selectors.length === 0 || selectors.some((selector) => names(clause, selector)));
}
