import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cellOf } from '../../drivers/explore/coverage/cell';
import { cellsIn, type CellList } from '../../drivers/explore/coverage/cell-list';
import { isWithin } from '../../drivers/explore/coverage/needs';
import type { Capability } from '../../drivers/contract';
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
  const { hcaId, provider, capabilities } = session.explorer.dut;
  const coverage: CellCoverage = {
    suite: suiteVersion(),
    driver,
    device: `${hcaId} of ${provider}`,
    seed,
    programs: session.sound,
    cells: coveredCells(session.cells, capabilities),
    ...(edges && { edges }),
  };
  writeTo(join(folder, 'coverage.json'), coverageJson(coverage));
  writeTo(join(folder, 'coverage.html'), coverageHtml(coverage));
  const words = [totalsInWords(coverage.cells), ...(edges === undefined ? [] : [edgesInWords(edges)])];
  return words.join('\n');
}

/** Those that a device with these abilities can come to, and what else was reached. */
function coveredCells(reached: ReadonlySet<string>, capabilities: readonly Capability[]): CoveredCell[] {
  const text = readFileSync(join(root, 'drivers', 'explore', 'coverage', 'reachable.json'), 'utf8');
  const listed = cellsIn(JSON.parse(text) as CellList);
  const reachable = new Set([...listed.keys()].filter((key) => isWithin(key, capabilities)));
  return [...new Set([...reachable, ...reached])].map((key) => ({
    ...cellOf(key),
    byExplore: reached.has(key),
    byScenarios: listed.get(key) === 'scenarios',
    isListed: reachable.has(key),
  }));
}
