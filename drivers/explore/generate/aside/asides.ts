import type { CallOp } from '../../../programs/program';
import type { Chance } from '../chance';
import { hasRoom } from '../moves/move';
import type { Asides, Walk } from '../walk';
import { interlude } from './interludes';
import { seldom } from './seldom';
import { withUnmasked } from './unmasked';

/** So many programs consist of what moves seldom come to. */
const shareOfOwn = 0.4;

/** In so many programs something stands between the calls of a move. */
const shareOfInterrupted = 0.35;

/** So many programs end with what moves seldom come to. */
const shareOfFinales = 0.4;

/** Calls of a program after which no finale begins. */
const callsMost = 150;

/** What can be asked twice, and has the same answer as long as nothing else is called. */
const asks = /^(ibv_query_(qp|srq|port|device)|ibv_wc_read_\w+|struct .*|memory read)$/;

/** What stands between the calls of a move, and is neither seen in what they come to nor changes it. */
export class Interruptions implements Asides {
  /** Whether there are no moves. */
  readonly isAlone: boolean;
  readonly #isInterrupted: boolean;

  constructor(readonly chance: Chance) {
    this.isAlone = chance.happens(shareOfOwn);
    this.#isInterrupted = chance.happens(shareOfInterrupted);
  }

  written(op: CallOp): CallOp {
    return this.#isInterrupted ? withUnmasked(this.chance, op) : op;
  }

  async before(w: Walk, { call }: CallOp): Promise<void> {
    if (this.#isInterrupted && call === 'ibv_post_send' && this.chance.happens(0.4)) await interlude(w);
  }

  async after(w: Walk, { call, args }: CallOp): Promise<void> {
    if (!this.#isInterrupted || !w.backend.isQuiet || !this.chance.happens(0.2)) return;
    if (asks.test(call)) await w.perform({ call, args });
    const { channel } = args;
    if (call === 'ibv_get_cq_event' && channel !== undefined)
      await w.perform({ call: 'poll', args: { source: channel, timeoutMs: 0 } });
  }
}

/** What moves seldom come to, at the end of some programs. */
export async function finale(w: Walk): Promise<void> {
  await w.aside(async ({ chance }) => {
    if (chance.happens(shareOfFinales)) await one(w);
  });
}

/** A program that has several of them, and no moves. */
export async function finales(w: Walk): Promise<void> {
  await w.aside(async ({ chance }) => {
    for (let left = chance.between(2, 3); left > 0 && !w.isOver; left--) await one(w);
  });
}

async function one(w: Walk): Promise<void> {
  const able = seldom.filter(({ isEnabled }) => hasRoom(w) && w.size < callsMost && isEnabled(w));
  await w.chance.weighted(able.map((each) => [each, each.weight] as const))?.make(w);
}
