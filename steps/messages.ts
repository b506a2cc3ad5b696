import { HarnessError, type Cq, type RecvWr, type SendFlag, type SendWr, type Sge } from '../drivers/contract';
import { qkey } from './connection';
import type { ObjectRef } from './object-ref';
import type { ConnectedQp, VerbsWorld } from './world';

/** Messages that overrun a CQ: providers keep no more than as many hidden entries again, and one. */
export const overrunMessagesMax = (cq: Cq): number => 2 * (cq.cqe + 1);

/** What a scenario wants of a send; the rest is a signaled IBV_WR_SEND of a message whose content does not matter. */
export type WantedSend = Partial<Omit<SendWr, 'ud'>>;

/** A send WR of this QP, towards its peer. */
export async function sendWr(world: VerbsWorld, from: ConnectedQp, wanted: WantedSend = {}): Promise<SendWr> {
  return {
    wrId: wanted.wrId ?? world.nextWrId(),
    sgList: wanted.sgList ?? [(await world.memory()).source()],
    opcode: 'IBV_WR_SEND',
    sendFlags: ['IBV_SEND_SIGNALED'],
    ...(from.ah !== undefined && { ud: { ah: from.ah, remoteQpn: from.peer.qpNum, remoteQkey: qkey } }),
    ...wanted,
  };
}

/** Posts signaled sends of messages whose content does not matter, as one list. */
export async function send(world: VerbsWorld, from: ConnectedQp, solicited: boolean, count = 1): Promise<void> {
  const sendFlags: SendFlag[] = solicited ? ['IBV_SEND_SIGNALED', 'IBV_SEND_SOLICITED'] : ['IBV_SEND_SIGNALED'];
  await world.memory();
  const wrs = await Promise.all(Array.from({ length: count }, () => sendWr(world, from, { sendFlags })));
  await world.driver.postSend(from.qp, wrs);
}

/** Posts receives on a QP or an SRQ, as one list. */
export async function postReceives(
  world: VerbsWorld,
  { kind, name }: ObjectRef,
  wrs: readonly RecvWr[],
): Promise<void> {
  if (kind === 'SRQ') await world.driver.postSrqRecv(world.srqs.get(name), wrs);
  else await world.driver.postRecv(world.qps.get(name).qp, wrs);
}

/** Receives with room for any message whose content does not matter. */
export async function recvWrs(world: VerbsWorld, count: number): Promise<RecvWr[]> {
  const target: Sge = (await world.memory()).target();
  return Array.from({ length: count }, () => ({ wrId: world.nextWrId(), sgList: [target] }));
}

/** The QP whose messages complete as receives on `cq`. */
export function senderTo(world: VerbsWorld, cq: Cq): ConnectedQp {
  const qps = [...world.qps.values()];
  const receiver = qps.find(({ recvCq }) => recvCq === cq);
  const sender = qps.find(({ qp }) => qp === receiver?.peer);
  if (sender === undefined) throw new HarnessError(`no QP sends to CQ ${world.cqs.nameOf(cq)}`);
  return sender;
}
