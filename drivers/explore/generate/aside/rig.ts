import type { ProgramValue } from '../../../programs/program';
import { typesOf } from '../moves/lifetimes';
import { bringUp, makeChannel, makeCq, makePair, makeRegion, makeSrq, qkey, setNonblocking } from '../objects';
import { opcodesOf, type Opcode } from '../work';
import { member, type Cq, type Qp, type Region, type Walk } from '../walk';

/** The places of a region that are used for all that there is, and the bytes that each has. */
export const places = [512, 832, 1152] as const;
export const placeBytes = 304;

/** Behind the last place, and the bytes of all. */
export const ends = places[2] + placeBytes;
export const allBytes = ends - places[0];

/** Those that a QP may have; the highest bit has a meaning of its own. */
export const qkeys = [qkey, 0x11, qkey + 1] as const;

/** A key of the memory of one side: of a region, or of a window. */
export interface Key {
  readonly side: Qp;
  readonly rkey: ProgramValue;
}

/** A window that may be bound, and the keys that it has had. */
export interface Window {
  readonly name: string;
  bound: ProgramValue | undefined;
  /** Whether it is bound for sure: what a reset of its QP leaves of a window no page says. */
  isHeld: boolean;
  keys: number;
}

/** A few objects that are used over and over. */
export interface Rig {
  readonly pair: readonly [Qp, Qp];
  readonly cqs: readonly Cq[];
  /** The memory of each QP that messages come from and go to. */
  readonly memory: ReadonlyMap<Qp, Region>;
  readonly windows: readonly Window[];
  /** The Q_Key of each QP whose own is not that which it had in IBV_QPS_INIT. */
  readonly qkeys: Map<Qp, number>;
  /** What its messages are, and their bytes. */
  readonly opcodes: readonly Opcode[];
  readonly lengths: readonly number[];
  /** Further keys of memory, of which some open no more what they did. */
  readonly keys: Key[];
  /** Further regions of memory. */
  readonly regions: { readonly name: string; readonly side: Qp }[];
}

/** QPs of one type, with one CQ or two that may have a channel, and which may have an SRQ. */
export async function makeRig(w: Walk): Promise<Rig | undefined> {
  const { chance } = w;
  const channel = w.has('cq-notifications') && chance.happens(0.6) ? await makeChannel(w) : undefined;
  if (channel !== undefined) await setNonblocking(w, channel.name, true);
  const own = { cqe: 64, channel };
  const first = await makeCq(w, own);
  const second = chance.happens(0.5) ? first : await makeCq(w, own);
  const type = chance.happens(0.6) ? 'IBV_QPT_RC' : (chance.pick(typesOf(w)) ?? 'IBV_QPT_RC');
  const srq = type !== 'IBV_QPT_UC' && w.has('srq') && chance.happens(0.35) ? await makeSrq(w) : undefined;
  const cqs = [first, first, second, second] as const;
  const init = { type, cqs, srq, sharesSrq: chance.happens(0.3), signalsAll: chance.happens(0.2), entries: 3 } as const;
  const pair = await makePair(w, { ...init, rnrRetry: 1 });
  const memory = new Map<Qp, Region>();
  for (const qp of pair) memory.set(qp, await makeRegion(w));
  await connect(w, pair);
  const windows = [w.name('mw'), w.name('mw')].map((name) => ({ name, bound: undefined, isHeld: false, keys: 0 }));
  const opcodes = shuffled(w, opcodesOf(w, pair[0])).slice(0, chance.between(2, 4));
  const lengths = shuffled(w, [16, 8, 0, 64, type === 'IBV_QPT_UD' ? 33 : placeBytes - 4]).slice(0, 2);
  const used = { cqs: [...new Set([first, second])], memory, qkeys: new Map<Qp, number>(), windows };
  return { pair, ...used, opcodes, lengths, keys: [], regions: [] };
}

/** The server of a connection need not be ready to send. */
export async function connect(w: Walk, [client, server]: Rig['pair']): Promise<void> {
  const isLate = client.type !== 'IBV_QPT_UD' && w.chance.happens(0.2);
  await bringUp(w, server, isLate ? 'RTR' : 'RTS');
  await bringUp(w, client);
}

export function memoryOf({ memory }: Rig, qp: Qp): Region {
  const region = memory.get(qp);
  if (region === undefined) throw new Error(`${qp.name} has no memory here`);
  return region;
}

/** The key of the memory of a QP, or another one that opens it or not. */
export function someKey({ chance }: Walk, rig: Rig, side: Qp): ProgramValue {
  const { mr } = memoryOf(rig, side);
  const others = rig.keys.filter((key) => key.side === side);
  if (chance.happens(0.3)) return chance.pick(others)?.rkey ?? member(mr, 'rkey');
  return member(mr, 'rkey', chance.happens(0.03) ? 1 : 0);
}

/** All of several, in an order that is left to chance. */
export function shuffled<T>({ chance }: Walk, items: readonly T[]): T[] {
  const left = [...items];
  return items.flatMap(() => left.splice(chance.below(left.length), 1));
}
