import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { UsageError } from '../../drivers/contract';
import { asAddress, type EvidenceLinks } from '../../reports/compare/evidence-links';
import type { CompareFormat } from '../../reports/compare/formats';
import { matrixOf, type Matrix } from '../../reports/compare/matrix';
import { matrixHtml } from '../../reports/compare/matrix-html';
import { matrixJson } from '../../reports/compare/matrix-json';
import { matrixMarkdown } from '../../reports/compare/matrix-markdown';
import { renderMatrix } from '../../reports/compare/matrix-text';
import { oneLine } from '../../catalog/plain-text';
import { hasColors } from '../common/colors';
import { readRuns, type RecordedRunFiles } from '../inputs/recorded-runs';
import { writeTo } from '../out/write-file';

/** What the user asks of `verbspec compare`. */
export interface CompareCommand {
  /** Folders of runs. */
  readonly runs: readonly string[];
  readonly format: CompareFormat;
  readonly out?: string;
  /** Also what is alike. */
  readonly all: boolean;
  /** Whatever versions of the suite they are of. */
  readonly anySuite: boolean;
}

/**
 * Puts recorded runs side by side.
 *
 * @returns the exit code
 */
export function compare(command: CompareCommand): number {
  const runs = readRuns(command.runs);
  if (!command.anySuite) refuseOtherSuite(runs);
  const text = rendered(matrixOf(runs.map(({ verdicts }) => verdicts)), runs, command);
  if (command.out === undefined) process.stdout.write(text);
  else writeTo(command.out, text);
  return 0;
}

/** Another version may have other scenarios under the same rules. */
function refuseOtherSuite([first, ...others]: readonly RecordedRunFiles[]): void {
  const version = first?.verdicts.suite.version;
  const other = others.find(({ verdicts }) => verdicts.suite.version !== version);
  if (first === undefined || other === undefined) return;
  const versions = `${version} (${first.name}) and ${other.verdicts.suite.version} (${other.name})`;
  throw new UsageError(
    `the runs are of different versions of verbspec: ${oneLine(versions)}`,
    'run both with one version, or compare them with --any-suite',
  );
}

function rendered(matrix: Matrix, runs: readonly RecordedRunFiles[], { format, out, all }: CompareCommand): string {
  const links = runs.map((run) => linksTo(run, out === undefined ? process.cwd() : dirname(resolve(out))));
  switch (format) {
    case 'terminal': {
      const color = out === undefined && hasColors(process.stdout);
      return renderMatrix(matrix, { color, columns: process.stdout.columns || 80, all });
    }
    case 'markdown':
      return matrixMarkdown(matrix, links);
    case 'json':
      return matrixJson(matrix);
    case 'html':
      return matrixHtml(matrix, links);
  }
}

/** What there is of the evidence that a run has left, as addresses from a folder. */
function linksTo({ folder }: RecordedRunFiles, from: string): EvidenceLinks {
  const addressOf = (path: string): string | undefined =>
    existsSync(path) ? asAddress(relative(from, resolve(path))) : undefined;
  const report = addressOf(join(folder, 'allure-report', 'index.html'));
  return {
    ...(report !== undefined && { report }),
    traceOf: ({ uri, line }) => {
      const trace = join(folder, 'trace', `${basename(uri, '.feature')}-${line}`);
      return addressOf(`${trace}.txt`) ?? addressOf(`${trace}.json`);
    },
  };
}
