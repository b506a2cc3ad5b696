import type { Dut } from '../contract';

/**
 * What client and host say to each other: JSON-RPC 2.0, one message per line, UTF-8, over any byte stream.
 *
 * 1. The client sends the request `hello` with {@link HelloParams}; a host ignores every line before the `hello` that
 *    carries its own session. The answer is the {@link DescribedDut}, or an error with one of {@link errorCodes}.
 * 2. Each further method is a name of drivers/verbs: a C function (`ibv_create_cq`, `poll`) or members that a program
 *    reads (`struct ibv_cq`), with named params; the answer is a RawResult. Calls that block are answered when they
 *    return; others may overtake them.
 * 3. The method `leftovers` answers with the handles of all objects that exist. With `full: true` a host may answer with
 *    {@link Leftovers} instead.
 * 4. Requests with the member `inTurn: true` are executed one after another, and none beside one that blocks: they cost
 *    the host no thread of their own.
 * 5. A host on a virtual clock, which is started with `--virtual-time`, knows the method `pause` with `ms`: it answers with
 *    {@link PauseEnd} after that time, or at once when another request or answer comes between. While it waits for the
 *    client, and neither a pause nor a `poll` with a time limit is under way, its clock all but stands.
 * 6. The method `programs` takes {@link ProgramsParams}, executes the programs one after another, and answers with
 *    {@link ProgramsAnswer}. Nothing else is answered meanwhile. A program is a list of operations as
 *    drivers/programs/program.ts has them: calls of these very methods, executed under the same guards. If one of the
 *    lists is none, the error names the operation, and nothing is executed. A virtual clock goes on while programs wait.
 * 7. The host ends when its input ends, even if verbs have not returned.
 *
 * A message is JSON and UTF-8 without a byte order mark, has {@link maxLevels} levels and {@link maxLineBytes} bytes at
 * most, no number that a double does not hold, and no half of a surrogate pair; a host answers to another line with an
 * error whose id is null. Of members with the same name the last counts.
 *
 * Both sides begin with an empty line, since the one before may have died in the middle of a line; empty lines mean
 * nothing. The ids of requests are never used again in a run, so a late answer of an earlier host finds no request.
 *
 * JSON has no 64-bit integers: such a value is a string of `0x` and hexadecimal digits without leading zeros. Only a text
 * of the Dut may look so too.
 */
export interface HelloParams {
  /** Number of this host process within the run; the host is started with the same as `--session`. */
  readonly session: number;
  /** Name of the RDMA device as libibverbs lists it. */
  readonly device: string;
  readonly portNum: number;
  readonly gidIndex: number;
  /** Folder of the rdma-core that the host shall run on, where it is not the installed one. */
  readonly rdmaCore?: string;
}

/** What the host says of a device; what that can do shows only when it is tried. */
export type DescribedDut = Omit<Dut, 'capabilities'>;

/** What the host answers to `pause`. */
export interface PauseEnd {
  /** Microseconds on the monotonic clock of the host, as in a RawResult. */
  readonly nowUs: number;
}

/** Programs that a host is to execute; at most 1024. */
export interface ProgramsParams {
  /** Operations; see `Program`. Each has 256 calls at most, in 4 threads at a time. */
  readonly programs: readonly unknown[];
  /** What names stand for before the first program: the handle of an object, and outputs that have its members. */
  readonly names: Readonly<Record<string, { readonly handle: string | null; readonly outputs: unknown }>>;
  /** Names whose objects are not destroyed at the end of a program; those after it know them. */
  readonly keep: readonly string[];
  /** Whether nothing is cleaned up after a program that came to its end: the one after it, in this request or the next, is its rest. */
  readonly goesOn: boolean;
  /** Milliseconds that `settle` takes. */
  readonly quietMs: number;
  /** Milliseconds that each program has; calls that have not returned by then are `blocked`. */
  readonly deadlineMs: number;
}

/** What came of them. After a program that hangs there are no more; the host refuses further ones. */
export interface ProgramsAnswer {
  readonly runs: readonly {
    /**
     * A struct with `verb`, `args`, `returned`, `errno` and `outputs` for each call, and `waited` if settles of other threads
     * ended before it returned; `null` for one that was not made.
     */
    readonly records?: readonly unknown[];
    /** In place of records: a call that the host refuses, and at which the program ended. */
    readonly refused?: { readonly code: number; readonly message: string };
    /**
     * What the clean-up could not do, as records, those of calls that the host refused with `refused`. It acknowledges the
     * events that are owed, interrupts calls that are blocked, ends batches, and destroys in reverse order of creation.
     */
    readonly cleanup: readonly unknown[];
    /** As `names`, if `keep` is not empty. */
    readonly kept?: unknown;
    /** There if the time was up before all was done. */
    readonly late?: true;
    /** There if a call does not return even so. */
    readonly hangs?: true;
  }[];
}

