import { qpAttrBits, type QpAttr } from '../../../contract';
import type { CallOp, ProgramStruct } from '../../../programs/program';
import type { Chance } from '../chance';
import { hasRoom } from '../moves/move';
import type { Asides, Walk } from '../walk';
import { interlude } from './interludes';
import { finales as allFinales } from './finales';

/** So many programs consist of what moves seldom come to. */
const shareOfOwn = 0.25;

/** In so many programs something stands between the calls of a move. */
const shareOfInterrupted = 0.35;

/** So many programs end with what moves seldom come to. */
const shareOfFinales = 0.4;

/** Calls of a program after which no finale begins. */
const callsMost = 150;

/** What can be asked twice, and has the same answer as long as nothing else is called. */
const asks = /^(ibv_query_(qp|srq|port|device)|ibv_wc_read_\w+|struct .*|memory read)$/;

/** Attributes that a QP has otherwise. */
const unmasked: ProgramStruct = {
  qpAccessFlags: ['IBV_ACCESS_REMOTE_READ'],
  qkey: 0x1234,
  minRnrTimer: 9,
  timeout: 9,
  retryCnt: 6,
  rnrRetry: 5,
  destQpNum: 0x77,
  rqPsn: 0x345,
  sqPsn: 0x345,
};

/** An SRQ that is not asked to change its size is told of one. */
function withSize(op: CallOp): CallOp {
  const { srqAttr, srqAttrMask } = op.args as {
    readonly srqAttr: ProgramStruct;
    readonly srqAttrMask: readonly string[];
  };
  return srqAttrMask.includes('IBV_SRQ_MAX_WR')
    ? op
    : { ...op, args: { ...op.args, srqAttr: { maxWr: 1, ...srqAttr } } };
}

const bitOf = (name: string): string => qpAttrBits[name as keyof QpAttr];

/** What stands between the calls of a move, and is neither seen in what they come to nor changes it. */
export class Interruptions implements Asides {
  /** Whether there are no moves. */
  readonly isAlone: boolean;
  readonly #isInterrupted: boolean;

  constructor(readonly chance: Chance) {
    this.isAlone = chance.happens(shareOfOwn);
    this.#isInterrupted = chance.happens(shareOfInterrupted);
  }

  /** What the mask does not name is not looked at. */
  written(op: CallOp): CallOp {
    if (this.#isInterrupted && op.call === 'ibv_modify_srq') return withSize(op);
    const isVaried = this.#isInterrupted && op.call === 'ibv_modify_qp' && this.chance.happens(0.3);
    if (!isVaried) return op;
    const { attr, attrMask } = op.args as { readonly attr: ProgramStruct; readonly attrMask: readonly string[] };
    const others = Object.entries(unmasked).filter(([name]) => !(attrMask as string[]).includes(bitOf(name)));
    return { ...op, args: { ...op.args, attr: { ...Object.fromEntries(this.chance.some(others, 0.4)), ...attr } } };
  }

  async before(w: Walk, { call }: CallOp): Promise<void> {
    if (this.#isInterrupted && call === 'ibv_post_send' && this.chance.happens(0.4)) await interlude(w);
  }

  async after(w: Walk, { call, args }: CallOp): Promise<void> {
    if (!this.#isInterrupted || !this.chance.happens(0.2)) return;
    if (asks.test(call)) await w.perform({ call, args });
    const { channel } = args;
    if (call === 'ibv_get_cq_event' && w.backend.isQuiet && channel !== undefined)
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
  const able = allFinales.filter(({ isEnabled }) => hasRoom(w) && w.size < callsMost && isEnabled(w));
  await w.chance.weighted(able.map((each) => [each, each.weight] as const))?.make(w);
}
