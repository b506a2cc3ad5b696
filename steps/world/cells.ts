import type { DataTable } from '@cucumber/cucumber';
import { HarnessError } from '../../drivers/contract';

/** A row of a table by its headings; empty cells are left out. */
export type Row = Readonly<Partial<Record<string, string>>>;

/** The rows of a table, whose headings must be among those that the step knows. */
export function rowsOf(table: DataTable, headings: readonly string[]): Row[] {
  const unknown = (table.raw()[0] ?? []).filter((heading) => !headings.includes(heading));
  if (unknown.length > 0) {
    throw new HarnessError(`unknown column ${unknown.join(', ')}`, `the step knows ${headings.join(', ')}`);
  }
  return table.hashes().map((row) => Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== '')));
}

/** A number as C code has it. */
export function wordOf(cell: string): bigint {
  if (!/^(0x[0-9a-f]+|\d+)$/.test(cell))
    throw new HarnessError(`"${cell}" is not a number`, 'write it as C code has it');
  return BigInt(cell);
}

/** Flags joined as in C; 0 is none. */
export function flagsOf(cell: string): string[] {
  return cell === '0' ? [] : cell.trim().split(' | ');
}
