import { fencedSendStays } from './avoided';
import type { ProgramStruct, ProgramValue } from '../../programs/program';
import { qkey } from './objects';
import { member, of, type Qp, type Region, type Walk } from './walk';

export type Opcode =
  | 'IBV_WR_SEND'
  | 'IBV_WR_SEND_WITH_IMM'
  | 'IBV_WR_SEND_WITH_INV'
  | 'IBV_WR_RDMA_WRITE'
  | 'IBV_WR_RDMA_WRITE_WITH_IMM'
  | 'IBV_WR_RDMA_READ'
  | 'IBV_WR_ATOMIC_CMP_AND_SWP'
  | 'IBV_WR_ATOMIC_FETCH_AND_ADD';

const takesReceive: ReadonlySet<string> = new Set([
  'IBV_WR_SEND',
  'IBV_WR_SEND_WITH_IMM',
  'IBV_WR_SEND_WITH_INV',
  'IBV_WR_RDMA_WRITE_WITH_IMM',
]);
export const isAtomic = (opcode: string): boolean => opcode.includes('ATOMIC');
export const isSend = (opcode: string): boolean => opcode.startsWith('IBV_WR_SEND');

/** The opcodes that a QP takes. */
export function opcodesOf(w: Walk, { type }: Pick<Qp, 'type'>): readonly Opcode[] {
  const sends: Opcode[] = ['IBV_WR_SEND', 'IBV_WR_SEND_WITH_IMM'];
  if (type === 'IBV_QPT_UD') return sends;
  const writes: Opcode[] = ['IBV_WR_RDMA_WRITE', 'IBV_WR_RDMA_WRITE_WITH_IMM'];
  if (type === 'IBV_QPT_UC') return [...sends, ...writes];
  const atomics: Opcode[] = w.has('atomics') ? ['IBV_WR_ATOMIC_CMP_AND_SWP', 'IBV_WR_ATOMIC_FETCH_AND_ADD'] : [];
  return [...sends, ...writes, 'IBV_WR_RDMA_READ', ...atomics];
}

/** Opcodes that a connected QP does not take, as they are of another type. */
export function foreignTo(w: Walk, { type }: Pick<Qp, 'type'>): readonly Opcode[] {
  const own = opcodesOf(w, { type });
  return type === 'IBV_QPT_UC' ? opcodesOf(w, { type: 'IBV_QPT_RC' }).filter((opcode) => !own.includes(opcode)) : [];
}

/** A message that is to be sent. */
export interface Message {
  readonly opcode: Opcode;
  readonly length: number;
  readonly flags: readonly string[];
  readonly immediate?: number;
  readonly wrId: string;
  /** In the region of its sender. */
  readonly local: number;
  /** In the region of its peer, where a message of RDMA goes. */
  readonly remote: number;
  readonly entries: number;
}

const lengths = [16, 1, 64, 33, 8, 0, 200];
const immediates = [0x0a0b_0c0d, 0, 1, 0xffff_ffff, 0x1122_3344];

export function messageOf(w: Walk, qp: Qp, opcode: Opcode, wanted: Partial<Message> = {}): Message {
  const { chance } = w;
  const atomic = isAtomic(opcode);
  const isLarge = qp.type !== 'IBV_QPT_UD' && chance.happens(0.06);
  const length =
    wanted.length ?? (atomic ? 8 : isLarge ? chance.one(2100, 2048, 1027, 3001) : (chance.pick(lengths) ?? 16));
  const flags = wanted.flags ?? flagsOf(w, opcode, length);
  const isImmediate = opcode.endsWith('WITH_IMM');
  const align = (at: number): number => (atomic ? (at + 7) & ~7 : at);
  return {
    opcode,
    length,
    flags,
    wrId: w.wrId(),
    local: align(w.stretch(qp.region, length + 8)),
    remote: align(w.stretch(qp.peer.region, length + 8)),
    entries: length > 1 && !atomic && chance.happens(0.2) ? 2 : length === 0 ? 0 : 1,
    ...(isImmediate && { immediate: chance.pick(immediates) ?? 0 }),
    ...wanted,
  };
}

