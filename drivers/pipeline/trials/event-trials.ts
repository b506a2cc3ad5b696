import type { CompChannel } from '../../contract';
import { modifyQp, Pair } from './loopback';
import type { Trial, TrialOn } from './trial';
import { comesEvent, completionsOf, takesAsyncEvent, takesEvent, takesWaitingEvent } from './waits';
import { newSrq } from './work-trials';

/** Work requests of a queue that every device has room for. */
const workRequestsMax = 512;

/** Messages that overrun a CQ: a device may have twice as many entries as it says, and some more. */
const overrunMessages = (cqe: number): number => 4 * (cqe + 1) + 16;

/** What a device does that completes a message, beside the completion. */
export const eventTrials: readonly Trial[] = [
  {
    capability: 'arm-ignores-backlog',
    needs: ['cq-notifications'],
    sends: true,
    shows: async (on) => {
      const { driver } = on.bench;
      const { pair, channel } = await notifyingPair(on);
      await message(pair);
      await driver.settle();
      await driver.reqNotifyCq(pair.recvCq, 0);
      await driver.settle();
      return !(await takesWaitingEvent(driver, channel));
    },
  },
  {
    capability: 'arm-before-get',
    needs: ['cq-notifications'],
    sends: true,
    shows: async (on) => {
      const { driver } = on.bench;
      const { pair, channel } = await notifyingPair(on);
      await driver.reqNotifyCq(pair.recvCq, 0);
      await message(pair);
      if (!(await comesEvent(driver, channel))) return true;
      await completionsOf(driver, pair.recvCq);
      await driver.reqNotifyCq(pair.recvCq, 0);
      await message(pair);
      return (await takesWaitingEvent(driver, channel)) && takesEvent(driver, channel);
    },
  },
  {
    capability: 'cq-overrun-event',
    sends: true,
    shows: async ({ bench, qpType }) => {
      const sendCq = await bench.cq(1);
      const workRequests = overrunMessages(sendCq.cqe);
      if (workRequests > workRequestsMax) return true;
      const recvCq = await bench.cq(2 * workRequests);
      const pair = await Pair.make(bench, { qpType, sendCq, recvCq, workRequests });
      await Promise.all([pair.receive(workRequests), pair.send(workRequests)]);
      return takesAsyncEvent(bench, 'IBV_EVENT_CQ_ERR');
    },
  },
  {
    capability: 'last-wqe-event',
    needs: ['connection', 'srq'],
    shows: async ({ bench }) => {
      const cq = await bench.cq(1);
      const wish = { qpType: 'IBV_QPT_RC', sendCq: cq, recvCq: cq, srq: await newSrq(bench) } as const;
      const { receiver } = await Pair.make(bench, wish);
      await modifyQp(bench.driver, receiver, { qpState: 'IBV_QPS_ERR' });
      return takesAsyncEvent(bench, 'IBV_EVENT_QP_LAST_WQE_REACHED');
    },
  },
];

/** A pair whose receives complete in a CQ on a channel. */
async function notifyingPair({ bench, qpType }: TrialOn): Promise<{ pair: Pair; channel: CompChannel }> {
  const channel = await bench.channel();
  const [recvCq, sendCq] = await Promise.all([bench.cq(4, channel), bench.cq(4)]);
  return { pair: await Pair.make(bench, { qpType, sendCq, recvCq }), channel };
}

/** Sends a message, and waits until that has completed. */
async function message(pair: Pair): Promise<void> {
  await Promise.all([pair.receive(), pair.send()]);
  await completionsOf(pair.bench.driver, pair.sendCq);
}
