import type { Cq } from '../drivers/contract';
import { HarnessError } from '../drivers/contract';
import type { ConnectedQp, VerbsWorld } from './world';

/** Posts one signaled send of a message whose content does not matter. */
export async function send(
  world: VerbsWorld,
  { qp }: ConnectedQp,
  solicited: boolean,
  wrId = world.nextWrId(),
): Promise<void> {
  const { source } = await world.memory();
  await world.driver.postSend(qp, {
    wrId,
    sgList: [source],
    opcode: 'IBV_WR_SEND',
    sendFlags: solicited ? ['IBV_SEND_SIGNALED', 'IBV_SEND_SOLICITED'] : ['IBV_SEND_SIGNALED'],
  });
}

/** Posts one receive with room for a message. */
export async function receive(world: VerbsWorld, { qp }: ConnectedQp): Promise<void> {
  const { target } = await world.memory();
  await world.driver.postRecv(qp, { wrId: world.nextWrId(), sgList: [target] });
}

/** The QP whose messages complete as receives on `cq`. */
export function senderTo(world: VerbsWorld, cq: Cq): ConnectedQp {
  const qps = [...world.qps.values()];
  const receiver = qps.find(({ recvCq }) => recvCq === cq);
  const sender = qps.find(({ qp }) => qp === receiver?.peer);
  if (sender === undefined) throw new HarnessError(`no QP sends to CQ ${world.cqs.nameOf(cq)}`);
  return sender;
}
