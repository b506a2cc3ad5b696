import { DutLost, HarnessError, type TraceStruct } from '../../contract';
import { answerOf, harnessErrorOf, quote, type HostAnswer } from './answers';
import type { Carrier, HostExit, HostProcess } from '../carriers/carrier';
import { Deadline } from './deadline';
import { deadlineMs } from './deadlines';
import { readLines } from '../../support/lines';
import { describeExit, hangOf, lossOf, type CallInFlight } from './host-exit';
import { decodeMessage, encodeMessage, maxLineBytes } from '../protocol';
import type { Starvation } from '../../support/starvation';
import { within } from '../../support/timeout';

/** Milliseconds for the other half of an end: the process after its output, or the output after its process. */
const endGraceMs = 2000;

/** Milliseconds that a killed process may take to be gone. */
const killGraceMs = 30_000;

/** Milliseconds for a look at the threads of a host that hangs. */
const threadsMaxMs = 30_000;

interface PendingCall extends CallInFlight {
  readonly id: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: Error) => void;
  /** Runs from when the host may begin with the call. */
  deadline?: Deadline;
}

/** The conversation with one host process, from its start to its end. */
export class HostSession {
  readonly #process: HostProcess;
  readonly #session: number;
  readonly #slowness: number;
  readonly #pending = new Map<string, PendingCall>();
  /** Those of them that the host executes one after another. */
  readonly #turns: PendingCall[] = [];
  #requests = 0;
  #last: CallInFlight | undefined;
  #heard = false;
  #lost = false;
  /** Whether a call has missed its deadline; what the host says from then on comes too late. */
  #overdue = false;
  #unreported: Error | undefined;
  #outputEnded: (() => void) | undefined;

