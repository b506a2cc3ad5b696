import type { Backend, RawResult } from '../pipeline/backend';
import { nextTurn } from '../pipeline/turns';
import { Batches } from './batches';
import { Bindings } from './bindings';
import { isCall, isParallel, isPort, type CallOp, type Op, type Program, type ProgramRecord } from './program';

/** A call that has been made. */
export interface PendingCall {
  /** Whether it has returned. */
  readonly hasReturned: () => boolean;
  /** Resolves when it does. */
  readonly returned: Promise<unknown>;
  /** How much has happened so far beside it. */
  readonly changes: () => number;
}

/**
 * How long calls are waited for: until they return, until nothing more can happen, or until the time is up.
 *
 * @returns whether the call has returned
 */
export type Patience = (call: PendingCall) => Promise<boolean>;

/** Microtasks in which almost every call of the simulator returns. */
const hopsMax = 24;
/** Turns of the event loop in which a call returns that returns at all while nobody makes another one. */
const turnsMax = 3;

/** In virtual time: nothing happens by itself, so a call that has not returned in a few turns waits for another call. */
export const untilNothingHappens: Patience = async ({ hasReturned, changes }) => {
  for (let hop = 0; hop < hopsMax; hop++) {
    if (hasReturned()) return true;
    await Promise.resolve();
  }
  let before = changes();
  for (let turn = 0; turn < turnsMax; turn++) {
    if (hasReturned()) return true;
    await nextTurn();
    const now = changes();
    if (now !== before) turn = -1;
    before = now;
  }
  return hasReturned();
};

/** In real time: so many milliseconds in which nothing happens beside the call. */
export function untilDeadline(backend: Pick<Backend, 'pause'>, ms: number): Patience {
  return async ({ hasReturned, returned, changes }) => {
    for (let before = -1; !hasReturned() && changes() !== before;) {
      before = changes();
      await Promise.race([returned, backend.pause(ms, returned)]);
    }
    return hasReturned();
  };
}

/** How a program is run. */
export interface RunOptions {
  readonly patience?: Patience;
  /** Hears which call is about to be made, by the place of its record. */
  readonly tell?: (at: number, op: CallOp) => void;
  /** Hears what a call came to; the program ends where it says so. */
  readonly isOver?: (at: number, record: ProgramRecord) => boolean;
}

/** What a program came to on a device. */
export interface ProgramRun {
  /** Of the calls that were made, in the order of the operations, threads after each other. */
  readonly records: readonly (ProgramRecord | undefined)[];
  /** What the names stood for at the end. */
  readonly bindings: Bindings;
}

/** Runs a program on a device, operation by operation. A record is `undefined` where the call could not be made. */
export async function runProgram(backend: Backend, program: Program, options: RunOptions = {}): Promise<ProgramRun> {
  await backend.begin();
  const execution = new Execution(backend, options);
  for (const op of program.ops) if (!(await execution.perform(op))) break;
  return execution;
}

/** A program that is being run. */
export class Execution implements ProgramRun {
  readonly records: (ProgramRecord | undefined)[] = [];
  readonly bindings: Bindings;
  readonly #batches = new Batches();
  #changes = 0;
  #settles = 0;

  constructor(
    readonly backend: Backend,
    readonly options: RunOptions = {},
  ) {
    this.bindings = new Bindings(backend.dut);
  }

  /** @returns whether what follows can be run: all calls have returned */
  perform(op: Op): Promise<boolean> {
    return this.#sequence([op], this.records.length);
  }

  async #sequence(ops: readonly Op[], first: number): Promise<boolean> {
    let at = first;
    for (const op of ops) {
      const size = sizeOf(op);
      while (this.records.length < at + size) this.records.push(undefined);
      if (!(await this.#execute(op, at))) return false;
      at += size;
    }
    return true;
  }

  async #execute(op: Op, at: number): Promise<boolean> {
    if (isCall(op)) return this.#call(op, at);
    if (isParallel(op)) return this.#parallel(op.par, at);
    if (isPort(op)) await this.backend.setPortUp(op.port === 'up');
    await this.backend.settle();
    this.#changes += 1;
    this.#settles += 1;
    return true;
  }

  /** Ends when all threads have, or when those that have not wait for what does not come. */
  async #parallel(threads: readonly (readonly Op[])[], first: number): Promise<boolean> {
    let at = first;
    const starts = threads.map((ops) => {
      const start = at;
      at += ops.reduce((sum, op) => sum + sizeOf(op), 0);
      return start;
    });
    while (this.records.length < at) this.records.push(undefined);
    const ended = await Promise.all(threads.map((ops, index) => this.#sequence(ops, starts[index] ?? first)));
    return ended.every(Boolean);
  }

  async #call(op: CallOp, at: number): Promise<boolean> {
    const args = this.bindings.resolve(op.args);
    if (args === undefined || !this.#batches.allow(op.call, args)) return true;
    this.options.tell?.(at, op);
    const before = this.#settles;
    let waited = 0;
    let result: RawResult | undefined;
    let failure: unknown;
    const returned = this.backend.call(op.call, args).then(
      (raw) => {
        result = raw;
        waited = this.#settles - before;
        this.#changes += 1;
      },
      (error: unknown) => {
        failure = error;
      },
    );
    const { patience = untilNothingHappens } = this.options;
    const hasReturned = await patience({
      hasReturned: () => result !== undefined || failure !== undefined,
      returned,
      changes: () => this.#changes,
    });
    if (failure !== undefined) throw failure as Error;
    const record = { verb: op.call, args, ...outcomeOf(result), ...(waited > 0 && { waited }) };
    this.records[at] = record;
    if (result !== undefined) this.#learn(op, record);
    const isOver = this.options.isOver?.(at, record) === true;
    return hasReturned && !isOver;
  }

  #learn(op: CallOp, record: ProgramRecord): void {
    this.bindings.bind(op, record);
    this.#batches.see(record);
  }
}

function outcomeOf(result: RawResult | undefined): Pick<ProgramRecord, 'returned' | 'errno' | 'outputs' | 'blocked'> {
  if (result === undefined) return { returned: null, errno: 0, outputs: {}, blocked: true };
  const { returned, errno, outputs } = result;
  return { returned, errno, outputs };
}

/** The calls of an operation. */
function sizeOf(op: Op): number {
  if (isCall(op)) return 1;
  if (!isParallel(op)) return 0;
  return op.par.reduce((sum, ops) => sum + ops.reduce((inner, one) => inner + sizeOf(one), 0), 0);
}
