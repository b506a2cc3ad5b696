import type { QpType } from '../../contract';
import { isRefused, type Bench } from './bench';
import { createQp, modifyQp, Pair } from './loopback';
import type { Trial } from './trial';

/** Bytes. */
const inlineData = 32;

/** Transports other than that of InfiniBand and RoCE leave the connecting of QPs to rdma_cm(7), or have none. */
const connecting: readonly string[] = ['IBV_TRANSPORT_IB', 'simulated'];

/** The types of QPs that a device brings up; what else is tried depends on them. */
export const qpTypeTrials: readonly Trial[] = [
  {
    capability: 'connection',
    shows: async ({ bench }) => connecting.includes(bench.driver.dut.transport) && (await comesUp(bench, 'IBV_QPT_RC')),
  },
  { capability: 'uc', shows: ({ bench }) => comesUp(bench, 'IBV_QPT_UC') },
  { capability: 'ud', shows: ({ bench }) => comesUp(bench, 'IBV_QPT_UD') },
];

/** What QPs can beside messages. */
export const qpTrials: readonly Trial[] = [
  {
    capability: 'inline',
    sends: true,
    shows: async ({ bench, qpType }) => {
      const cq = await bench.cq(1);
      const wish = { qpType, sendCq: cq, recvCq: cq };
      await createQp(bench, wish);
      return !(await isRefused(createQp(bench, { ...wish, maxInlineData: inlineData })));
    },
  },
  {
    capability: 'sq-drain',
    needs: ['connection'],
    shows: async ({ bench }) => {
      const { sender } = await pairOf(bench, 'IBV_QPT_RC');
      return !(await isRefused(modifyQp(bench.driver, sender, { qpState: 'IBV_QPS_SQD' })));
    },
  },
];

async function comesUp(bench: Bench, qpType: QpType): Promise<boolean> {
  return !(await isRefused(pairOf(bench, qpType), 'ibv_create_qp', 'ibv_modify_qp'));
}

/** A pair whose completions nobody looks at. */
export async function pairOf(bench: Bench, qpType: QpType): Promise<Pair> {
  const cq = await bench.cq(1);
  return Pair.make(bench, { qpType, sendCq: cq, recvCq: cq });
}
