import { drain, drainAsync } from '../../completions';
import { bind, pickOpcode, reach } from '../../moves/reaching';
import { recoverPair } from '../../moves/sharing';
import { makeRegion, remoteRights } from '../../objects';
import { listOf, messageOf, postReceives, wrOf } from '../../work';
import { member, of, type Qp, type Region, type Walk } from '../../walk';
import { comeBack, reachingPair } from './keys';

/** Memory that has been used by a key is closed with it: to the QP that has used it, and to whoever has the next key. */
export async function closeAndOpen(w: Walk): Promise<void> {
  const { chance } = w;
  const pair = await reachingPair(w);
  if (pair === undefined) return;
  const [client, server] = pair;
  const region = await makeRegion(w, ['IBV_ACCESS_LOCAL_WRITE', ...someRights(w)]);
  const gathers = chance.happens(0.5);
  const use = (from: Region): Promise<void> => (gathers ? sendFrom(w, client, from) : reachTo(w, client, from));
  for (let times = chance.between(1, 2); times > 0 && !w.isOver; times--) await use(region);
  if (w.hasFailed(client) || w.hasFailed(server)) await comeBack(w, client);
  await w.call('ibv_dereg_mr', { mr: of(region.mr) });
  if (chance.happens(0.5)) await use(region);
  if (w.hasFailed(client) || w.hasFailed(server)) await comeBack(w, client);
  const again = { ...region, mr: w.name('mr') };
  const access = chance.happens(0.7) ? ['IBV_ACCESS_LOCAL_WRITE', ...someRights(w)] : [];
  const addr = member(region.memory, 'addr');
  const pd = chance.happens(0.8) ? w.pd : w.name('pd');
  if (pd !== w.pd) await w.call('ibv_alloc_pd', { context: of(w.context) }, pd);
  await w.call('ibv_reg_mr', { pd: of(pd), addr, length: region.bytes, access }, again.mr);
  await use(again);
  await drainAsync(w);
  await recoverPair(w, client);
}

const someRights = (w: Walk): readonly string[] =>
  w.chance.some(remoteRights, 0.5).filter((one) => w.has('atomics') || !one.includes('ATOMIC'));

const reachTo = (w: Walk, client: Qp, { memory, mr }: Region): Promise<void> =>
  reach(w, client, pickOpcode(w, client), { memory, at: 1024, rkey: member(mr, 'rkey') }, client.region);

/** Sends what a region holds. */
async function sendFrom(w: Walk, client: Qp, region: Region): Promise<void> {
  const message = messageOf(w, client, 'IBV_WR_SEND', { length: 16, flags: ['IBV_SEND_SIGNALED'], entries: 1 });
  const [receive] = await postReceives(w, client.peer, [24]);
  await w.call('memory write', { addr: member(region.memory, 'addr', 64), bytes: w.payload(16) });
  const wr = { ...wrOf(w, client, message), sgList: listOf(region, 64, 16, 1) };
  await w.call('ibv_post_send', { qp: of(client.name), wrs: [wr] });
  await w.settle();
  await drain(w, client.sendCq);
  if (receive === undefined) return;
  await w.call('memory read', { addr: member(client.peer.region.memory, 'addr', receive.at), length: 16 });
}

/** A window that ends closes what it has opened; one for reads alone needs no region that can be written. */
export async function endTheWindow(w: Walk): Promise<void> {
  const { chance } = w;
  const pair = await reachingPair(w);
  if (pair === undefined) return;
  const [client, server] = pair;
  const readOnly = ['IBV_ACCESS_MW_BIND', ...chance.one<string[]>([], ['IBV_ACCESS_REMOTE_READ'])];
  const isReadOnly = client.type === 'IBV_QPT_RC' && chance.happens(0.5);
  const region = isReadOnly ? await makeRegion(w, readOnly) : server.region;
  const mw = w.name('mw');
  await w.call('ibv_alloc_mw', { pd: of(w.pd), type: 'IBV_MW_TYPE_2' }, mw);
  const rkey = member(mw, 'rkey', 1);
  const access = isReadOnly ? ['IBV_ACCESS_REMOTE_READ'] : ['IBV_ACCESS_REMOTE_WRITE', 'IBV_ACCESS_REMOTE_READ'];
  await bind(w, server, mw, rkey, { at: 512, length: 256, access }, region.mr);
  const opcode = isReadOnly ? 'IBV_WR_RDMA_READ' : 'IBV_WR_RDMA_WRITE';
  const use = (): Promise<void> =>
    reach(w, client, opcode, { memory: region.memory, at: chance.one(512, 600), rkey }, client.region);
  if (chance.happens(0.7)) await use();
  await w.call('ibv_dealloc_mw', { mw: of(mw) });
  if (chance.happens(0.7)) await use();
  await drainAsync(w);
  await recoverPair(w, client);
}
