import type { ProgramValue } from '../../../../programs/program';
import { secondBinding } from '../../avoided';
import { drainAsync } from '../../completions';
import { bind, pickOpcode, reach, takeBack } from '../../moves/reaching';
import { recoverPair } from '../../moves/sharing';
import { makeRegion, remoteRights } from '../../objects';
import { isAtomic } from '../../work';
import { member, of, type Qp, type Region, type Walk } from '../../walk';
import { comeBack, reachingPair } from './keys';

/** Where windows begin, and the bytes that they have. */
const places = [512, 1024, 2048] as const;
const lengths = [64, 64, 128, 32] as const;

/** What a window opens by a key. */
interface Binding {
  readonly rkey: ProgramValue;
  readonly region: Region;
  readonly at: number;
  readonly length: number;
}

/** A window, the keys that it has had, and what it opens. */
interface Window {
  readonly name: string;
  keys: number;
  bound: Binding | undefined;
}

/** The windows of a server, and the regions that they are bound to. */
interface Rig {
  readonly client: Qp;
  readonly server: Qp;
  readonly regions: Region[];
  readonly windows: Window[];
  /** What has been closed again. */
  readonly closed: Binding[];
}

/** What a region allows that is not open for all: its windows open no more. */
const someRights: readonly (readonly string[])[] = [
  ['IBV_ACCESS_MW_BIND', 'IBV_ACCESS_REMOTE_READ'],
  ['IBV_ACCESS_MW_BIND'],
  ['IBV_ACCESS_LOCAL_WRITE', 'IBV_ACCESS_MW_BIND'],
  ['IBV_ACCESS_LOCAL_WRITE', 'IBV_ACCESS_REMOTE_WRITE', 'IBV_ACCESS_REMOTE_READ'],
];

/** Windows are bound, taken back and bound elsewhere: nothing of a binding is left in the next one, nor of one that failed. */
export async function bindOverAndOver(w: Walk): Promise<void> {
  const pair = await reachingPair(w);
  if (pair === undefined) return;
  const [client, server] = pair;
  const regions = [server.region, await makeRegion(w, w.chance.pick(someRights))];
  const windows = [await allocate(w), await allocate(w)];
  const rig: Rig = { client, server, regions, windows, closed: [] };
  for (let left = w.chance.between(5, 10); left > 0 && !w.isOver && w.size < 170; left--) {
    await w.chance.weighted(steps.map((make, index) => [make, weights[index] ?? 1] as const))?.(w, rig);
    await w.settle();
    if (pair.some((qp) => w.hasFailed(qp))) await beginAnew(w, rig);
  }
  await drainAsync(w);
  await recoverPair(w, client);
}

/** A window is bound a second time: to what the second binding says, and by its key alone. */
export async function bindTwice(w: Walk): Promise<void> {
  const { chance } = w;
  const pair = await reachingPair(w);
  if (pair === undefined) return;
  const [client, server] = pair;
  const rig: Rig = { client, server, regions: [server.region], windows: [await allocate(w)], closed: [] };
  if (!mayBindAgain(w, rig)) return;
  const [window] = rig.windows;
  for (let times = chance.between(2, 3); times > 0 && window !== undefined && !w.isOver; times--) {
    await bindOne(w, rig);
    if (times > 1 && chance.happens(0.4)) await use(w, rig);
    if (pair.some((qp) => w.hasFailed(qp))) return recoverPair(w, client);
  }
  const [last] = rig.closed.slice(-1);
  const ways = [() => use(w, rig), () => takeBackOne(w, rig, window)];
  if (chance.happens(0.3)) await chance.pick(ways)?.();
  const binding = chance.happens(0.6) ? last : window?.bound;
  if (binding !== undefined) await reachInto(w, client, binding);
  await recoverPair(w, client);
}

/** What a reset leaves of a window that was bound no page says. */
async function beginAnew(w: Walk, rig: Rig): Promise<void> {
  await comeBack(w, rig.client);
  for (const window of rig.windows.filter(({ bound }) => bound !== undefined)) await replace(w, rig, window);
}

async function allocate(w: Walk): Promise<Window> {
  const name = w.name('mw');
  await w.call('ibv_alloc_mw', { pd: of(w.pd), type: 'IBV_MW_TYPE_2' }, name);
  return { name, keys: 0, bound: undefined };
}

