import type { ProgramStruct } from '../../../programs/program';
import { refusedSendStays } from '../avoided';
import { destroyChannel } from '../moves/destroying';
import { changeInVain } from '../moves/refusing';
import { messageOf, needsReceive, postReceives, wrOf } from '../work';
import { member, of, type Qp, type Srq, type Walk } from '../walk';
import { messagesOf } from './exchange';
import { memoryOf, placeBytes, places, type Rig } from './rig';

/** What must be refused is, and changes nothing of what these objects are used for. */
export async function refuse(w: Walk, rig: Rig): Promise<void> {
  const { chance } = w;
  const [client, server] = rig.pair;
  const bound = rig.windows.some(({ isHeld }) => isHeld);
  const { srq } = server;
  const channel = rig.cqs.find((cq) => cq.channel !== undefined)?.channel;
  await chance.pick<() => Promise<unknown>>([
    () => w.call('ibv_destroy_cq', { cq: of(chance.one(client, server).recvCq.name) }),
    ...(srq === undefined ? [] : [() => destroySrqInVain(w, server, srq)]),
    ...(bound ? [() => w.call('ibv_dereg_mr', { mr: of(memoryOf(rig, server).mr) })] : []),
    ...(channel === undefined ? [] : [() => destroyChannel(w, channel.name)]),
    ...(w.avoided.has(refusedSendStays) ? [] : [() => sendTooLarge(w, rig)]),
    () => changeInVain(w, chance.one(client, server)),
  ])?.();
}

/** What it holds stays there. */
async function destroySrqInVain(w: Walk, server: Qp, srq: Srq): Promise<void> {
  await postReceives(w, server, [placeBytes]);
  await w.call('ibv_destroy_srq', { srq: of(srq.name) });
}

/** Of a list the last one has more entries than its queue takes. */
async function sendTooLarge(w: Walk, rig: Rig): Promise<void> {
  const [client, server] = rig.pair;
  const sent = messagesOf(w, rig, client);
  const needed = sent.filter(({ message }) => needsReceive(message.opcode)).length;
  await postReceives(w, server, Array<number>(Math.max(0, needed - w.received(server))).fill(placeBytes));
  const large = messageOf(w, client, 'IBV_WR_SEND', { length: 40, flags: ['IBV_SEND_SIGNALED'] });
  const { mr } = memoryOf(rig, client);
  const entry = { addr: member(mr, 'addr', places[0]), length: 8, lkey: member(mr, 'lkey') };
  const last = { ...wrOf(w, client, large), sgList: Array<ProgramStruct>(5).fill(entry) };
  const wrs = [...sent.map(({ wr }) => wr), last];
  await w.call('ibv_post_send', { qp: of(client.name), wrs });
}
