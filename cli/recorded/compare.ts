import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { UsageError } from '../../drivers/contract';
import { asAddress, type EvidenceLinks } from '../../reports/compare/evidence-links';
import type { CompareFormat } from '../../reports/compare/formats';
import { inColumnOrder, type ColumnFact } from '../../reports/compare/run-order';
import { runNames } from '../../reports/evidence/run-names';
import { matrixOf, type Matrix } from '../../reports/compare/matrix';
import { matrixHtml } from '../../reports/compare/matrix-html';
import { matrixJson } from '../../reports/compare/matrix-json';
import { matrixMarkdown } from '../../reports/compare/matrix-markdown';
import { renderMatrix } from '../../reports/compare/matrix-text';
import { oneLine } from '../../catalog/plain-text';
import { hasColors } from '../common/colors';
import type { Verdicts } from '../../reports/judge/verdicts';
import { readRuns, type RecordedRunFiles } from '../inputs/recorded-runs';
import { writeTo } from '../out/write-file';

/** Names that an error lists. */
const namesMax = 10;

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
  /** The run that the others are compared with: its name, its label or its folder. */
  readonly against?: string;
  /** What columns are grouped by. */
  readonly by?: ColumnFact;
}

/**
 * Puts recorded runs side by side.
 *
 * @returns the exit code
 */
export function compare(command: CompareCommand): number {
  const { by, against } = command;
  const ordered = inColumnOrder(readRuns(command.runs), by);
  if (!command.anySuite) refuseOtherSuite(ordered);
  const runs = against === undefined ? ordered : withReferenceFirst(ordered, against);
  const options = { folders: foldersOf(runs), by, hasReference: against !== undefined };
  const text = rendered(matrixOf(verdictsOf(runs), options), runs, command);
  if (command.out === undefined) process.stdout.write(text);
  else writeTo(command.out, text);
  return 0;
}

function foldersOf(runs: readonly RecordedRunFiles[]): string[] {
  return runs.map(({ folder }) => folder);
}

function verdictsOf(runs: readonly RecordedRunFiles[]): Verdicts[] {
  return runs.map(({ verdicts }) => verdicts);
}

/** @throws UsageError if no run is called so */
function withReferenceFirst(runs: readonly RecordedRunFiles[], against: string): RecordedRunFiles[] {
  const names = runNames(verdictsOf(runs), foldersOf(runs));
  const callsItself = ({ folder, verdicts }: RecordedRunFiles, index: number): boolean =>
    [names[index], verdicts.label, basename(resolve(folder))].includes(against) || resolve(folder) === resolve(against);
  const reference = runs.find(callsItself);
  if (reference !== undefined) return [reference, ...runs.filter((run) => run !== reference)];
  const known = oneLine(names.slice(0, namesMax).join(', '));
  throw new UsageError(`no run is called ${oneLine(against)}`, `--against takes ${known}, or the folder of a run`);
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