/** JSON-RPC error codes of the host, beside those of JSON-RPC itself. */
export const errorCodes = {
  /** A handle that does not exist, is of another kind, or is being destroyed. */
  badHandle: -32001,
  /** No device of that name; the message lists those there are. */
  noDevice: -32002,
  /** The device is there and cannot be used as asked: port not active, no GID at that index, … */
  unusableDevice: -32003,
  /** The host cannot execute verbs at all: its native part or libibverbs is missing. */
  unusableHost: -32004,
} as const;

/** What an error of the host may carry as JSON-RPC `data`. */
export interface ErrorData {
  /** What the user can do about it, in one line. */
  readonly remedy?: string;
}

/** Bytes of the longest message; whoever gets a longer line ends the conversation. */
export const maxLineBytes = 16 * 1024 * 1024;

/** A 64-bit value as it travels. */
export function wordText(value: bigint): string {
  return `0x${BigInt.asUintN(64, value).toString(16)}`;
}

/** JSON text of a message, 64-bit values as hexadecimal strings. */
export function encodeMessage(message: unknown): string {
  return JSON.stringify(message, (_key, value: unknown) => (typeof value === 'bigint' ? wordText(value) : value));
}

/** Nesting of a message; what it holds is read, described and written by functions that call themselves for each level. */
export const maxLevels = 200;

/**
 * The message of one line.
 *
 * @throws SyntaxError if the line is not JSON as a host reads it, too: nested deeper than any message, a number that no
 *   double holds, or half a surrogate pair
 */
export function decodeMessage(line: string): unknown {
  if (line.length > 2 * maxLevels && levelsOf(line) > maxLevels)
    throw new SyntaxError('the message is nested too deep');
  // To look at every value takes longer than to read the line, and few lines have one that is looked for.
  const message: unknown = line.includes('0x') ? JSON.parse(line, revive) : JSON.parse(line);
  if (needsALook.test(line)) demandReadable(line);
  return message;
}

/** What half a surrogate pair, and a number that no double holds, cannot be written without. */
const needsALook = /\\u[dD]|[eE]\+?\d{3}|(?<!\d)\d{309}/;

/** Looks at all that the JSON of a line has, also at a member that a later one of its name replaces. */
function demandReadable(line: string): void {
  for (let at = 0; at < line.length;) {
    const next = line.indexOf('"', at);
    const start = next < 0 ? line.length : next;
    const numbers = line.slice(at, start).match(/\d[\d.eE+-]*/g) ?? [];
    if (!numbers.every((number) => Number.isFinite(Number(number)))) {
      throw new SyntaxError('a number of the message is too large');
    }
    at = endOfText(line, start) + 1;
    const text: unknown = next < 0 ? '' : JSON.parse(line.slice(start, at));
    if (/\p{Surrogate}/u.test(String(text))) throw new SyntaxError('a text of the message has half a surrogate pair');
  }
}

/** Levels of a line, as far as it is JSON. */
function levelsOf(line: string): number {
  let level = 0;
  let most = 0;
  for (let at = 0; at < line.length; at++) {
    if (line.charCodeAt(at) === quotationMark) at = endOfText(line, at);
    const char = line.charCodeAt(at) | 0x20; // [ and { differ in this bit, and so do ] and }
    if (char === 0x7b) most = Math.max(most, ++level);
    else if (char === 0x7d) level--;
  }
  return most;
}

const quotationMark = 0x22;
const backslash = 0x5c;

/** The closing quotation mark of the text that begins at `at`, or the end of the line. */
function endOfText(line: string, at: number): number {
  for (at++; at < line.length && line.charCodeAt(at) !== quotationMark; at++) {
    if (line.charCodeAt(at) === backslash) at++;
  }
  return at;
}

function revive(_key: string, value: unknown): unknown {
  return typeof value === 'string' && /^0x(0|[1-9a-f][0-9a-f]{0,15})$/.test(value) ? BigInt(value) : value;
}
