import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { HarnessError, type Handle, type TraceStruct } from '../../contract';
import type { RawResult } from '../../pipeline/backend';
import type { VerbText } from '../../verbs/derived/describe';

/** The native part, as native/src/runtime/addon.cc exports it. */
export interface Addon {
  /** A set of verbs with handles of their own. */
  createVerbs(): VerbSet;
  /** Arguments and results of each verb in words. */
  describe(): Readonly<Record<string, VerbText>>;
  /** Name and value of each enumerator, by enumeration. */
  readonly enumerations: Record<string, Record<string, number>>;
  /** Takes stdout away from everybody else in this process, whose prints then go to stderr; answers a descriptor. */
  claimStdout(): number;
  /** Writes a line, whose newline it adds, however long that takes. */
  writeLine(descriptor: number, text: string): void;
  /** Ends the process at once, whatever its threads do. */
  exit(code: number): never;
  /**
   * Answers the requests of a session with verbs of its own, as protocol.ts says, and ends the process when its input
   * ends. Only a `hello` is left to the caller.
   *
   * @param onHello - gets the line of each `hello`
   * @returns a function that sets the device which `ibv_open_device` opens from now on; `null`, as at the start, for none
   */
  serve(options: ServeOptions, onHello: (line: string) => void): (device: string | null) => void;
  /** File of the libibverbs that is loaded. */
  libraryPath(): string | null;
}

/** Where requests come from and answers go to. */
export interface ServeOptions {
  /** Descriptors. */
  readonly input: number;
  readonly output: number;
  /** Number of the host process within the run; lines before the `hello` that carries it are ignored. */
  readonly session: number;
  readonly maxLineBytes: number;
  /** Levels that a message may have. */
  readonly maxLevels: number;
  /** Milliseconds from the end of the input until the process ends, where a verb blocks the main thread. */
  readonly graceMs: number;
  /** Exit code where a line is too long, nobody takes the answers, or a verb does not return. */
  readonly exitCodeIfFailed: number;
  /** Whether this machine's clock jumps ahead when its processor is idle, which it then keeps it from. */
  readonly virtualTime: boolean;
}

/**
 * Verbs by the names of their C functions. A verb throws if it was not called, and answers with a promise if it may
 * block. 64-bit values are the texts that travel, as protocol.ts has them.
 */
export interface VerbSet {
  readonly verbs: Record<string, (params: TraceStruct) => RawResult | Promise<RawResult>>;
  /** File of the provider's code behind a context. */
  providerPath(context: Handle): string | null;
}

const addonFile = 'native/build/Release/verbs.node';

/** Where the addon is: three folders up from the sources, five up from the compiled host. */
export function addonPath(): string | undefined {
  return ['../../..', '../../../../..'].map((up) => resolve(__dirname, up, addonFile)).find((path) => existsSync(path));
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

/** A library of --rdma-core stands in for the installed one, which comes with RDMAV_DRIVERS; that one is not to blame. */
function remedyFor(reason: string): string {
  if (!/libibverbs\.so|IBVERBS_/.test(reason)) {
    return 'run `npm run build:native`; the addon was built for another Node or system';
  }
  return process.env.RDMAV_DRIVERS === undefined
    ? 'run `apt-get install libibverbs1 ibverbs-providers`'
    : 'name another folder with --rdma-core, of libraries that were built for this machine';
}
