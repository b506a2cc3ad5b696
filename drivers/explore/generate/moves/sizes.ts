import { arm, drain } from '../completions';
import { attrOf, bringUp, makeCq, makePair, modifyQp } from '../objects';
import { attrMasks } from '../questions';
import { member, of, type Cq, type Walk } from '../walk';
import { destroyQp } from './destroying';
import { hasCq, hasRoom, move, soundCqs, withOne, type Moves } from './move';

const resizable = (w: Walk): boolean => hasCq(w) && w.has('resize-cq');

/** Asks for another size, and looks which it is. */
async function resize(w: Walk, cq: Cq, cqe: number): Promise<void> {
  await w.settle();
  await w.call('ibv_resize_cq', { cq: of(cq.name), cqe });
  await w.call('struct ibv_cq', { cq: of(cq.name) }, cq.name + 'm');
}

async function resizeSomehow(w: Walk, cq: Cq): Promise<void> {
  const backlog = w.backlog(cq);
  const size = Number(w.output(cq.name, 'cqe') ?? 0);
  const cqe = w.chance.one(size + 1, size * 2, Math.max(1, backlog), Math.max(1, size - 1), backlog + 1);
  await resize(w, cq, Math.max(1, cqe, backlog));
  if (w.chance.happens(0.6)) await drain(w, cq);
}

/** Below its backlog a CQ cannot be resized, and goes on as before. */
async function resizeTooSmall(w: Walk, cq: Cq): Promise<void> {
  const backlog = w.backlog(cq);
  if (backlog < 2) return;
  await resize(w, cq, backlog - 1);
  if (w.chance.happens(0.6)) await drain(w, cq);
}

/** A CQ of more entries than the device allows is not made of this one, which goes on as before. */
export async function resizeTooLarge(w: Walk, cq: Cq): Promise<void> {
  const attr = w.name('attr');
  await w.call('ibv_query_device', { context: of(w.context) }, attr);
  await w.settle();
  await w.call('ibv_resize_cq', { cq: of(cq.name), cqe: member(attr, 'maxCqe', 1) });
  await w.call('struct ibv_cq', { cq: of(cq.name) });
}

export async function refusedCqs(w: Walk): Promise<void> {
  const { chance } = w;
  const tooMany = w.name('attr');
  await w.call('ibv_query_device', { context: of(w.context) }, tooMany);
  const basic = { cqContext: '0x1', channel: null };
  const wrong = chance.one(
    { cqe: member(tooMany, 'maxCqe', 1), compVector: 0 },
    { cqe: 4, compVector: -1 },
    { cqe: 4, compVector: member(w.context, 'numCompVectors') },
  );
  const channel = chance.happens(0.4) ? chance.pick(w.channels) : undefined;
  const attr = { ...basic, ...wrong, channel: channel === undefined ? null : of(channel.name) };
  const isEx = w.has('extended-cq') && chance.happens(0.4);
  if (isEx) {
    const cqAttr = { ...attr, wcFlags: [], compMask: [], flags: [] };
    await w.call('ibv_create_cq_ex', { context: of(w.context), cqAttr }, w.name('no'));
  } else await w.call('ibv_create_cq', { context: of(w.context), ...attr }, w.name('no'));
}

/** A connection whose attributes are larger than those of others; nothing is sent on it that would wait so long. */
async function largeAttributes(w: Walk): Promise<void> {
  const cq = await makeCq(w, { cqe: 8 });
  if (!w.cqs.includes(cq)) return;
  const init = { type: 'IBV_QPT_RC', cqs: [cq, cq, cq, cq], srq: undefined, sharesSrq: false } as const;
  const pair = await makePair(w, { ...init, rnrRetry: w.chance.one(7, 5), firstPsn: w.chance.one(0xfffffe, 0x800001) });
  const [qp] = pair;
  await bringUp(w, qp, 'INIT');
  await modifyQp(w, qp, { ...attrOf(w, qp, 'RTR'), minRnrTimer: w.chance.one(31, 17) });
  const waits = { timeout: w.chance.one(17, 16), retryCnt: w.chance.one(7, 6, 4) };
  await modifyQp(w, qp, { ...attrOf(w, qp, 'RTS'), ...waits });
  for (const attrMask of attrMasks) await w.call('ibv_query_qp', { qp: of(qp.name), attrMask });
  for (const one of pair) await destroyQp(w, one);
}

export const sizes: Moves = {
  resize: move(2.5, (w) => withOne(w, soundCqs(w), (cq) => resizeSomehow(w, cq)), resizable),
  'resize-too-small': move(
    1.5,
    (w) =>
      withOne(
        w,
        soundCqs(w).filter((cq) => w.backlog(cq) > 1),
        (cq) => resizeTooSmall(w, cq),
      ),
    resizable,
  ),
  'resize-too-large': move(1, (w) => withOne(w, soundCqs(w), (cq) => resizeTooLarge(w, cq)), resizable),
  'refused-cqs': move(1.5, refusedCqs),
  'large-attributes': move(0.5, largeAttributes, hasRoom),
  'cq-of-its-own': move(
    0.6,
    async (w) => {
      const cq = await makeCq(w, { cqe: w.chance.one(1, 2, 260) });
      await arm(w, cq, 0);
    },
    ({ cqs }) => cqs.length < 6,
  ),
};