/** Mostly of a region that allows it; a window that is bound is taken back first, if that can be done. */
async function bindOne(w: Walk, rig: Rig): Promise<void> {
  const { chance } = w;
  const window = chance.pick(rig.windows);
  const region = chance.happens(0.7) ? rig.regions[0] : chance.pick(rig.regions);
  if (window === undefined || region === undefined || (window.keys > 0 && !mayBindAgain(w, rig))) return;
  if (window.bound !== undefined) await takeBackOne(w, rig, window);
  window.keys += 1;
  const rkey = member(window.name, 'rkey', window.keys);
  const all = remoteRights.filter((one) => w.has('atomics') || !one.includes('ATOMIC'));
  const access = chance.happens(0.55) ? [chance.pick(all) ?? 'IBV_ACCESS_REMOTE_READ'] : all;
  const [at, length] = [chance.one(...places), chance.one(...lengths)];
  const flags = chance.happens(0.65) ? ['IBV_SEND_SIGNALED'] : [];
  await bind(w, rig.server, window.name, rkey, { at, length, access }, region.mr, flags);
  window.bound = { rkey, region, at, length };
  if (w.hasFailed(rig.server)) await giveUp(w, rig, window, region);
}

/** A binding that failed holds nothing. */
async function giveUp(w: Walk, rig: Rig, window: Window, region: Region): Promise<void> {
  window.bound = undefined;
  if (region === rig.regions[1] && w.chance.happens(0.6)) await endRegion(w, rig, region);
  await replace(w, rig, window);
}

const mayBindAgain = ({ avoided }: Walk, { client }: Rig): boolean =>
  client.type === 'IBV_QPT_RC' && !avoided.has(secondBinding);

async function endRegion(w: Walk, rig: Rig, region: Region): Promise<void> {
  await w.call('ibv_dereg_mr', { mr: of(region.mr) });
  if (rig.windows.every(({ bound }) => bound?.region !== region)) rig.regions.splice(rig.regions.indexOf(region), 1);
}

async function takeBackOne(w: Walk, { client, closed }: Rig, window: Window | undefined): Promise<void> {
  if (window?.bound === undefined || client.type !== 'IBV_QPT_RC') return;
  const { rkey } = window.bound;
  closed.push(window.bound);
  window.bound = undefined;
  await takeBack(w, client, rkey);
}

/** By the key of a window, or by that of a region; a key that has been closed opens nothing any more. */
async function use(w: Walk, { client, regions, windows, closed }: Rig): Promise<void> {
  const { chance } = w;
  const open = windows.flatMap(({ bound }) => (bound === undefined ? [] : [bound]));
  const binding = chance.pick(closed.length > 0 && chance.happens(0.2) ? closed : open);
  if (binding !== undefined && chance.happens(0.8)) return reachInto(w, client, binding);
  const region = regions[0];
  if (region === undefined) return;
  const target = { memory: region.memory, at: chance.one(...places), rkey: member(region.mr, 'rkey') };
  await reach(w, client, pickOpcode(w, client), target, client.region);
}

/** At either end of what a window opens, or a bit behind it. */
async function reachInto(w: Walk, client: Qp, { rkey, region, at, length }: Binding): Promise<void> {
  const opcode = pickOpcode(w, client);
  const last = length - (isAtomic(opcode) ? 8 : 16);
  const offset = w.chance.one(0, last, last, isAtomic(opcode) ? last + 8 : last + 1);
  await reach(w, client, opcode, { memory: region.memory, at: at + offset, rkey }, client.region);
}

/** A window goes, whether it is bound or not; the region of another one is held nevertheless. */
async function replaceOne(w: Walk, rig: Rig): Promise<void> {
  const window = w.chance.pick(rig.windows);
  if (window === undefined) return;
  await replace(w, rig, window);
  const held = rig.windows.find(({ bound }) => bound !== undefined)?.bound?.region;
  if (held !== undefined && w.chance.happens(0.7)) await endRegion(w, rig, held);
}

async function replace(w: Walk, rig: Rig, window: Window): Promise<void> {
  if (window.bound !== undefined) rig.closed.push(window.bound);
  await w.call('ibv_dealloc_mw', { mw: of(window.name) });
  rig.windows.splice(rig.windows.indexOf(window), 1, await allocate(w));
}

/** A region that a window holds stays, and is as it was. */
async function endInVain(w: Walk, rig: Rig): Promise<void> {
  const held = rig.windows.find(({ bound }) => bound !== undefined)?.bound?.region;
  if (held !== undefined) await endRegion(w, rig, held);
}

const steps = [
  bindOne,
  use,
  replaceOne,
  endInVain,
  (w: Walk, rig: Rig) => takeBackOne(w, rig, w.chance.pick(rig.windows)),
];
const weights = [4, 5, 1, 1.5, 1];
