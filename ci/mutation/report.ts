import { readFileSync } from 'node:fs';

/** What became of a mutant: https://stryker-mutator.io/docs/mutation-testing-elements/mutant-states-and-metrics */
type Status =
  'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'RuntimeError' | 'CompileError' | 'Ignored' | 'Pending';

interface Position {
  readonly line: number;
  readonly column: number;
}

/** The part of Stryker's report that counts here; lines and columns begin at 1. */
export interface MutationReport {
  readonly files: Readonly<
    Record<
      string,
      {
        readonly source: string;
        readonly mutants: readonly {
          readonly mutatorName: string;
          readonly replacement?: string;
          readonly status: Status;
          readonly location: { readonly start: Position; readonly end: Position };
        }[];
      }
    >
  >;
}

/** A small change of the simulator, named by what stands in the source and not by a line number, which moves. */
export interface Mutant {
  readonly file: string;
  /** The line that it begins in. */
  readonly line: string;
  readonly code: string;
  readonly replacement: string;
}

/** A mutant that no scenario noticed, and where it begins now. */
export interface Survivor extends Mutant {
  readonly lineNumber: number;
}

/** What the features did about the mutants of a file. Those that the program cannot run with are no mutants. */
export interface MutatedFile {
  readonly file: string;
  readonly killed: number;
  readonly survivors: readonly Survivor[];
}

/** @param path - what Stryker's JSON reporter has written */
export function readReport(path: string): MutatedFile[] {
  return mutatedFiles(JSON.parse(readFileSync(path, 'utf8')) as MutationReport);
}

export function mutatedFiles({ files }: MutationReport): MutatedFile[] {
  return Object.entries(files).map(([file, { source, mutants }]) => ({
    file,
    killed: mutants.filter(({ status }) => status === 'Killed' || status === 'Timeout').length,
    survivors: mutants
      .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
      .map(({ location: { start, end }, replacement = '' }) => ({
        file,
        line: (source.split('\n')[start.line - 1] ?? '').trim(),
        code: oneLine(textBetween(source, start, end)),
        replacement: oneLine(replacement),
        lineNumber: start.line,
      })),
  }));
}

function textBetween(source: string, start: Position, end: Position): string {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  return lines
    .map((line, index) => line.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined))
    .join('\n');
}

function oneLine(code: string): string {
  return code.replace(/\s+/g, ' ').trim();
}