function flagsOf({ chance, capabilities, avoided }: Walk, opcode: string, length: number): string[] {
  const flags = chance.happens(0.75) ? ['IBV_SEND_SIGNALED'] : [];
  if (chance.happens(0.35)) flags.push('IBV_SEND_SOLICITED');
  const isOwn = !opcode.includes('READ') && !isAtomic(opcode) && length <= 64;
  if (isOwn && capabilities.has('inline') && chance.happens(0.2)) flags.push('IBV_SEND_INLINE');
  if (chance.happens(0.1) && !avoided.has(fencedSendStays)) flags.push('IBV_SEND_FENCE');
  return flags;
}

/** A scatter/gather list of so many entries. */
export function listOf(region: Region, at: number, length: number, entries: number): ProgramStruct[] {
  if (entries === 0) return [];
  const first = entries === 1 ? length : Math.max(1, length >> 1);
  const pieces = [
    [at, first],
    [at + first, length - first],
  ].slice(0, entries) as [number, number][];
  return pieces.map(([offset, size]) => ({
    addr: member(region.mr, 'addr', offset),
    length: size,
    lkey: member(region.mr, 'lkey'),
  }));
}

/** The send WR of a message. `target` is where one of RDMA goes, if not to the region of the peer. */
export function wrOf(
  w: Walk,
  qp: Qp,
  message: Message,
  target?: { readonly addr: ProgramValue; readonly rkey: ProgramValue },
): ProgramStruct {
  const { opcode, length, flags, immediate, wrId, local, remote, entries } = message;
  const rdma = target ?? { addr: member(qp.peer.region.mr, 'addr', remote), rkey: member(qp.peer.region.mr, 'rkey') };
  const where = { remoteAddr: rdma.addr, rkey: rdma.rkey };
  const isRdma = opcode.includes('RDMA');
  const [compareAdd, swap] = w.chance.happens(0.5) ? ['0x0', '0x1122334455667788'] : ['0x5', '0x99aabbccddeeff01'];
  return {
    wrId,
    sgList: listOf(qp.region, local, length, entries),
    opcode,
    sendFlags: flags,
    ...(immediate !== undefined && { immData: immediate }),
    ...(isRdma && { rdma: where }),
    ...(isAtomic(opcode) && { atomic: { ...where, compareAdd, swap } }),
    ...(qp.type === 'IBV_QPT_UD' && {
      ud: { ah: of(qp.ah ?? ''), remoteQpn: member(qp.peer.name, 'qpNum'), remoteQkey: qkey },
    }),
  };
}

export const needsReceive = (opcode: string): boolean => takesReceive.has(opcode);

/** Bytes before the payload of a datagram. */
export const grhBytes = ({ type }: Qp): number => (type === 'IBV_QPT_UD' ? 40 : 0);

/** Where a receive puts its message. */
export interface Receive {
  readonly at: number;
  readonly length: number;
}

/** Posts receives to a QP or to its SRQ, of so many bytes. */
export async function postReceives(w: Walk, qp: Qp, sizes: readonly number[], region = qp.region): Promise<Receive[]> {
  if (sizes.length === 0) return []; // no page says what becomes of a list without a request
  const receives = sizes.map((size) => ({ at: w.stretch(region, size + grhBytes(qp)), length: size + grhBytes(qp) }));
  const wrs = receives.map(({ at, length }) => ({
    wrId: w.wrId(),
    sgList: listOf(region, at, length, length === 0 ? 0 : length > 1 && w.chance.happens(0.2) ? 2 : 1),
  }));
  if (qp.srq === undefined) {
    await w.call('ibv_post_recv', { qp: of(qp.name), wrs });
  } else {
    await w.call('ibv_post_srq_recv', { srq: of(qp.srq.name), wrs });
  }
  return receives;
}

/** Writes what a message is to carry. */
export async function writePayload(w: Walk, qp: Qp, { local, length }: Message): Promise<void> {
  if (length === 0) return;
  await w.call('memory write', { addr: member(qp.region.memory, 'addr', local), bytes: w.payload(length) });
}

/** Reads memory that work has changed, and a byte beside it at either end; before a payload there may be what nobody knows. */
export async function look(w: Walk, region: Region, at: number, length: number, before = 1): Promise<void> {
  await w.call('memory read', { addr: member(region.memory, 'addr', at - before), length: length + before + 1 });
}
