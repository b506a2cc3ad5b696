import { AsyncEvent } from '../../async/async-events';
import { Pd } from '../../pd/pd';
import { registeredParts, Registry } from './registry';

/** As several as scenarios have of entries, acks and the like: what could go wrong only with more is not tried. */
const several = 3;
const contexts = [0x0102_0304_0506_0708n, 0x1112_1314_1516_1718n, 0x2122_2324_2526_2728n] as const;

/** The objects of a small program, so several and in such states that whatever goes wrong with one of their members shows. */
export function sampleModel(): Registry {
  const registry = new Registry();
  const parts = registeredParts(registry);
  const device = new parts.Device(parts);
  const [context, other] = [device.open(), device.open()];
  const pd = new Pd(context);
  const [channel, spare] = [device.createCompChannel(context), device.createCompChannel(context)];
  for (const { descriptor } of [channel, context.asyncEvents]) descriptor.flags = ['O_NONBLOCK'];
  const [sendCq, recvCq, idleCq] = contexts.map((cqContext, index) =>
    device.createCqEx(
      context,
      { cqe: several + index, cqContext, compVector: 0, wcFlags: [], compMask: [], flags: [] },
      [channel, spare, undefined][index],
    ),
  ) as [Cq, Cq, Cq];
  const srq = device.createSrq(pd);
  srq.modify({ srqLimit: several });
  srq.post([1n, 2n].map(receive));
  const qpInit = { pd, qpType: 'IBV_QPT_RC', sendCq, recvCq, sqSigAll: false } as const;
  const shared = device.createQp({ ...qpInit, srq });
  const qp = device.createQp({ ...qpInit, srq: undefined });
  qp.postRecv([3n, 4n].map(receive));
  for (const wrId of [5n, 6n])
    shared.completeSend({ wrId, opcode: 'IBV_WR_SEND', sgList: [], sendFlags: [] }, 'IBV_WC_SUCCESS');
  for (const wrId of [7n, 8n]) shared.failReceive(receive(wrId), 'IBV_WC_WR_FLUSH_ERR');
  recvCq.iterator.start();
  for (const cq of [sendCq, recvCq]) channel.add(cq);
  for (const one of [sendCq, recvCq, idleCq]) {
    one.modify({ attrMask: ['IBV_CQ_ATTR_MODERATE'], cqCount: several, cqPeriod: several });
    one.compEvents.acknowledge(-several);
    context.raise('IBV_EVENT_CQ_ERR', one);
  }
  for (const { asyncEvents } of [sendCq, qp, srq]) asyncEvents.acknowledge(-several);
  other.asyncEvents.add(new AsyncEvent('IBV_EVENT_PORT_ERR', 1));
  sendCq.arm(0);
  recvCq.arm(1);
  return registry;
}

type Cq = ReturnType<InstanceType<ReturnType<typeof registeredParts>['Device']>['createCq']>;

const receive = (wrId: bigint): { wrId: bigint; sgList: [] } => ({ wrId, sgList: [] });