  private constructor(process: HostProcess, session: number, slowness: number) {
    this.#process = process;
    this.#session = session;
    this.#slowness = slowness;
    const outputEnd = new Promise<void>((resolve) => (this.#outputEnded = resolve));
    void outputEnd.then(() => this.#atOutputEnd());
    void process.ended.then((exit) => this.#atProcessEnd(exit, outputEnd));
    process.input.on('error', () => undefined); // a host that is gone is noticed by its end
    this.#send('');
    const handlers = {
      line: (text: string) => {
        this.#receive(text);
      },
      tooLong: () => {
        this.#fail(new HarnessError(`the host sent a line of more than ${maxLineBytes} bytes`));
      },
    };
    readLines(process.output, maxLineBytes, handlers, () => this.#outputEnded?.());
  }

  /** Starts a host process on the carrier. */
  static async start(carrier: Carrier, session: number, slowness: number): Promise<HostSession> {
    return new HostSession(await carrier.start(session), session, slowness);
  }

  /** Whether the host can answer no more. */
  get lost(): boolean {
    return this.#lost;
  }

  /** Calls that have not returned. A pause that nobody waits for any more is none. */
  get pendingCalls(): number {
    return [...this.#pending.values()].filter(({ method }) => method !== 'pause').length;
  }

  /**
   * Sends a request; rejects with what became of the host if it does not answer.
   *
   * @param inTurn - whether the host begins with it only when all requests before it with that are answered
   */
  request(method: string, params: TraceStruct, inTurn = false): Promise<unknown> {
    if (this.#lost) return Promise.reject(this.takeUnreported() ?? lostEarlier());
    const id = `${this.#session}:${++this.#requests}`;
    return new Promise((resolve, reject) => {
      const call: PendingCall = { id, method, params, resolve, reject };
      this.#pending.set(id, call);
      if (!inTurn || this.#turns.push(call) === 1) this.#watch(call);
      this.#send(encodeMessage({ jsonrpc: '2.0', id, method, params, ...(inTurn && { inTurn }) }));
    });
  }

  #watch(call: PendingCall): void {
    const ms = deadlineMs(call.method, call.params, this.#slowness);
    const starvation = this.#process.starvation?.bind(this.#process);
    call.deadline = new Deadline(ms, starvation, () => {
      void this.#atDeadline(call, ms);
    });
  }

  /** Begins to measure how long the machine of the host cannot run for want of a processor; where it always can, that is 0. */
  starvation(): Starvation {
    return this.#process.starvation?.() ?? (() => 0);
  }

  /** The loss of the host, if no call has been rejected with it yet; once. */
  takeUnreported(): Error | undefined {
    const error = this.#unreported;
    this.#unreported = undefined;
    return error;
  }

  /**
   * Kills the host, rejects what is pending with `reason`, and resolves when the process is gone.
   *
   * @throws DutLost if the process cannot be killed
   */
  async retire(reason: string): Promise<void> {
    if (!this.#lost) this.#fail(new HarnessError(reason));
    this.#unreported = undefined;
    const gone = await within(killGraceMs * this.#slowness, this.#process.ended);
    if (gone === undefined) {
      throw new DutLost('the host process does not end though it was killed', 'see `dmesg`: the kernel holds it');
    }
  }

  #send(line: string): void {
    if (this.#process.input.writable) this.#process.input.write(`${line}\n`);
  }

  #receive(line: string): void {
    if (this.#lost || this.#overdue) return;
    const answer = answerIn(line);
    const call = answer?.id === undefined ? undefined : this.#pending.get(answer.id);
    if (answer?.id !== undefined && call !== undefined) {
      this.#heard = true;
      this.#settle(call);
      if ('error' in answer) call.reject(harnessErrorOf(call.method, answer.error));
      else call.resolve(answer.result);
      if (this.#pending.size === 0) this.#holdSoon();
    } else if (this.#heard && !this.#isStale(answer)) {
      this.#fail(strangeLine(line, answer));
    }
    // Until the host has answered for the first time, the stream may carry remains of an earlier one.
  }

  /** Unless the answer leads to another request at once. */
  #holdSoon(): void {
    if (this.#process.hold === undefined) return;
    setImmediate(() => {
      if (this.#pending.size === 0 && !this.#lost) this.#process.hold?.();
    });
  }

  #isStale(answer: HostAnswer | undefined): boolean {
    return answer?.id !== undefined && !answer.id.startsWith(`${this.#session}:`);
  }

  #settle(call: PendingCall): void {
    call.deadline?.clear();
    this.#pending.delete(call.id);
    this.#last = call;
    const turn = this.#turns.indexOf(call);
    if (turn >= 0) this.#turns.splice(turn, 1);
    const [next] = this.#turns;
    if (next !== undefined && next.deadline === undefined) this.#watch(next);
  }

  /** What the host may be executing. */
  #inFlight(): readonly PendingCall[] {
    return [...this.#pending.values()].filter(({ deadline }) => deadline !== undefined);
  }

  async #atDeadline(call: PendingCall, ms: number): Promise<void> {
    if (!this.#pending.has(call.id) || this.#overdue) return;
    this.#overdue = true;
    const inFlight = this.#inFlight();
    const threads = await within(threadsMaxMs, this.#process.threads?.().catch(() => '') ?? Promise.resolve(''));
    this.#fail(hangOf(call, ms / 1000, inFlight, threads ?? ''));
  }

  async #atOutputEnd(): Promise<void> {
    const exit = await within(endGraceMs, this.#process.ended);
    if (exit === undefined) this.#fail(new HarnessError('the host closed its output and did not end'));
  }

  /** Answers that were written before the end still count. */
  async #atProcessEnd(exit: HostExit, outputEnd: Promise<void>): Promise<void> {
    await within(endGraceMs, outputEnd);
    if (this.#heard) this.#fail(lossOf(exit, this.#inFlight(), this.#last));
    else this.#fail(startFailureOf(exit));
  }

  /** Ends the conversation: everything pending is rejected with the error, and the process is killed. */
  #fail(error: Error): void {
    if (this.#lost) return;
    this.#lost = true;
    if (this.#pending.size === 0) this.#unreported = error;
    this.#turns.length = 0;
    for (const call of this.#pending.values()) {
      this.#settle(call);
      call.reject(error);
    }
    this.#process.kill();
  }
}

function answerIn(line: string): HostAnswer | undefined {
  try {
    return answerOf(decodeMessage(line));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined; // no JSON, or nested too deep
    throw error;
  }
}

function strangeLine(line: string, answer: HostAnswer | undefined): HarnessError {
  return answer !== undefined && answer.id === undefined
    ? new HarnessError(`the host could not read a line: ${answer.error.message}`)
    : new HarnessError(`the host sent a line that answers no request: ${quote(line)}`);
}

function lostEarlier(): HarnessError {
  return new HarnessError('the host process was lost earlier in this scenario');
}

/** A host that is killed by a signal before it answers crashed in the provider; one that gives up says why. */
function startFailureOf(exit: HostExit): Error {
  const isTold = [exit.panic, exit.lost, exit.outage].some((reason) => reason !== undefined);
  if (isTold || exit.signal !== null) return lossOf(exit, [], { method: 'hello', params: {} });
  return new HarnessError(`the host process did not start: it ${describeExit(exit)}`);
}
