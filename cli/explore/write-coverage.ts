import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cellOf } from '../../drivers/explore/coverage/cell';
import { cellsIn, type CellList } from '../../drivers/explore/coverage/cell-list';
import { coverageJson, totalsInWords, type CellCoverage, type CoveredCell } from '../../reports/cell-coverage/coverage';
import { coverageHtml } from '../../reports/cell-coverage/coverage-html';
import { edgesInWords, type EdgeCoverage } from '../../reports/cell-coverage/edges';
import { root, suiteVersion } from '../common/project';
import { writeTo } from '../out/write-file';
import type { Session } from './session';

/**
 * Writes which cells a session has reached, beside its findings.
 *
 * @param edges - who has reached what of the kernel module, where that is known
 * @returns how many these are, in words
 */
export function writeCoverage(session: Session, edges: EdgeCoverage | undefined, folder: string): string {
  const { driver, seed } = session.options;
  const { hcaId, provider } = session.explorer.dut;
  const coverage: CellCoverage = {
    suite: suiteVersion(),
    driver,
    device: `${hcaId} of ${provider}`,
    seed,
    programs: session.sound,
    cells: coveredCells(session.cells),
    ...(edges && { edges }),
  };
  writeTo(join(folder, 'coverage.json'), coverageJson(coverage));
  writeTo(join(folder, 'coverage.html'), coverageHtml(coverage));
  const words = [totalsInWords(coverage.cells), ...(edges === undefined ? [] : [edgesInWords(edges)])];
  return words.join('\n');
}

function coveredCells(reached: ReadonlySet<string>): CoveredCell[] {
  const text = readFileSync(join(root, 'drivers', 'explore', 'coverage', 'reachable.json'), 'utf8');
  const listed = cellsIn(JSON.parse(text) as CellList);
  return [...new Set([...listed.keys(), ...reached])].map((key) => ({
    ...cellOf(key),
    byExplore: reached.has(key),
    byScenarios: listed.get(key) === 'scenarios',
    isListed: listed.has(key),
  }));
}
