import type { ProgramStruct } from '../../../programs/program';
import { drain } from '../completions';
import { bringUp, makeCq, makePair, makeSrq, modifyQp, pathToSelf, qkey } from '../objects';
import { look, messageOf, postReceives, wrOf, writePayload } from '../work';
import { member, of, type Qp, type Walk } from '../walk';
import { qkeys } from './rig';

/** A datagram, and the handle and the Q_Key that it is sent with. */
interface Sent {
  readonly ah: string;
  readonly remoteQkey: number;
}

/** Datagrams by several handles and Q_Keys, of which a QP takes those with its own as it is by then. */
export async function sendByOtherKeys(w: Walk): Promise<void> {
  const { chance } = w;
  const cq = await makeCq(w, { cqe: 64 });
  if (!w.cqs.includes(cq)) return;
  const srq = w.has('srq') && chance.happens(0.3) ? await makeSrq(w) : undefined;
  const init = { type: 'IBV_QPT_UD', sharesSrq: false, signalsAll: false, entries: 3 } as const;
  const pair = await makePair(w, { ...init, srq, cqs: [cq, cq, cq, cq] });
  for (const qp of pair) await bringUp(w, qp);
  const [client, server] = pair;
  const handles = [client.ah ?? ''];
  let own: number = qkey;
  for (let left = chance.between(4, 9); left > 0 && !w.isOver && w.size < 160; left--) {
    if (chance.happens(0.25)) {
      own = chance.one(...qkeys);
      await modifyQp(w, server, { qkey: own });
    }
    if (chance.happens(0.35)) await changeHandles(w, handles);
    const remoteQkey = chance.happens(0.65) ? own : chance.one(...qkeys);
    await sendOnce(w, [client, server], { ah: chance.pick(handles) ?? '', remoteQkey });
    if (chance.happens(0.7)) await drain(w, cq);
  }
  await drain(w, cq);
}

/** There is always one; its equals come and go. */
async function changeHandles(w: Walk, handles: string[]): Promise<void> {
  if (handles.length > 1 && w.chance.happens(0.5)) {
    const [gone] = handles.splice(1 + w.chance.below(handles.length - 1), 1);
    await w.call('ibv_destroy_ah', { ah: of(gone ?? '') });
    return;
  }
  const made = w.name('ah');
  await w.call('ibv_create_ah', { pd: of(w.pd), attr: pathToSelf }, made);
  handles.push(made);
}

async function sendOnce(w: Walk, [client, server]: readonly [Qp, Qp], { ah, remoteQkey }: Sent): Promise<void> {
  const { chance } = w;
  const receives = w.received(server) === 0 ? await postReceives(w, server, [24, 24]) : [];
  const flags = ['IBV_SEND_SIGNALED', ...(w.has('inline') && chance.happens(0.35) ? ['IBV_SEND_INLINE'] : [])];
  const opcode = chance.one('IBV_WR_SEND', 'IBV_WR_SEND', 'IBV_WR_SEND_WITH_IMM');
  const message = messageOf(w, client, opcode, { length: 16, flags, entries: 1 });
  await writePayload(w, client, message);
  const ud: ProgramStruct = { ah: of(ah), remoteQpn: member(server.name, 'qpNum'), remoteQkey };
  await w.call('ibv_post_send', { qp: of(client.name), wrs: [{ ...wrOf(w, client, message), ud }] });
  await w.settle();
  for (const { at } of receives) if (chance.happens(0.5)) await look(w, server.region, at + 40, 16, 0);
}
