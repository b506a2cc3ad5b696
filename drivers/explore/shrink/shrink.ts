import { callsOf, type Program } from '../../programs/program';
import { withBothQueues } from './both-queues';
import { closed } from './closed';
import { withFailedQps } from './failed-qps';
import { withOneOfTwo } from './one-of-two';
import { simplerOps } from './simpler-ops';

/** Whether a smaller program still shows what is wrong. */
export type StillFails = (program: Program) => Promise<boolean>;

/** Candidates that are tried at most. */
const triesMax = 1500;

/** Makes a program that shows something wrong as small as it goes: operations first, then values. */
export async function shrink(
  program: Program,
  stillFails: StillFails,
  isOver = (): boolean => false,
): Promise<Program> {
  return new Shrinker(stillFails, isOver).run(program);
}

class Shrinker {
  #tries = 0;

  constructor(
    readonly stillFails: StillFails,
    readonly isOver: () => boolean,
  ) {}

  async run(program: Program): Promise<Program> {
    let best = program;
    for (let before = Infinity; sizeOf(best) < before && !this.#isSpent;) {
      before = sizeOf(best);
      best = await this.#fewerOps(best);
      best = await this.#eachOf(best, smallerOps);
    }
    return best;
  }

  get #isSpent(): boolean {
    return this.#tries >= triesMax || this.isOver();
  }

  async #holds(candidate: Program): Promise<boolean> {
    if (this.#isSpent) return false;
    this.#tries += 1;
    return this.stillFails(candidate);
  }

  /** Leaves out stretches of operations, large ones first, with what depends on them. */
  async #fewerOps(program: Program): Promise<Program> {
    let best = program;
    for (let size = best.ops.length >> 1; size >= 1; size >>= 1) {
      for (let at = best.ops.length - size; at >= 0; at -= size) {
        const candidate = { ...best, ops: closed([...best.ops.slice(0, at), ...best.ops.slice(at + size)]) };
        if (candidate.ops.length < best.ops.length && (await this.#holds(candidate))) {
          best = candidate;
          at = Math.min(at, best.ops.length);
        }
      }
    }
    return best;
  }

  async #eachOf(program: Program, variantsOf: (program: Program) => Generator<Program>): Promise<Program> {
    let best = program;
    for (let found = true; found && !this.#isSpent;) {
      found = false;
      for (const candidate of variantsOf(best)) {
        if (!(await this.#holds(candidate))) continue;
        best = candidate;
        found = true;
        break;
      }
    }
    return best;
  }
}

/** What counts: calls, then all that is written. */
function sizeOf(program: Program): number {
  return callsOf(program).length * 100_000 + JSON.stringify(program.ops).length;
}

/** Programs that are simpler in one place. */
function* smallerOps(program: Program): Generator<Program> {
  yield* withOneOfTwo(program);
  yield* withFailedQps(program);
  yield* withBothQueues(program);
  for (const [at, op] of program.ops.entries()) {
    for (const other of simplerOps(op)) {
      const ops = closed([...program.ops.slice(0, at), ...other, ...program.ops.slice(at + 1)]);
      const candidate = { ...program, ops };
      if (sizeOf(candidate) < sizeOf(program)) yield candidate;
    }
  }
}
