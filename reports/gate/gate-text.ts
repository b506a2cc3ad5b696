import { createColors } from 'picocolors';
import { oneLine } from '../../catalog/plain-text';
import { causesPart } from '../diagnosis/causes-text';
import { wrap } from '../evidence/wrap';
import { countsOf, isBroken, isFailing, kindInWords, type Change, type ScenarioChange } from './changes';
import type { GateResult } from './judge-gate';

/** How the text is laid out. */
export interface GateTextOptions {
  readonly color: boolean;
  /** Width of the terminal, in characters. */
  readonly columns: number;
  /** What the user calls the baseline. */
  readonly baseline: string;
  /** The command that takes the run for the new baseline, if it can be one. */
  readonly updateCommand: string | undefined;
}

type Layout = GateTextOptions & { readonly colors: ReturnType<typeof createColors> };

/** Changes of a kind that are listed one by one, and those that are listed with their scenarios. */
const toldMax = 100;
const inFullMax = 20;
/** More changes than these are not accepted unread. */
const acceptedMax = 10;

/** How a run stands against a baseline, for a terminal: what fails comes first, the result last. */
export function renderGate(result: GateResult, options: GateTextOptions): string {
  const layout = { ...options, colors: createColors(options.color) };
  const kinds = [...new Set(result.changes.map(({ kind }) => kind))];
  const changes = kinds.flatMap((kind) => {
    const own = result.changes.filter((change) => change.kind === kind);
    const more = own.length - toldMax;
    const lines = own.slice(0, toldMax).flatMap((change, index) => changeLines(change, layout, index < inFullMax));
    return more > 0 ? [...lines, `… and ${more} more: ${kindInWords(kind, more)}`] : lines;
  });
  const notes = result.notes.flatMap((note) => wrap(`note: ${oneLine(note)}`, layout.columns, '', '  '));
  const parts = [changes, notes, causesPart(result.causes, layout), conclusion(result, layout)].filter(
    (lines) => lines.length > 0,
  );
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function changeLines(change: Change, layout: Layout, inFull: boolean): string[] {
  const { kind, subject, title, what, detail, elsewhere, scenarios } = change;
  const [first = '', ...others] = wrap(oneLine(`${kindInWords(kind)}: ${subject} ${what}`), layout.columns, '', '    ');
  const mark = `${kindInWords(kind)}:`;
  return [
    paint(change, mark, layout) + first.slice(mark.length),
    ...others,
    ...(title === undefined ? [] : wrap(oneLine(title), layout.columns, '  ').map((line) => layout.colors.dim(line))),
    ...(detail === undefined ? [] : wrap(oneLine(detail), layout.columns, '  ')),
    ...(elsewhere === undefined ? [] : wrap(oneLine(elsewhere), layout.columns, '  ')),
    ...(inFull ? scenarios : []).flatMap((scenario) => scenarioLines(scenario, layout)),
  ];
}

function scenarioLines({ name, uri, line, what, detail }: ScenarioChange, { columns, colors }: Layout): string[] {
  return [
    ...wrap(oneLine(`"${name}": ${what}`), columns, '  ', '    '),
    ...wrap(`${oneLine(uri)}:${line}`, columns, '    ').map((text) => colors.dim(text)),
    ...(detail === undefined ? [] : wrap(oneLine(detail), columns, '    ')),
  ];
}

function paint(change: Change, text: string, { colors }: Layout): string {
  if (isFailing(change)) return colors.red(text);
  if (isBroken(change)) return colors.yellow(text);
  return change.kind === 'new' ? colors.cyan(text) : colors.green(text);
}

/** The result in one line, and how a baseline that is out of date is fixed. */
function conclusion(result: GateResult, { columns, colors, baseline, updateCommand }: Layout): string[] {
  const line = wrap(oneLine(`gate ${gateVerdictOf(result)}: ${resultInWords(result, baseline)}`), columns, '', '  ');
  const color = { 0: colors.green, 1: colors.red, 3: colors.yellow }[result.exitCode];
  const isStale =
    updateCommand !== undefined &&
    result.changes.length <= acceptedMax &&
    result.changes.some(({ kind }) => kind !== 'flaky') &&
    !result.changes.some(isBroken);
  const update = isStale ? [`If this is as it should be: ${oneLine(updateCommand)}`] : [];
  return [...line.map((text) => colors.bold(color(text))), ...update];
}

/** `passed`, `failed`, or `broken` if it cannot say. */
export function gateVerdictOf({ exitCode }: GateResult): 'passed' | 'failed' | 'broken' {
  return exitCode === 0 ? 'passed' : exitCode === 1 ? 'failed' : 'broken';
}

/** What the gate found, in one line. */
export function resultInWords({ changes, unchanged, rules, runs }: GateResult, baseline: string): string {
  const inRuns = runs === 1 ? '' : ` in ${runs} runs`;
  const found = countsOf(changes);
  const same = `${unchanged} of ${rules} rules are as in ${baseline}${inRuns}`;
  return [...found, same].join(', ');
}
