import { fstatSync, writeSync } from 'node:fs';
import { HarnessError } from '../../drivers/contract';
import { oneLine } from '../../catalog/plain-text';

/** Exit code of what ended before it was done, or could not say what came of it. */
const unfinished = 3;
/** From here on an exit code names the signal that ended the process. */
const firstSignalCode = 128;
/** Milliseconds that a run which failed has to let go of its device and to publish what there is. */
const inOrderMaxMs = 60_000;

const stdoutFile = 1;

const exitNow = process.exit.bind(process);
let finishedWith: number | undefined;
let hasFailed = false;
let outputIsLost = false;
let endInOrder: ((why: string) => void) | undefined;
let shown = (text: string): string => text;

/**
 * From now on the process ends with exit code 3 and a line that says why, whatever ends it, unless the command has
 * {@link finish}ed. 0 and 1 are verdicts, and nobody else may give them.
 */
export function guardExitCode(): void {
  process.exitCode = unfinished;
  process.stdout.on('error', loseOutput);
  writeWhole();
  process.stderr.on('error', () => undefined); // there is no other place to say so
  process.on('uncaughtException', fail);
  process.exit = refuseExit;
  let ranEmpty = false;
  process.on('beforeExit', () => {
    ranEmpty = true;
  });
  process.on('exit', () => {
    if (finishedWith === undefined && !hasFailed && ranEmpty)
      say('the command stopped: nothing is left that it waits for');
    process.exitCode = exitCodeAfter(Number(process.exitCode));
  });
}

/** What came of the command. */
export function finish(code: number): void {
  finishedWith = code;
}

/** From now on a failure that nobody handles calls this, and the run ends by itself; with nothing to call, it ends at once. */
export function onFailure(inOrder: ((why: string) => void) | undefined): void {
  endInOrder = inOrder;
}

/** From now on, failures are printed this way: a run may have something to hide. */
export function showFailures(show: (text: string) => string): void {
  shown = show;
}

/** An unexpected error in one line. */
export function describeUnexpected(error: unknown): string {
  return describe(isOfSystem(error) ? 'the system refuses' : 'unexpected', error);
}

function describe(what: string, error: unknown): string {
  if (process.env.VERBSPEC_DEBUG && error instanceof Error) return `${what}: ${error.stack ?? error.message}`;
  return `${what}: ${oneLine(error instanceof Error ? error.message : String(error))}; VERBSPEC_DEBUG=1 shows where`;
}

/** A stream that somebody has asked for, such as a report of Cucumber's on a full disk. */
function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

/** @param code - what the process is about to end with; that of a signal is right whatever has happened */
function exitCodeAfter(code: number): number {
  const result = finishedWith ?? (code >= firstSignalCode ? code : unfinished);
  return (hasFailed || outputIsLost) && result < firstSignalCode ? unfinished : result;
}

function fail(error: unknown): void {
  if (process.listeners('uncaughtException').some(isReject)) return; // Cucumber is in a step, which fails with it
  const what = isOfSystem(error) ? 'the system refuses' : 'nobody handles this error';
  const text = error instanceof HarnessError ? oneLine(error.message) : describe(what, error);
  if (!hasFailed) say(text); // what follows from it says nothing more
  if (endInOrder === undefined) {
    hasFailed = true;
    exitNow(unfinished);
  } else if (!hasFailed) {
    hasFailed = true;
    setTimeout(() => exitNow(unfinished), inOrderMaxMs).unref();
    endInOrder(`the run failed: ${text}`);
  }
}

/** Whether a function is what the executor of a promise is given. */
function isReject(listener: (...args: never[]) => unknown): boolean {
  return listener.name === '' && /^function \(\) \{ \[native code\] \}$/.test(String(listener));
}

/** A driver module of a user's has no say in the exit code; what asks for an end gets an error, which is a result. */
function refuseExit(code?: number | string | null): never {
  const asked = Number(code ?? process.exitCode ?? 0);
  if (asked >= firstSignalCode) return exitNow(asked);
  throw new HarnessError(`process.exit(${code ?? ''}) was called${callerOfExit()}`);
}

/** Where the call stands, in the words of the stack trace. */
function callerOfExit(): string {
  const [, , , frame = ''] = (new Error().stack ?? '').split('\n');
  const place = /\(?([^()\s]+:\d+:\d+)\)?$/.exec(frame)?.[1];
  return place === undefined ? '' : ` at ${place}`;
}

/** What a full disk has room for, Node.js takes for the whole of what was to be written to a file. */
function writeWhole(): void {
  if (!fstatSync(stdoutFile).isFile()) return;
  process.stdout._write = (chunk: Buffer, _encoding, done) => {
    try {
      for (let written = 0; written < chunk.length;) written += writeSync(stdoutFile, chunk, written);
      done();
    } catch (error) {
      done(error as Error);
    }
  };
}

/** Who reads a list with `head` has seen enough of it; a run goes on without its reader. Any other failure is reported. */
function loseOutput(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE' || outputIsLost) return;
  outputIsLost = true;
  say(`cannot write to standard output: ${error.message}; free space, or send it elsewhere`);
}

function say(text: string): void {
  process.stderr.write(`verbspec: ${shown(text)}\n`);
}
