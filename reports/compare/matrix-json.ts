import { printableJson } from '../../catalog/plain-text';
import { schemaAssertion, type SchemaAssertion } from '../../catalog/schema';
import { cellVerdictOf, type Matrix } from './matrix';
import schema from './matrix.schema.json';

const assertMatrix: SchemaAssertion<object> = schemaAssertion<object>(schema);

/** Rules by runs for programs; the members are explained in matrix.schema.json. */
export function matrixJson({ columns, rows, warnings }: Matrix): string {
  const data = {
    schemaVersion: 1,
    warnings,
    runs: columns.map(({ name, totals, effectsNotShown, verdicts: { suite, driver, dut, startedAt } }) => {
      return { name, suite, driver, dut, startedAt, totals, ...(effectsNotShown > 0 && { effectsNotShown }) };
    }),
    rules: rows.map(({ id, page, section, title, differs, cells }) => ({
      id,
      page,
      section,
      title,
      differs,
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
