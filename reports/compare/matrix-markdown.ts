import { markdownText } from '../evidence/markdown-text';
import { effectNote } from '../evidence/effect-note';
import type { EvidenceLinks } from './evidence-links';
import {
  byPage,
  cellVerdicts,
  differingRows,
  cellVerdictOf,
  cellWords,
  type CellVerdict,
  type Matrix,
  type MatrixRow,
} from './matrix';

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
    `## ${differences.length} of ${matrix.rows.length} rules differ`,
    ...matrix.warnings.map((warning) => `> ⚠️ ${markdownText(warning)}`),
    ...(differences.length > 0 ? [table(matrix, differences), ...differences.map((row) => details(matrix, row))] : []),
    runs(matrix, links),
    ...alike.map(([page, rows]) => fold(`${page}(3): ${rows.length} rules alike`, table(matrix, rows))),
  ];
  return `${parts.join('\n\n')}\n`;
}

function table({ columns }: Matrix, rows: readonly MatrixRow[]): string {
  const head = ['rule', ...columns.map(({ name }) => markdownText(name))];
  const lines = rows.map(({ id, title, cells }) => [
    `\`${id}\`<br>${markdownText(title)}`,
    ...cells.map((cell) => `${marks[cellVerdictOf(cell)]} ${cellWords(cell)}`),
  ]);
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** What each run observed, for the rules in which they differ. */
function details({ columns }: Matrix, { id, cells }: MatrixRow): string {
  const lines = cells.map((cell, index) => {
    const reason = cell?.reason === undefined ? '' : `: ${markdownText(cell.reason)}`;
    return `- ${markdownText(columns[index]?.name ?? '')} ${cellVerdictOf(cell)}${reason}`;
  });
  return fold(id, lines.join('\n'));
}

function fold(summary: string, text: string): string {
  return `<details><summary>${markdownText(summary)}</summary>\n\n${text}\n\n</details>`;
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
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
