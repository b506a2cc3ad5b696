import { join } from 'node:path';
import { Eta } from 'eta';
import { plainText } from '../../catalog/plain-text';
import { effectNote } from '../evidence/effect-note';
import { pageFiles } from '../page-style/page-files';
import { cellLetters, cellVerdictOf, cellVerdicts } from './cell-verdicts';
import type { EvidenceLinks } from './evidence-links';
import { manyColumns } from './fold-columns';
import { htmlRow } from './html-rows';
import { byPage, differenceInWords, differingRows, type Matrix } from './matrix';

const { template, base, style, script } = pageFiles(join(__dirname, 'page'), 'matrix');

/** So many addresses of recorded calls stand in a line; more are folded away. */
const tracesMax = 4;
/** Names in the title of the page. */
const namedMax = 8;

/**
 * Rules by runs as one page that needs nothing beside itself: every cell leads to what was expected and observed, and on
 * to the recorded calls and the Allure report of the run. What comes from devices and logs is escaped.
 */
export function matrixHtml(matrix: Matrix, links: readonly EvidenceLinks[]): string {
  const { columns, groups, rows, warnings, hasReference } = matrix;
  const differences = differingRows(matrix).map((row) => htmlRow(row, matrix, links));
  const alike = rows.filter(({ differs }) => !differs).map((row) => htmlRow(row, matrix, links));
  return new Eta({ autoEscape: true, autoFilter: true, filterFunction: toText }).renderString(template, {
    style: `${base}${style}`,
    script,
    title: columns.length > namedMax ? `${columns.length} runs` : columns.map(({ name }) => name).join(', '),
    heading: differenceInWords(matrix),
    columns: columns.map((column, index) => ({ ...column, report: links[index]?.report })),
    groups: groups.map(({ name, names, members: [first] }) => ({ name, names, run: first + 1 })),
    folded: groups.filter(({ members }) => members.length > 1),
    isNarrow: groups.length >= manyColumns,
    hasReference,
    warnings,
    used: cellVerdicts.filter((verdict) => columns.some(({ totals }) => totals[verdict] > 0)),
    pages: [...new Set(rows.map(({ page }) => page))],
    differences,
    alike: byPage(alike),
    evidence: [...differences, ...alike],
    letters: cellLetters,
    cellVerdictOf,
    effectNote,
    tracesMax,
    noted: columns.some(({ effectsNotShown }) => effectsNotShown > 0),
  });
}

/** What eta is given before it escapes: no control characters reach a page. */
function toText(value: unknown): string {
  return plainText(typeof value === 'number' ? `${value}` : (value as string));
}
