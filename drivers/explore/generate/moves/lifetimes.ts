import { arm } from '../completions';
import { bringUp, makeChannel, makeCq, makePair, makeRegion, makeSrq, pathToSelf } from '../objects';
import { member, of, type Cq, type Qp, type QpState, type QpType, type Walk } from '../walk';
import { destroyChannel, destroyCq, destroyQp } from './destroying';
import { hasChannel, hasCq, hasRoom, move, soundCqs, withOne, type Moves } from './move';

const types: readonly QpType[] = ['IBV_QPT_RC', 'IBV_QPT_UC', 'IBV_QPT_UD'];

/** The types of QPs that this program may use. */
export function typesOf(w: Walk): readonly QpType[] {
  return types.filter((type) =>
    type === 'IBV_QPT_UC' ? w.has('uc') : type === 'IBV_QPT_UD' ? w.has('ud') : w.has('connection'),
  );
}

export async function newPair(w: Walk, type?: QpType): Promise<readonly [Qp, Qp] | undefined> {
  const own = type ?? w.chance.pick(typesOf(w));
  const cqs = soundCqs(w);
  const pick = (): Cq | undefined => w.chance.pick(cqs);
  const [one, two, three, four] = w.chance.happens(0.6) ? shared(pick(), pick()) : [pick(), pick(), pick(), pick()];
  if (own === undefined || !one || !two || !three || !four) return undefined;
  const srq = own !== 'IBV_QPT_UD' && w.chance.happens(0.5) ? w.chance.pick(w.srqs) : undefined;
  const pair = await makePair(w, { type: own, cqs: [one, two, three, four], srq });
  const [client, server] = pair;
  await bringUp(w, client);
  await bringUp(w, server, w.chance.happens(0.1) ? 'RTR' : 'RTS');
  return pair;
}

/** An SRQ that QPs use, whatever state they are in, is not destroyed. */
async function destroyBusySrq(w: Walk): Promise<void> {
  const cq = await makeCq(w, { cqe: 32 });
  if (!w.cqs.includes(cq)) return;
  const srq = await makeSrq(w);
  const pair = await makePair(w, { type: 'IBV_QPT_RC', cqs: [cq, cq, cq, cq], srq, sharesSrq: w.chance.happens(0.5) });
  const state = w.chance.one<QpState>('RESET', 'INIT', 'RTR', 'RTS');
  for (const qp of pair) await bringUp(w, qp, state);
  if (w.chance.happens(0.4)) await destroyQp(w, pair[0]);
  await w.call('ibv_destroy_srq', { srq: of(srq.name) });
}

const shared = (client: Cq | undefined, server: Cq | undefined) => [client, client, server, server] as const;

export const lifetimes: Moves = {
  'new-channel': move(
    1,
    async (w) => await makeChannel(w),
    ({ channels }) => channels.length < 5,
  ),
  'new-cq': move(
    1.5,
    async (w) => await makeCq(w),
    ({ cqs }) => cqs.length < 6,
  ),
  'new-cq-that-is-used': move(
    1,
    async (w) => {
      const cq = await makeCq(w);
      if (w.chance.happens(0.5)) await arm(w, cq, w.chance.one(0, 1));
      await newPair(w);
    },
    ({ cqs, qps }) => cqs.length < 6 && qps.length < 6,
  ),
  'new-pair': move(
    1.2,
    async (w) => await newPair(w),
    (w) => hasCq(w) && w.qps.length < 6,
  ),
  'destroy-busy-cq': move(
    1.5,
    (w) =>
      withOne(
        w,
        soundCqs(w).filter(({ users }) => users.size > 0),
        async (cq) => {
          await w.settle();
          await w.call('ibv_destroy_cq', { cq: of(cq.name) });
          if (cq.channel !== undefined && w.chance.happens(0.25)) await destroyChannel(w, cq.channel.name);
          if (w.chance.happens(0.25)) await w.call('ibv_destroy_cq', { cq: of(cq.name) });
        },
      ),
    (w) => soundCqs(w).some(({ users }) => users.size > 0),
  ),
  'destroy-busy-srq': move(0.8, destroyBusySrq, (w) => w.has('srq') && w.srqs.length < 4 && hasRoom(w)),
  'destroy-free-cq': move(
    1,
    (w) =>
      withOne(
        w,
        soundCqs(w).filter(({ users }) => users.size === 0),
        (cq) => destroyCq(w, cq),
      ),
    (w) => soundCqs(w).some(({ users }) => users.size === 0),
  ),
  'destroy-channel': move(1, (w) => withOne(w, w.channels, ({ name }) => destroyChannel(w, name)), hasChannel),
  'destroy-pair': move(
    0.8,
    (w) =>
      withOne(w, w.qps, async (qp) => {
        const { peer } = qp;
        await destroyQp(w, qp);
        if (w.chance.happens(0.3)) await destroyBusy(w, qp);
        if (w.qps.includes(peer)) await destroyQp(w, peer);
        for (const cq of new Set([qp.sendCq, qp.recvCq])) {
          if (cq.users.size === 0 && w.cqs.includes(cq) && !w.isOverrun(cq) && w.chance.happens(0.6))
            await destroyCq(w, cq);
        }
      }),
    ({ qps }) => qps.length > 0,
  ),
  'another-context': move(0.5, async (w) => {
    const [context, channel, cq] = [w.name('ctx'), w.name('ch'), w.name('cq')];
    await w.call('ibv_open_device', { device: member('dut', 'name') }, context);
    await w.call('ibv_create_comp_channel', { context: of(context) }, channel);
    await w.call(
      'ibv_create_cq',
      {
        context: of(context),
        cqe: 4,
        cqContext: '0x9',
        channel: w.has('cq-notifications') ? of(channel) : null,
        compVector: 0,
      },
      cq,
    );
    await w.call('struct ibv_cq', { cq: of(cq) });
    await withOne(w, w.cqs, async ({ name }) => await w.call('struct ibv_cq', { cq: of(name) }));
    await makeChannel(w);
    await withOne(w, w.channels, async ({ name }) => await w.call('struct ibv_comp_channel', { channel: of(name) }));
    await makeCq(w);
    await w.call('ibv_destroy_cq', { cq: of(cq) });
    await w.call('ibv_destroy_comp_channel', { channel: of(channel) });
    await w.call('ibv_close_device', { context: of(context) });
  }),
  'other-objects': move(0.5, async (w) => {
    const [pd, ah] = [w.name('pd'), w.name('ah')];
    await w.call('ibv_alloc_pd', { context: of(w.context) }, pd);
    if (w.has('ud')) await w.call('ibv_create_ah', { pd: of(pd), attr: pathToSelf }, ah);
    const region = await makeRegion(w, ['IBV_ACCESS_LOCAL_WRITE'], pd);
    await w.call('ibv_dereg_mr', { mr: of(region.mr) });
    await w.call('memory free', { memory: of(region.memory) });
    if (w.has('ud')) await w.call('ibv_destroy_ah', { ah: of(ah) });
    await w.call('ibv_dealloc_pd', { pd: of(pd) });
    await w.call('ibv_query_device', { context: of(w.context) });
    await w.call('ibv_query_device_ex', { context: of(w.context) });
    await w.call('ibv_query_port', { context: of(w.context), portNum: member('dut', 'portNum') });
  }),
};

async function destroyBusy(w: Walk, { sendCq, recvCq }: Qp): Promise<void> {
  for (const cq of new Set([sendCq, recvCq])) {
    if (cq.users.size > 0 && !w.isOverrun(cq)) await w.call('ibv_destroy_cq', { cq: of(cq.name) });
  }
}
