import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { HarnessError, type Handle, type TraceStruct } from '../contract';
import type { RawResult } from '../backend';

/** The native part, as native/src/addon.cc exports it. */
export interface Addon {
  /** A set of verbs with handles of their own. */
  createVerbs(): VerbSet;
  /** Name and value of each enumerator, by enumeration. */
  readonly enumerations: Record<string, Record<string, number>>;
  /** Takes stdout away from everybody else in this process, whose prints then go to stderr; answers a descriptor. */
  claimStdout(): number;
  /** Writes a line, whose newline it adds, however long that takes. */
  writeLine(descriptor: number, text: string): void;
  /** Ends the process at once, whatever its threads do. */
  exit(code: number): never;
  /**
   * Reads a descriptor line by line, without empty lines, until it ends or a line has more than `maxBytes`. Ends the
   * process `graceMs` after that with `exitCode` if nobody has done so, because a verb blocks this thread.
   *
   * @param onLine - gets each line of UTF-8, and `null` at the end, with whether that was a line too long
   */
  readLines(
    descriptor: number,
    maxBytes: number,
    graceMs: number,
    exitCode: number,
    onLine: (line: string | null, isTooLong?: boolean) => void,
  ): void;
  /** How many objects of each kind the kernel counts on a device, of all processes; `null` where it does not tell. */
  resourceCounts(device: string): Record<string, number> | null;
  /** What the open descriptors of this process stand for that belong to RDMA: `/dev/infiniband/uverbs0`, … */
  openRdmaFiles(): string[];
  /** Bits that say what has gone wrong with the kernel since it booted; `null` where it does not tell. */
  kernelTaint(): number | null;
  /** File of the libibverbs that is loaded. */
  libraryPath(): string | null;
}

/**
 * Verbs by the names of their C functions. A verb throws an error with `code` `badHandle` or `badParams` if it was not
 * called, and answers with a promise if it may block. Here 64-bit values are the texts that travel, as protocol.ts has
 * them: in a VM without KVM, to look for them in each message takes longer than to read it.
 */
export interface VerbSet {
  readonly verbs: Record<string, (params: TraceStruct) => RawResult | Promise<RawResult>>;
  /** Handles of the objects that exist, oldest first. */
  leftovers(): Handle[];
  /** File of the provider's code behind a context. */
  providerPath(context: Handle): string | null;
}

const addonFile = 'native/build/Release/verbs.node';

/** Where the addon is: two folders up from the sources, four up from the compiled host. */
export function addonPath(): string | undefined {
  return ['../..', '../../../..'].map((up) => resolve(__dirname, up, addonFile)).find((path) => existsSync(path));
}

/** Loads the addon. @throws HarnessError with the remedy if it cannot be loaded */
export function loadAddon(): Addon {
  const path = addonPath();
  if (path === undefined) throw new HarnessError(`${addonFile} is missing`, '`npm run setup` builds it');
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- an addon cannot be loaded in another way
    return require(path) as Addon;
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
    throw new HarnessError(`the addon cannot be loaded: ${reason}`, remedyFor(reason));
  }
}

function remedyFor(reason: string): string {
  return /libibverbs\.so|IBVERBS_/.test(reason)
    ? 'run `apt-get install libibverbs1 ibverbs-providers`'
    : 'run `npm run build:native`; the addon was built for another Node or system';
}
