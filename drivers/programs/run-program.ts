import type { Backend, RawResult } from '../pipeline/backend';
import { nextTurn } from '../pipeline/turns';
import { Bindings } from './bindings';
import { isCall, isParallel, type CallOp, type Op, type Program, type ProgramRecord } from './program';

/**
 * How long calls are waited for.
 *
 * @returns whether `done` has turned true; false when nothing more can happen, or when the time is up
 */
export type Patience = (done: () => boolean, changes: () => number) => Promise<boolean>;

/** Microtasks in which almost every call of the simulator returns. */
const hopsMax = 24;
/** Turns of the event loop in which a call returns that returns at all while nobody makes another one. */
const turnsMax = 3;

/** In virtual time: nothing happens by itself, so a call that has not returned in a few turns waits for another call. */
export const untilNothingHappens: Patience = async (done, changes) => {
  for (let hop = 0; hop < hopsMax; hop++) {
    if (done()) return true;
    await Promise.resolve();
  }
  let before = changes();
  for (let turn = 0; turn < turnsMax; turn++) {
    if (done()) return true;
    await nextTurn();
    const now = changes();
    if (now !== before) turn = -1;
    before = now;
  }
  return done();
};

/** In real time: so many milliseconds. */
export function untilDeadline(backend: Pick<Backend, 'pause'>, ms: number): Patience {
  return async (done) => {
    let isOver = false;
    const over = backend.pause(ms).then(() => (isOver = true));
    while (!done() && !isOver) await Promise.race([over, nextTurn()]);
    return done();
  };
}

/** What a program came to on a device. */
export interface ProgramRun {
  /** Of the calls that were made, in the order of the operations, threads after each other. */
  readonly records: readonly (ProgramRecord | undefined)[];
  /** What the names stood for at the end. */
  readonly bindings: Bindings;
}

/** Runs a program on a device, operation by operation. A record is `undefined` where the call could not be made. */
export async function runProgram(
  backend: Backend,
  program: Program,
  patience: Patience = untilNothingHappens,
): Promise<ProgramRun> {
  return new Execution(backend, patience).run(program);
}

class Execution {
  readonly #records: (ProgramRecord | undefined)[] = [];
  readonly #bindings: Bindings;
  #changes = 0;

  constructor(
    readonly backend: Backend,
    readonly patience: Patience,
  ) {
    this.#bindings = new Bindings(backend.dut);
  }

  async run({ ops }: Program): Promise<ProgramRun> {
    await this.backend.begin();
    await this.#sequence(ops, 0);
    return { records: this.#records, bindings: this.#bindings };
  }

  /** @returns whether all of it was made, and returned */
  async #sequence(ops: readonly Op[], first: number): Promise<boolean> {
    let at = first;
    for (const op of ops) {
      const size = sizeOf(op);
      while (this.#records.length < at + size) this.#records.push(undefined);
      if (!(await this.#execute(op, at))) return false;
      at += size;
    }
    return true;
  }

  async #execute(op: Op, at: number): Promise<boolean> {
    if (isCall(op)) return this.#call(op, at);
    if (isParallel(op)) return this.#parallel(op.par, at);
    await this.backend.settle();
    this.#changes += 1;
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
    const ended = await Promise.all(threads.map((ops, index) => this.#sequence(ops, starts[index] ?? first)));
    return ended.every(Boolean);
  }

  async #call(op: CallOp, at: number): Promise<boolean> {
    const args = this.#bindings.resolve(op.args);
    if (args === undefined) return true;
    let result: RawResult | undefined;
    let failure: unknown;
    this.backend.call(op.call, args).then(
      (raw) => {
        result = raw;
        this.#changes += 1;
      },
      (error: unknown) => {
        failure = error;
      },
    );
    const hasReturned = await this.patience(
      () => result !== undefined || failure !== undefined,
      () => this.#changes,
    );
    if (failure !== undefined) throw failure as Error;
    this.#records[at] = { verb: op.call, args, ...outcomeOf(result) };
    if (result !== undefined) this.#bindings.bind(op, result);
    return hasReturned;
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
