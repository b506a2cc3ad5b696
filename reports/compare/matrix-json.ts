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
    runs: columns.map(({ name, totals, verdicts: { suite, driver, dut, startedAt } }) => {
      return { name, suite, driver, dut, startedAt, totals };
    }),
    rules: rows.map(({ id, page, section, title, differs, cells }) => ({
      id,
      page,
      section,
      title,
      differs,
      cells: cells.map((cell) => {
        const { reason, scenarios = [] } = cell ?? {};
        return { verdict: cellVerdictOf(cell), ...(reason !== undefined && { reason }), scenarios };
      }),
    })),
  };
  assertMatrix(data, 'the matrix');
  return `${printableJson(data, 2)}\n`;
}
