import type { Attachment } from '@cucumber/messages';
import { mediaTypes, type Scope, type StoredCall, type TraceLegend } from '../../drivers/contract';
import { textOf } from '../recording/attachment-text';
import type { RecordedAttempt } from '../recording/recorded-run';

/** A call record as it was stored with the run. */
export interface RecordedCall extends StoredCall {
  /** Microseconds on the DUT's monotonic clock. */
  readonly startedAt: number;
  readonly durationUs: number;
}

/** The calls of a scenario, and what is known of them. */
export interface RecordedTrace {
  readonly calls: readonly RecordedCall[];
  /** What is known of the objects. */
  readonly scope: Scope;
  /** The step that made each call, in the order of the calls; none where nobody has noted it. */
  readonly steps: readonly (string | undefined)[];
}

/** Media types of traces. */
export type TraceType = typeof mediaTypes.trace | typeof mediaTypes.cleanUpTrace;

/** The trace of an attempt; without a call if it has none, or one that cannot be read. */
export function traceOf(attempt: RecordedAttempt | undefined, type: TraceType = mediaTypes.trace): RecordedTrace {
  const { attachments = [], steps = [] } = attempt ?? {};
  const legend = legendIn(attachments);
  const of = (mediaType: TraceType): RecordedCall[] =>
    attachments.filter((one) => one.mediaType === mediaType).flatMap((one) => parseTrace(textOf(one)) ?? []);
  const scope = { nameOf: namesOf(legend.names), qpTypeOf: qpTypesIn(of(mediaTypes.trace)) };
  const calls = of(type);
  if (type !== mediaTypes.trace) return { calls, scope, steps: [] };
  const titles = steps.filter(({ kind }) => kind === 'given' || kind === 'step').map(({ title }) => title);
  return { calls, scope, steps: calls.map((_, index) => titles[stepOf(index, legend.steps)]) };
}

/** Reads a stored trace, or `undefined` if the text is none. */
export function parseTrace(text: string): RecordedCall[] | undefined {
  const value = parsed(text);
  return Array.isArray(value) && value.every(isCall) ? value : undefined;
}

/** The names of the objects of an attempt, and where in its trace each step began; `undefined` if it has none. */
export function legendOf({ attachments }: RecordedAttempt): TraceLegend | undefined {
  const legend = legendIn(attachments);
  return legend.steps.length === 0 ? undefined : legend;
}

/** The number of the step that made a call: the last that had begun by then. */
export function stepOf(call: number, steps: TraceLegend['steps']): number {
  return steps.findLastIndex((begin) => begin <= call);
}

/** Objects of two kinds may share a name; they are then told apart by their kinds. */
function namesOf(names: TraceLegend['names']): Scope['nameOf'] {
  const kindsOf = new Map<string, Set<string>>();
  for (const [handle, name] of Object.entries(names))
    kindsOf.set(name, (kindsOf.get(name) ?? new Set<string>()).add(kindOf(handle)));
  return (handle) => {
    const name = Object.hasOwn(names, handle) ? names[handle] : undefined;
    if (name === undefined) return handle;
    const isShared = (kindsOf.get(name)?.size ?? 0) > 1;
    return `${name}${isShared ? `_${kindOf(handle)}` : ''}`.replace(/\W+/g, '_');
  };
}

const kindOf = (handle: string): string => handle.replace(/#.*$/, '');

/** The types of the QPs that a trace creates, by their numbers. */
function qpTypesIn(calls: readonly RecordedCall[]): Scope['qpTypeOf'] {
  const types = new Map<number, string>();
  for (const { verb, args, outputs } of calls) {
    const { qpType } = (args.qpInitAttr ?? {}) as { readonly qpType?: unknown };
    if (verb === 'ibv_create_qp' && typeof outputs.qpNum === 'number' && typeof qpType === 'string')
      types.set(outputs.qpNum, qpType);
  }
  return (qpNum) => types.get(qpNum);
}

/** Runs that were recorded before there were legends have none. */
function legendIn(attachments: readonly Attachment[]): TraceLegend {
  const attached = attachments.find(({ mediaType }) => mediaType === mediaTypes.traceLegend);
  const value = attached && parsed(textOf(attached));
  return isLegend(value) ? value : { names: {}, steps: [] };
}

function isLegend(value: unknown): value is TraceLegend {
  if (!isObject(value)) return false;
  const { names, steps } = value as Partial<Record<keyof TraceLegend, unknown>>;
  return isObject(names) && Object.values(names).every((name) => typeof name === 'string') && isListOfNumbers(steps);
}

const isListOfNumbers = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'number');

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function isCall(value: unknown): value is RecordedCall {
  if (!isObject(value)) return false;
  const call = value as Partial<Record<keyof RecordedCall, unknown>>;
  return (
    typeof call.verb === 'string' &&
    isObject(call.args) &&
    isObject(call.outputs) &&
    typeof call.startedAt === 'number' &&
    typeof call.durationUs === 'number'
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
