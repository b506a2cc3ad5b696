import { oneLine } from '../../catalog/plain-text';
import { callText, type Scope } from '../../drivers/contract';
import type { RecordedCall, RecordedTrace } from './recorded-trace';
import { wrap } from './wrap';

/** How a trace is laid out. */
export interface TraceLayout {
  /** How many of the last calls are shown. */
  readonly lastMax?: number;
  /** Width of a line, in characters; a longer call goes on below itself. */
  readonly columns?: number;
}

/** A line of the table; a heading has no times. */
interface Row {
  readonly times?: readonly [start: string, took: string];
  readonly text: string;
  /** Put before the text. */
  readonly indent: string;
}

/**
 * The calls as lines of a table, below the steps that made them: start in milliseconds after the first call, duration in
 * microseconds, the call.
 */
export function renderTrace(
  trace: RecordedTrace,
  { lastMax = Infinity, columns = Infinity }: TraceLayout = {},
): string[] {
  const { calls } = trace;
  const first = Math.max(0, calls.length - lastMax);
  if (calls.length === 0) return [];
  const rows: Row[] = [
    { times: ['start ms', 'took µs'], text: 'call', indent: '' },
    ...calls.slice(first).flatMap((_, index) => rowsOf(trace, first + index, index === 0)),
  ];
  const widths = [0, 1].map((column) => Math.max(...rows.map(({ times }) => times?.[column]?.length ?? 0)));
  return rows.flatMap((row) => linesOf(row, widths, columns));
}

/** One call in a notation like that of strace(1), in one line or several: `ibv_poll_cq(recv_cq, 1, wc) = 0`. */
export function renderCall(call: RecordedCall, scope: Scope): string[] {
  const { call: head, below } = callText(call, scope);
  return [oneLine(head), ...below.map((line) => `  ${oneLine(line)}`)];
}

function rowsOf({ calls, scope, steps }: RecordedTrace, index: number, isFirst: boolean): Row[] {
  const call = calls[index];
  if (call === undefined) return [];
  const step = steps[index];
  const isNew = step !== undefined && (isFirst || steps[index - 1] !== step);
  const [head = '', ...below] = renderCall(call, scope);
  return [
    ...(isNew ? [{ text: oneLine(step), indent: '' }] : []),
    { times: timesOf(call, calls[0]?.startedAt ?? 0), text: head, indent: '' },
    ...below.map((line): Row => ({ times: ['', ''], text: line.trimStart(), indent: '  ' })),
  ];
}

function timesOf({ startedAt, durationUs, returned }: RecordedCall, zero: number): [string, string] {
  return [((startedAt - zero) / 1000).toFixed(3), returned === undefined ? '-' : String(Math.round(durationUs))];
}

function linesOf({ times, text, indent }: Row, widths: readonly number[], columns: number): string[] {
  if (times === undefined) return wrap(text, columns, '', '  ');
  const head = `${times.map((time, column) => time.padStart(widths[column] ?? 0)).join('  ')}  `;
  const margin = ' '.repeat(head.length) + indent;
  const [first = '', ...others] = wrap(withGlue(text), columns, margin, `${margin}  `).map(withoutGlue);
  return [head + first.slice(head.length), ...others];
}

const glue = '\u00a0';

/** A member stays with its value, and a brace with what is next to it. */
const withGlue = (text: string): string =>
  text.replace(/(?<= \.\w+) = (?=\S)|(?<=\{) | (?=\})/g, (blanks) => blanks.replaceAll(' ', glue));
const withoutGlue = (text: string): string => text.replaceAll(glue, ' ');
