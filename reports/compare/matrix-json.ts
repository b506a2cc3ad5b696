import { printableJson } from '../../catalog/plain-text';
import { schemaAssertion, type SchemaAssertion } from '../../catalog/schema';
import { cellVerdictOf } from './cell-verdicts';
import type { Matrix } from './matrix';
import schema from './matrix.schema.json';

const assertMatrix: SchemaAssertion<object> = schemaAssertion<object>(schema);

/** Rules by runs for programs; the members are explained in matrix.schema.json. */
export function matrixJson({ columns, groups, rows, warnings }: Matrix): string {
  const data = {
    schemaVersion: 1,
    warnings,
    runs: columns.map(({ name, totals, effectsNotShown, verdicts: { label, suite, driver, dut, startedAt } }) => {
      const own = { name, ...(label !== undefined && { label }), suite, driver, dut, startedAt, totals };
      return { ...own, ...(effectsNotShown > 0 && { effectsNotShown }) };
    }),
    columns: groups.map(({ name, members }) => ({ name, runs: members })),
    rules: rows.map(({ id, page, section, title, differs, counts, why, cells }) => ({
      id,
      page,
      section,
      title,
      differs,
      totals: counts,
      ...(why !== undefined && { why }),
      cells: cells.map((cell) => {
        const { reason, effectNotShown, scenarios = [] } = cell ?? {};
        const note = effectNotShown && { effectNotShown };
        return { verdict: cellVerdictOf(cell), ...(reason !== undefined && { reason }), ...note, scenarios };
      }),
    })),
  };
  assertMatrix(data, 'the matrix');
  return `${printableJson(data, 2)}\n`;
}
