import { markdownText } from '../evidence/markdown-text';
import { effectNote } from '../evidence/effect-note';
import type { EvidenceLinks } from './evidence-links';
import { cellVerdicts, cellVerdictOf, cellWords, type CellVerdict } from './cell-verdicts';
import { manyColumns, type ColumnGroup } from './fold-columns';
import { byPage, differenceInWords, differingRows, isAsReference, type Matrix, type MatrixRow } from './matrix';
import { nameRanges } from './name-ranges';
import { notesOn } from './row-words';

/** Marks that are seen before they are read. */
const marks: Readonly<Record<CellVerdict, string>> = {
  conforms: '✅',
  violates: '❌',
  blocked: '🚧',
  broken: '⚠️',
  deviates: '🔶',
  'not-applicable': '➖',
  untested: '·',
  absent: '∅',
};

/** Rules by runs as Markdown: differences first, what is alike folded away by page. */
export function matrixMarkdown(matrix: Matrix, links: readonly EvidenceLinks[]): string {
  const differences = differingRows(matrix);
  const alike = byPage(matrix.rows.filter(({ differs }) => !differs));
  const parts = [
    `## ${markdownText(differenceInWords(matrix))}`,
    ...matrix.warnings.map((warning) => `> ⚠️ ${markdownText(warning)}`),
    ...(differences.length > 0 ? [table(matrix, differences), ...differences.map((row) => details(matrix, row))] : []),
    ...legend(matrix),
    runs(matrix, links),
    ...alike.map(([page, rows]) => fold(`${page}(3): ${rows.length} rules alike`, alikeTable(rows))),
  ];
  return `${parts.join('\n\n')}\n`;
}

function table(matrix: Matrix, rows: readonly MatrixRow[]): string {
  const { groups } = matrix;
  const hasWords = groups.length < manyColumns;
  const head = ['rule', ...groups.map(({ name }) => markdownText(name))];
  const lines = rows.map((row) => [
    [`\`${row.id}\``, ...[row.title, ...notesOn(row, matrix.columns.length)].map(markdownText)].join('<br>'),
    ...groups.map((group) => cellText(matrix, row, group, hasWords)),
  ]);
  return asTable(head, lines);
}

/** Rules of which all runs say the same. */
function alikeTable(rows: readonly MatrixRow[]): string {
  const head = ['rule', 'all runs'];
  const lines = rows.map(({ id, title, cells: [cell] }) => [
    `\`${id}\`<br>${markdownText(title)}`,
    `${marks[cellVerdictOf(cell)]} ${cellWords(cell)}`,
  ]);
  return asTable(head, lines);
}

function asTable(head: readonly string[], lines: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function cellText(matrix: Matrix, row: MatrixRow, { members: [index] }: ColumnGroup, hasWords: boolean): string {
  const cell = row.cells[index];
  if (isAsReference(matrix, row, index)) return '=';
  return hasWords ? `${marks[cellVerdictOf(cell)]} ${cellWords(cell)}` : marks[cellVerdictOf(cell)];
}

/** What each run observed, for the rules in which they differ. */
function details({ columns, groups }: Matrix, { id, cells }: MatrixRow): string {
  const lines = groups.flatMap(({ members }) => {
    const said = new Map<string, number[]>();
    for (const index of members) {
      const cell = cells[index];
      const reason = cell?.reason === undefined ? '' : `: ${markdownText(cell.reason)}`;
      const text = `${cellVerdictOf(cell)}${reason}`;
      said.set(text, [...(said.get(text) ?? []), index]);
    }
    return [...said].map(([text, own]) => {
      const names = nameRanges(own.map((index) => columns[index]?.name ?? ''));
      return `- ${markdownText(names)} ${text}`;
    });
  });
  return fold(id, lines.join('\n'));
}

function fold(summary: string, text: string): string {
  return `<details><summary>${markdownText(summary)}</summary>\n\n${text}\n\n</details>`;
}

/** What stands for what, where there is no room for it in the table. */
function legend({ columns, groups }: Matrix): string[] {
  const used = cellVerdicts.filter((verdict) => columns.some(({ totals }) => totals[verdict] > 0));
  const folded = groups.filter(({ members }) => members.length > 1);
  return [
    ...(groups.length < manyColumns ? [] : [used.map((verdict) => `${marks[verdict]} ${verdict}`).join(', ')]),
    ...(folded.length === 0
      ? []
      : [folded.map(({ name, names }) => `- ${markdownText(name)}: ${markdownText(names)}`).join('\n')]),
  ];
}

/** Totals of each run, and where its report is. */
function runs({ columns }: Matrix, links: readonly EvidenceLinks[]): string {
  const used = cellVerdicts.filter((verdict) => columns.some(({ totals }) => totals[verdict] > 0));
  const noted = columns.some(({ effectsNotShown }) => effectsNotShown > 0);
  const head = ['run', ...used, ...(noted ? [`conforms: ${effectNote}`] : []), 'device'];
  const lines = columns.map(({ name, totals, facts, effectsNotShown }, index) => {
    const report = links[index]?.report;
    const told = report === undefined ? markdownText(name) : `[${markdownText(name)}](${report})`;
    const counts = [...used.map((verdict) => totals[verdict]), ...(noted ? [effectsNotShown] : [])];
    return [told, ...counts.map(String), markdownText(facts.join(', '))];
  });
  return asTable(head, lines);
}
