import { edgeTotals, neverReached, type CoveredFunction, type EdgeCoverage, type EdgeTotals } from './edges';

/** A function of which not all was reached. */
interface FunctionView {
  readonly file: string;
  readonly name: string;
  readonly edges: number;
  readonly missed: number;
  /** Those that nobody has reached: `12, 17`. */
  readonly lines: string;
}

/** What the page shows of the edges of a kernel module. */
export interface EdgesView {
  readonly module: string;
  readonly moduleFile: string;
  /** Scenarios that ran; `undefined` where the page shows nothing of them. */
  readonly scenarios: number | undefined;
  readonly totals: EdgeTotals;
  readonly files: readonly { readonly file: string; readonly totals: EdgeTotals }[];
  /** Functions that nobody has entered, by file. */
  readonly never: readonly { readonly file: string; readonly functions: readonly FunctionView[] }[];
  readonly neverCount: number;
  /** Functions that somebody has entered, and that have edges which nobody has reached; the most of them first. */
  readonly partly: readonly FunctionView[];
}

export function edgesView({ module, scenarios, functions }: EdgeCoverage): EdgesView {
  const never = neverReached(functions);
  const partly = functions.filter((one) => !never.includes(one)).map(functionView);
  return {
    module: module.name,
    moduleFile: `${module.file}, sha256 ${module.sha256.slice(0, 10)}`,
    scenarios,
    totals: edgeTotals(functions),
    files: byFile(functions).map(([file, those]) => ({ file, totals: edgeTotals(those) })),
    never: byFile(never).map(([file, those]) => ({ file, functions: those.map(functionView) })),
    neverCount: never.length,
    partly: partly.filter(({ missed }) => missed > 0).sort((a, b) => b.missed - a.missed),
  };
}

function byFile(functions: readonly CoveredFunction[]): readonly (readonly [string, readonly CoveredFunction[]])[] {
  const files = [...new Set(functions.map(({ file }) => file))];
  return files.map((file) => [file, functions.filter((one) => one.file === file)] as const);
}

function functionView({ file, name, edges }: CoveredFunction): FunctionView {
  const missed = edges.filter(({ byExplore, byScenarios }) => !byExplore && !byScenarios);
  return { file, name, edges: edges.length, missed: missed.length, lines: linesOf(missed.map(({ line }) => line)) };
}

function linesOf(numbers: readonly number[]): string {
  return [...new Set(numbers)].sort((a, b) => a - b).join(', ');
}
