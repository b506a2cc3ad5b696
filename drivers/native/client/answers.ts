import { HarnessError, UsageError, type TraceStruct } from '../../contract';
import type { RawResult } from '../../pipeline/backend';
import { inOneLine } from '../../support/foreign-text';
import { numberOf, stringsOf, structOf } from '../../pipeline/values';
import { readDut } from './dut-answer';
import { encodeMessage, errorCodes, type DescribedDut } from '../protocol';
import type { Leftovers } from '../host/leftovers';

/** What a line of the host says. */
export type HostAnswer =
  | { readonly id: string; readonly result: unknown }
  | { readonly id: string; readonly error: RemoteError }
  /** The host could not read a line of ours. */
  | { readonly id: undefined; readonly error: RemoteError };

/** A JSON-RPC error object. */
export interface RemoteError {
  readonly code: number;
  readonly message: string;
  readonly remedy: string | undefined;
}

/** Takes a decoded line for an answer; `undefined` if it is none. */
export function answerOf(message: unknown): HostAnswer | undefined {
  if (!isStruct(message) || message.jsonrpc !== '2.0') return undefined;
  const { id } = message;
  const error = message.error === undefined ? undefined : remoteErrorOf(message.error);
  if (id === null && error !== undefined) return { id: undefined, error };
  if (typeof id !== 'string') return undefined;
  if (error !== undefined) return { id, error };
  return message.result === undefined ? undefined : { id, result: message.result };
}

function remoteErrorOf(error: unknown): RemoteError | undefined {
  if (!isStruct(error) || typeof error.code !== 'number' || typeof error.message !== 'string') return undefined;
  const remedy = isStruct(error.data) && typeof error.data.remedy === 'string' ? error.data.remedy : undefined;
  return { code: error.code, message: inOneLine(error.message), remedy: remedy && inOneLine(remedy) };
}

/** The error that a refusal by the host amounts to here; none of them says anything of the DUT. */
export function harnessErrorOf(method: string, { code, message, remedy }: RemoteError): HarnessError {
  switch (code) {
    case errorCodes.noDevice:
      return new UsageError(message, remedy);
    case errorCodes.unusableDevice:
    case errorCodes.unusableHost:
      return new HarnessError(message, remedy);
    default:
      return new HarnessError(`the host refused ${method}: ${message} (${code})`, remedy);
  }
}

/** The answer to a verb. @throws HarnessError if it is not a raw result */
export function rawResultOf(verb: string, result: unknown): RawResult {
  return demand(verb, result, (values) => ({
    ...outcomeOf(values),
    startedAt: finiteOf(values, 'startedAt'),
    durationUs: finiteOf(values, 'durationUs'),
  }));
}

/** What a call came to, among other values. @throws HarnessError if it is not there */
export function outcomeOf(values: TraceStruct): Pick<RawResult, 'returned' | 'errno' | 'outputs'> {
  return { returned: returnedOf(values), errno: finiteOf(values, 'errno'), outputs: structOf(values, 'outputs') };
}

function returnedOf(values: TraceStruct): RawResult['returned'] {
  if (values.returned === null) return null;
  return typeof values.returned === 'string' ? values.returned : finiteOf(values, 'returned');
}

/** The full answer to `leftovers`; a host may know of no more than handles. @throws HarnessError if it is neither */
export function leftoversOf(result: unknown): Leftovers {
  const values = Array.isArray(result) ? { handles: result, files: [], resources: {}, tainted: null } : result;
  return demand('leftovers', values, (counted) => {
    const resources = structOf(counted, 'resources');
    const counts = Object.keys(resources).map((kind) => [kind, numberOf(resources, kind)]);
    return {
      handles: stringsOf(counted, 'handles'),
      files: stringsOf(counted, 'files'),
      resources: Object.fromEntries(counts) as Leftovers['resources'],
      tainted: counted.tainted === null ? undefined : numberOf(counted, 'tainted'),
    };
  });
}

/** The answer to `hello`. @throws HarnessError if it does not describe a device */
export function dutOf(result: unknown): DescribedDut {
  return demand('hello', result, readDut);
}

/** The answer to `pause`: microseconds on the clock of the host. @throws HarnessError if it reports none */
export function pauseEndOf(result: unknown): number {
  return demand('pause', result, (values) => finiteOf(values, 'nowUs'));
}

/** JSON can write numbers that JavaScript takes for infinite, and that it cannot write itself. */
function finiteOf(values: TraceStruct, name: string): number {
  const number = numberOf(values, name);
  if (Number.isFinite(number)) return number;
  throw new HarnessError(`"${name}" is not a finite number`);
}

const quotedMax = 200;

/** The start of a line, for messages about lines that cannot be understood. */
export function quote(line: string): string {
  return inOneLine(line, quotedMax);
}

/** What is read of an answer. @throws HarnessError, which quotes it, if that cannot be read */
export function demand<T>(method: string, result: unknown, read: (values: TraceStruct) => T): T {
  try {
    if (!isStruct(result)) throw new HarnessError('it is not a struct');
    return read(result as TraceStruct);
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    const why = inOneLine(error.message);
    throw new HarnessError(`the host gave a malformed answer to ${method}: ${why}: ${quoteOf(result)}`);
  }
}

/** Also values that are nested too deep for a text. */
function quoteOf(result: unknown): string {
  try {
    return quote(encodeMessage(result));
  } catch (error) {
    if (error instanceof RangeError) return '(too deep to be shown)';
    throw error;
  }
}

function isStruct(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
