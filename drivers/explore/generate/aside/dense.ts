import type { ProgramStruct } from '../../../programs/program';
import { arm, drain, drainAsync, drainChannel } from '../completions';
import { bind, takeBack } from '../moves/reaching';
import { recoverPair } from '../moves/sharing';
import { modifyQp, remoteRights, rightsOf } from '../objects';
import { questionAbout } from '../questions';
import { postReceives } from '../work';
import { member, of, type Qp, type Walk } from '../walk';
import { exchange, lookAtPlaces } from './exchange';
import { interlude } from './interludes';
import { allBytes, connect, ends, makeRig, memoryOf, placeBytes, places, qkeys, type Rig } from './rig';
import { refuse } from './vain';

/** What can be done next with the few objects. */
interface Step {
  readonly weight: number;
  /** Whether all that use these objects do this. */
  readonly isOften: boolean;
  readonly make: (w: Walk, rig: Rig) => Promise<unknown>;
  readonly isEnabled: (w: Walk, rig: Rig) => boolean;
}

/** Calls of a program after which no step is made. */
const callsMost = 190;

/** What the work of a step takes of a region at most: its receives, and a place on either side of each message. */
const bytesOfStep = 1500;

/** Few objects are used over and over: what each use leaves behind meets all that may follow. */
export async function useOverAndOver(w: Walk): Promise<void> {
  const rig = await makeRig(w);
  if (rig === undefined || rig.cqs.some((cq) => !w.cqs.includes(cq))) return;
  const kept = emphasized(w, steps);
  const isOver = (): boolean => w.isOver || w.size >= callsMost || rig.pair.some(isWornOut);
  for (let left = w.chance.between(6, 16); left > 0 && !isOver(); left--) {
    const able: readonly Step[] = kept.filter(({ isEnabled }) => isEnabled(w, rig));
    await w.chance.weighted(able.map((step): [Step, number] => [step, step.weight]))?.make(w, rig);
    await w.settle();
    if (rig.pair.some((qp) => w.hasFailed(qp))) await goOn(w, rig);
  }
  await lookAtPlaces(w, rig);
  await drainAsync(w);
}

/** Whether datagrams might come where others have been, whose headers are still there and would be read as payload. */
const isWornOut = ({ type, region }: Qp): boolean => type === 'IBV_QPT_UD' && region.next + bytesOfStep > region.bytes;

/** Some of all, of which a few are made much of. */
const emphasized = ({ chance }: Walk, all: readonly Step[]): Step[] =>
  all
    .filter(({ isOften }) => isOften || chance.happens(0.6))
    .map((one) => ({ ...one, weight: one.weight * (one.isOften ? 1 : chance.one(1, 1, 5)) }));

/** What has failed begins anew. */
async function goOn(w: Walk, rig: Rig): Promise<void> {
  for (const cq of rig.cqs) await drain(w, cq);
  await recoverPair(w, rig.pair[0]);
  for (const cq of rig.cqs) await drain(w, cq);
  for (const qp of rig.pair) {
    await modifyQp(w, qp, { qpState: 'IBV_QPS_RESET' });
    qp.state = 'RESET';
    rig.qkeys.delete(qp);
  }
  for (const window of rig.windows) window.isHeld = false;
  await connect(w, rig.pair);
}

async function touch(w: Walk, rig: Rig): Promise<void> {
  const { memory } = memoryOf(rig, w.chance.one(...rig.pair));
  const [at, length] = [w.chance.one(...places), w.chance.one(8, 16, 64)];
  await w.call('memory write', { addr: member(memory, 'addr', at), bytes: w.payload(length) });
}

async function ask(w: Walk, { pair }: Rig): Promise<void> {
  const qp = w.chance.one(...pair);
  if (qp.srq === undefined || w.chance.happens(0.6)) await w.perform(questionAbout(w.chance, qp.name));
  else await w.call('ibv_query_srq', { srq: of(qp.srq.name) });
}

/** What can be changed of a QP that goes on. */
async function change(w: Walk, rig: Rig): Promise<void> {
  const { chance } = w;
  const qp = chance.one(...rig.pair);
  const rights = chance.happens(0.4) ? remoteRights : chance.some(remoteRights, 0.7);
  const changes: Readonly<Record<Qp['type'], readonly ProgramStruct[]>> = {
    IBV_QPT_RC: [{ minRnrTimer: chance.one(1, 2, 5, 9) }, { qpAccessFlags: [...rights] }],
    IBV_QPT_UC: [{ qpAccessFlags: [...rights] }],
    IBV_QPT_UD: [{ qkey: chance.one(...qkeys) }],
  };
  const attr = chance.pick(changes[qp.type]);
  if (attr !== undefined) await modifyQp(w, qp, attr);
  if (typeof attr?.qkey === 'number') rig.qkeys.set(qp, attr.qkey);
  await ask(w, rig);
}

