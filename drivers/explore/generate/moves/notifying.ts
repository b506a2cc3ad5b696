import { ack, ackAll, arm, drain, drainChannel, getEvent } from '../completions';
import { setNonblocking } from '../objects';
import { of, type Cq, type Walk } from '../walk';
import { channelsWithEvents, hasChannel, hasCq, move, soundCqs, withOne, type Moves } from './move';

const selectors = [0, 0, 0, 1, 1, 1, 2, 256, -1, 3];

const armable = (w: Walk): Cq[] => soundCqs(w).filter(({ channel }) => channel !== undefined || w.chance.happens(0.1));

async function armOne(w: Walk): Promise<void> {
  await withOne(w, armable(w), (cq) => arm(w, cq, w.chance.pick(selectors) ?? 0));
}

export const notifying: Moves = {
  arm: move(7, armOne, hasCq),
  'arm-all': move(
    3,
    async (w) => {
      for (const cq of armable(w)) await arm(w, cq, w.chance.one(0, 1));
    },
    hasCq,
  ),
  'arm-twice': move(
    2,
    (w) =>
      withOne(w, armable(w), async (cq) => {
        await arm(w, cq, w.chance.pick(selectors) ?? 0);
        await arm(w, cq, w.chance.pick(selectors) ?? 0);
      }),
    hasCq,
  ),
  'take-events': move(7, (w) => withOne(w, w.channels, (channel) => drainChannel(w, channel)), hasChannel),
  'take-one-event': move(
    3,
    (w) => withOne(w, channelsWithEvents(w), async (channel) => await getEvent(w, channel)),
    (w) => channelsWithEvents(w).length > 0,
  ),
  'look-for-events': move(
    1,
    (w) =>
      withOne(
        w,
        w.channels,
        async ({ name }) => await w.call('poll', { source: of(name), timeoutMs: w.chance.one(0, 2) }),
      ),
    hasChannel,
  ),
  'ack-some': move(
    2.5,
    (w) =>
      withOne(
        w,
        w.cqs.filter(({ unacked }) => unacked > 0),
        (cq) => ack(w, cq, w.chance.between(1, cq.unacked)),
      ),
    ({ cqs }) => cqs.some(({ unacked }) => unacked > 0),
  ),
  'ack-all': move(
    1.5,
    async (w) => {
      for (const cq of w.cqs) if (cq.unacked > 0) await ackAll(w, cq);
    },
    ({ cqs }) => cqs.some(({ unacked }) => unacked > 0),
  ),
  'ack-nothing': move(0.4, (w) => withOne(w, soundCqs(w), (cq) => ack(w, cq, 0)), hasCq),
  poll: move(
    5,
    async (w) => {
      if (w.chance.happens(0.85)) await w.settle();
      await withOne(w, soundCqs(w), (cq) => drain(w, cq));
    },
    hasCq,
  ),
  'poll-some': move(
    4,
    async (w) => {
      if (w.chance.happens(0.85)) await w.settle();
      await withOne(w, soundCqs(w), async (cq) => {
        await w.call('ibv_poll_cq', { cq: of(cq.name), numEntries: w.chance.between(0, 3) });
        if (w.chance.happens(0.4)) await w.call('ibv_poll_cq', { cq: of(cq.name), numEntries: 4 });
      });
    },
    hasCq,
  ),
  moderate: move(
    2,
    (w) => withOne(w, soundCqs(w), (cq) => moderate(w, cq)),
    (w) => hasCq(w) && w.has('cq-moderation'),
  ),
  'change-modes': move(2, (w) =>
    withOne(w, [...w.channels.map(({ name }) => name), w.context], async (source) => {
      if (w.chance.happens(0.5)) await w.call('fcntl', { source: of(source), cmd: 'F_GETFL' });
      if (w.chance.happens(0.3))
        for (const isNonblocking of [true, false, true]) await setNonblocking(w, source, isNonblocking);
      else await setNonblocking(w, source, w.chance.happens(0.6));
      const channel = w.channels.find(({ name }) => name === source);
      if (channel?.isNonblocking === true && w.chance.happens(0.5)) await getEvent(w, channel);
      if (w.chance.happens(0.6)) await w.call('fcntl', { source: of(source), cmd: 'F_GETFL' });
    }),
  ),
  'read-members': move(
    1,
    async (w) => {
      await withOne(w, w.cqs, async ({ name }) => await w.call('struct ibv_cq', { cq: of(name) }));
      await withOne(w, w.channels, async ({ name }) => await w.call('struct ibv_comp_channel', { channel: of(name) }));
    },
    hasCq,
  ),
  'run-out-of-descriptors': move(0.7, async (w) => {
    const resource = 'RLIMIT_NOFILE';
    await w.call('setrlimit', { resource, soft: 0 });
    await w.call('ibv_create_comp_channel', { context: of(w.context) }, w.name('no'));
    await w.call('setrlimit', { resource, soft: null });
    const name = w.name('ch');
    await w.call('ibv_create_comp_channel', { context: of(w.context) }, name);
    await w.call('struct ibv_comp_channel', { channel: of(name) });
    w.channels.push({ name, isNonblocking: false });
    await setNonblocking(w, name, true);
  }),
};

async function moderate(w: Walk, cq: Cq): Promise<void> {
  const isMasked = w.chance.happens(0.15);
  const cqPeriod = w.chance.one(1000, 200, 16, 4000, 0);
  // A period of 0 has no meaning that a page gives, nor has a count of 0.
  const cqCount = cqPeriod === 0 ? 1 : w.chance.one(2, 3, 1, 16);
  const attr = { attrMask: isMasked ? [] : ['IBV_CQ_ATTR_MODERATE'], moderate: { cqCount, cqPeriod } };
  await w.settle();
  await w.call('ibv_modify_cq', { cq: of(cq.name), attr });
}
