import Table from 'cli-table3';
import { createColors } from 'picocolors';
import { wrap } from '../../reports/evidence/wrap';
import { hasColors } from '../common/colors';
import type { RuleRow } from './rule-row';

/** Where the list goes. */
interface Terminal {
  readonly isTTY?: boolean;
  /** Width in characters. */
  readonly columns?: number;
}

/** How a table is laid out. */
interface Layout {
  readonly colors: ReturnType<typeof createColors>;
  readonly columns: number;
  readonly withVerdicts: boolean;
}

const columnsDefault = 80;
/** A narrower text is no longer read. */
const textColumnsMin = 30;
const indent = '  ';
/** Columns of level above authority, number of scenarios and verdict, with the blanks after them. */
const factColumns = { level: 10, scenarios: 5, verdict: 16 };

/**
 * The rules by page and section: level and authority, number of scenarios, a run's verdict, id and title, and the reason if
 * untested.
 */
export function renderRules(rows: readonly RuleRow[], { columns, ...stream }: Terminal): string {
  const layout: Layout = {
    colors: createColors(hasColors(stream)),
    columns: columns ?? columnsDefault,
    withVerdicts: rows.some(({ verdict }) => verdict !== undefined),
  };
  const pages = groupsOf(rows, ({ page }) => page).map(([page, own]) => {
    const sections = groupsOf(own, ({ section }) => section).map(([section, members]) =>
      [`${indent}${layout.colors.underline(section)}`, ...tableLines(members, layout)].join('\n'),
    );
    const heading = wrap(`${page}(3): ${countsOf(own)}`, layout.columns, '', indent).join('\n');
    return [heading.replace(/^[^:]+/, layout.colors.bold), ...sections].join('\n\n');
  });
  return `${pages.join('\n\n\n')}\n`;
}

function groupsOf<T>(items: readonly T[], keyOf: (item: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups];
}

function countsOf(rows: readonly RuleRow[]): string {
  const shown = rows.filter(({ scenarios }) => scenarios > 0).length;
  const reasoned = rows.filter(({ reason }) => reason !== undefined).length;
  const open = rows.length - shown - reasoned;
  const counts = [
    `${shown} with scenarios`,
    `${reasoned} with a reason`,
    ...(open > 0 ? [`${open} with neither`] : []),
  ];
  return `${rows.length} ${rows.length === 1 ? 'clause' : 'clauses'}, ${counts.join(', ')}`;
}

function tableLines(rows: readonly RuleRow[], { colors, columns, withVerdicts }: Layout): string[] {
  const { level, scenarios, verdict } = factColumns;
  const facts = [level, scenarios, ...(withVerdicts ? [verdict] : [])];
  const textColumns = columns - indent.length - facts.reduce((sum, width) => sum + width, 0);
  const table = new Table({
    chars: noBorder,
    style: { 'padding-left': 0, 'padding-right': 0 },
    wordWrap: true,
    colWidths: [...facts, Math.max(textColumnsMin, textColumns)],
  });
  for (const row of rows) {
    table.push([
      [row.level, row.authority, ...(row.ibta === undefined ? [] : [row.ibta])].join('\n'),
      row.scenarios === 0 ? '-' : `${row.scenarios}`,
      ...(withVerdicts ? [row.verdict ?? '-'] : []),
      textOf(row, colors),
    ]);
  }
  return table
    .toString()
    .split('\n')
    .map((line) => `${indent}${line}`.trimEnd());
}

function textOf({ id, title, reason }: RuleRow, colors: Layout['colors']): string {
  return [colors.bold(id), title, ...(reason === undefined ? [] : [colors.dim(`no scenario: ${reason}`)])].join('\n');
}

const noBorder = Object.fromEntries(
  [
    ...['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'],
    ...['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'],
  ].map((name) => [name, '']),
);