/** Sends wait while the queue is drained. */
async function pause(w: Walk, rig: Rig): Promise<void> {
  const { chance } = w;
  const [client] = rig.pair;
  await modifyQp(w, client, { qpState: 'IBV_QPS_SQD', ...(chance.happens(0.5) && { enSqdAsyncNotify: true }) });
  await w.settle();
  await drainAsync(w);
  if (chance.happens(0.7)) await exchange(w, rig, true);
  await modifyQp(w, client, { qpState: 'IBV_QPS_RTS', ...(chance.happens(0.3) && { curQpState: 'IBV_QPS_SQD' }) });
  await w.settle();
  for (const cq of rig.cqs) await drain(w, cq);
}

/** A window of the server is bound, or its key taken back. */
async function useWindow(w: Walk, rig: Rig): Promise<void> {
  const { chance } = w;
  const [client, server] = rig.pair;
  const window = chance.one(rig.windows[0], ...rig.windows);
  if (window === undefined) return;
  if (window.bound !== undefined) {
    const key = window.bound;
    window.bound = undefined;
    window.isHeld = false;
    return takeBack(w, client, key, [8, 0, 1100]);
  }
  if (window.keys === 0) await w.call('ibv_alloc_mw', { pd: of(w.pd), type: 'IBV_MW_TYPE_2' }, window.name);
  window.keys += 1;
  const rkey = member(window.name, 'rkey', window.keys);
  const all = rightsOf(w);
  const some = chance.happens(0.5) ? all : chance.some(all, 0.6);
  const at = chance.one(...places);
  const length = chance.one(placeBytes, ends - at, 64);
  const access = some.length === 0 ? all : some;
  await bind(w, server, window.name, rkey, { at, length, access }, memoryOf(rig, server).mr);
  window.bound = rkey;
  window.isHeld = true;
  rig.keys.push({ side: server, rkey });
}

/** The same memory is registered once more, with fewer rights, or not any more. */
async function register(w: Walk, rig: Rig): Promise<void> {
  const { chance } = w;
  const old = chance.happens(0.4) ? rig.regions.pop() : undefined;
  if (old !== undefined) {
    await w.call('ibv_dereg_mr', { mr: of(old.name) });
    return;
  }
  const side = chance.one(...rig.pair);
  const name = w.name('mr');
  const rights = rightsOf(w);
  const access = ['IBV_ACCESS_LOCAL_WRITE', ...(chance.happens(0.5) ? rights : chance.some(rights, 0.6))];
  const addr = member(memoryOf(rig, side).memory, 'addr', places[0]);
  const length = allBytes;
  await w.call('ibv_reg_mr', { pd: of(w.pd), addr, length, access }, name);
  rig.regions.push({ name, side });
  rig.keys.push({ side, rkey: member(name, 'rkey') });
}

/** The limit and the size of an SRQ, one or both. */
async function changeSrq(w: Walk, { pair }: Rig): Promise<void> {
  const { chance } = w;
  const [, server] = pair;
  if (server.srq === undefined) return;
  if (chance.happens(0.6)) await postReceives(w, server, Array<number>(chance.between(1, 3)).fill(placeBytes));
  const srqAttr = { maxWr: chance.one(64, 70, 100), srqLimit: chance.between(0, 3) };
  const both = ['IBV_SRQ_LIMIT', 'IBV_SRQ_MAX_WR'];
  const srqAttrMask = chance.one(['IBV_SRQ_LIMIT'], both, ['IBV_SRQ_MAX_WR']);
  await w.call('ibv_modify_srq', { srq: of(server.srq.name), srqAttr, srqAttrMask });
  await w.settle();
  await drainAsync(w);
  if (chance.happens(0.5)) await w.call('ibv_query_srq', { srq: of(server.srq.name) });
}

/** A CQ is armed, the events of its channel are taken, or what it holds is polled. */
async function notice(w: Walk, rig: Rig): Promise<void> {
  const { chance } = w;
  const cq = chance.one(rig.cqs[0], ...rig.cqs);
  if (cq === undefined) return;
  const way = chance.below(3);
  if (way === 0) await arm(w, cq, chance.one(0, 1));
  else if (way === 1 && cq.channel !== undefined) await drainChannel(w, cq.channel);
  else await drain(w, cq);
}

const always = (): boolean => true;
const isConnected = (_: Walk, { pair: [client] }: Rig): boolean => client.type !== 'IBV_QPT_UD';
const isReliable = (_: Walk, { pair: [client] }: Rig): boolean => client.type === 'IBV_QPT_RC';
const hasSrq = (_: Walk, { pair: [, server] }: Rig): boolean => server.srq !== undefined;

const step = (weight: number, make: Step['make'], isEnabled: Step['isEnabled'] = always): Step => ({
  weight,
  isOften: weight >= 5,
  make,
  isEnabled,
});

const steps: readonly Step[] = [
  step(10, (w, rig) => exchange(w, rig)),
  step(2, touch, isConnected),
  step(1, ask),
  step(2, change),
  step(1, pause, (w, rig) => w.has('sq-drain') && isReliable(w, rig)),
  step(2, useWindow, (w, rig) => w.has('memory-windows') && isReliable(w, rig)),
  step(1.5, register, isConnected),
  step(1.5, changeSrq, hasSrq),
  step(2.5, refuse),
  step(2.5, notice),
  step(0.7, (w) => interlude(w)),
];
