import { HarnessError, type Cq, type RecvWr, type SendFlag, type SendWr, type Sge } from '../../drivers/contract';
import { qkey } from './connection';
import type { ObjectRef } from '../world/object-ref';
import type { ConnectedQp, VerbsWorld } from '../world/world';

/**
 * Messages that overrun a CQ. Some providers make twice as many entries as they say, and a few more; nobody is known to make
 * four times as many.
 */
export const overrunMessagesMax = (cq: Cq): number => 4 * (cq.cqe + 1) + 16;

/** What a scenario wants of a send; the rest is a signaled IBV_WR_SEND of a message whose content does not matter. */
export type WantedSend = Partial<SendWr>;

/** A send WR of this QP, towards its peer. */
export async function sendWr(world: VerbsWorld, from: ConnectedQp, wanted: WantedSend = {}): Promise<SendWr> {
  return {
    wrId: wanted.wrId ?? world.nextWrId(),
    sgList: wanted.sgList ?? [(await world.memoryFor(from.qp)).source()],
    opcode: 'IBV_WR_SEND',
    sendFlags: ['IBV_SEND_SIGNALED'],
    ...(from.ah !== undefined && { ud: { ah: from.ah, remoteQpn: from.peer.qpNum, remoteQkey: qkey } }),
    ...wanted,
  };
}

/** Posts signaled sends of messages whose content does not matter, as one list. */
export async function send(world: VerbsWorld, from: ConnectedQp, solicited: boolean, count = 1): Promise<void> {
  const sendFlags: SendFlag[] = solicited ? ['IBV_SEND_SIGNALED', 'IBV_SEND_SOLICITED'] : ['IBV_SEND_SIGNALED'];
  demandRoom(world, from, count);
  await world.memoryFor(from.qp);
  const wrs = await Promise.all(Array.from({ length: count }, () => sendWr(world, from, { sendFlags })));
  await world.driver.postSend(from.qp, wrs);
}

/** Posts receives on a QP or an SRQ, as one list. */
export async function postReceives(
  world: VerbsWorld,
  { kind, name }: ObjectRef,
  wrs: readonly RecvWr[],
): Promise<void> {
  if (kind === 'srq') return world.driver.postSrqRecv(world.srqs.get(name), wrs);
  const to = world.qps.get(name);
  demandRoom(world, to, wrs.length);
  return world.driver.postRecv(to.qp, wrs);
}

/** A QP that is too small for a scenario says nothing of the device: a CQ may be far larger than was asked for. */
function demandRoom(world: VerbsWorld, qp: ConnectedQp, count: number): void {
  if (count <= qp.workRequests) return;
  throw new HarnessError(
    `the scenario posts ${count} work requests at once, and QP ${world.qps.nameOf(qp)} holds ${qp.workRequests}`,
    'the device may have rounded up a small CQ to more entries than the suite is made for',
  );
}

/** Receives for a QP or an SRQ, with room for any message whose content does not matter. */
export async function recvWrs(world: VerbsWorld, ref: ObjectRef, count: number): Promise<RecvWr[]> {
  const target: Sge = (await world.memoryFor(world.object(ref))).target();
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
