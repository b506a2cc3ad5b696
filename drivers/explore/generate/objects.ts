import { maskOf, qpAttrBits, type QpAttr } from '../../contract';
import type { ProgramStruct, ProgramValue } from '../../programs/program';
import { dutName } from '../../programs/bindings';
import { ignoringOverruns, limitAtCreation } from './avoided';
import {
  member,
  of,
  type Channel,
  type Cq,
  type Path,
  type Qp,
  type QpState,
  type QpType,
  type Region,
  type Srq,
  type Walk,
} from './walk';

/** Bytes of a region. */
const regionBytes = 8192;

export const allAccess = [
  'IBV_ACCESS_LOCAL_WRITE',
  'IBV_ACCESS_REMOTE_WRITE',
  'IBV_ACCESS_REMOTE_READ',
  'IBV_ACCESS_REMOTE_ATOMIC',
  'IBV_ACCESS_MW_BIND',
];

/** What a peer may be allowed to do. */
export const remoteRights: readonly string[] = allAccess.slice(1, 4);

/** Those of them that the device has. */
export const rightsOf = (w: Walk): string[] =>
  remoteRights.filter((right) => w.has('atomics') || !right.includes('ATOMIC'));

/** All its bytes are in use; the highest bit has a meaning of its own. */
export const qkey = 0x5a3c_1111;

/** Members that an extended CQ may be asked for, with the capability that has them. */
export const wcMembers = [
  ['IBV_WC_EX_WITH_BYTE_LEN', 'wc-byte-len', 'byte_len'],
  ['IBV_WC_EX_WITH_IMM', 'wc-imm', 'imm_data'],
  ['IBV_WC_EX_WITH_QP_NUM', 'wc-qp-num', 'qp_num'],
  ['IBV_WC_EX_WITH_SRC_QP', 'wc-src-qp', 'src_qp'],
  ['IBV_WC_EX_WITH_SLID', 'wc-slid', 'slid'],
  ['IBV_WC_EX_WITH_SL', 'wc-sl', 'sl'],
  ['IBV_WC_EX_WITH_DLID_PATH_BITS', 'wc-dlid-path-bits', 'dlid_path_bits'],
  ['IBV_WC_EX_WITH_COMPLETION_TIMESTAMP', 'completion-timestamps', 'completion_ts'],
] as const;

export async function openDevice(w: Walk): Promise<void> {
  await w.call('ibv_open_device', { device: member(dutName, 'name') }, w.context);
  await w.call('ibv_alloc_pd', { context: of(w.context) }, w.pd);
  if (w.chance.happens(0.9)) await setNonblocking(w, w.context, true);
}

/** Sets O_NONBLOCK of a channel or of the context, or takes it back. */
export async function setNonblocking(w: Walk, source: string, isNonblocking: boolean): Promise<void> {
  await w.call('fcntl', { source: of(source), cmd: 'F_SETFL', flags: isNonblocking ? ['O_NONBLOCK'] : [] });
  if (source === w.context) w.home.isNonblocking = isNonblocking;
  for (const channel of w.channels) if (channel.name === source) channel.isNonblocking = isNonblocking;
}

export async function makeChannel(w: Walk): Promise<Channel> {
  const channel = { name: w.name('ch'), isNonblocking: false };
  await w.call('ibv_create_comp_channel', { context: of(w.context) }, channel.name);
  w.channels.push(channel);
  if (w.chance.happens(0.8)) await setNonblocking(w, channel.name, true);
  if (w.chance.happens(0.4)) await w.call('struct ibv_comp_channel', { channel: of(channel.name) });
  return channel;
}

const contexts = ['0x0', '0xa1b2c3d4e5f60718', '0x7', '0xffffffff00000001', '0x80000000'];

export async function makeCq(
  w: Walk,
  wanted: { cqe?: number; channel?: Channel | undefined; isEx?: boolean; ignoresOverrun?: boolean } = {},
): Promise<Cq> {
  const { chance } = w;
  const { isEx = w.has('extended-cq') && chance.happens(0.35) } = wanted;
  const canNotify = w.has('cq-notifications');
  const channel =
    'channel' in wanted || !canNotify ? wanted.channel : chance.happens(0.75) ? chance.pick(w.channels) : undefined;
  const cqe = wanted.cqe ?? chance.one(w.caps.cqe, w.caps.cqe + 1, 2 * w.caps.cqe, chance.happens(0.1) ? 260 : 16);
  const members = isEx ? askedMembers(w) : undefined;
  const cq: Cq = {
    name: w.name('cq'),
    members,
    channel,
    users: new Set(),
    unacked: 0,
    isInBatch: false,
    hasAny: false,
  };
  const fromLast = chance.happens(0.8) ? -1 : -2;
  const vector: ProgramValue = chance.happens(0.15) ? member(w.context, 'numCompVectors', fromLast) : 0;
  const basic = {
    cqe,
    cqContext: chance.pick(contexts) ?? '0x0',
    channel: channel === undefined ? null : of(channel.name),
  };
  const ignoring = {
    flags: ['IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN'],
    compMask: chance.happens(0.3) ? ['IBV_CQ_INIT_ATTR_MASK_FLAGS'] : [],
  };
  const flags = wanted.ignoresOverrun === true ? ignoring : flagsOf(w);
  if (members === undefined)
    await w.call('ibv_create_cq', { context: of(w.context), ...basic, compVector: vector }, cq.name);
  else {
    const cqAttr = { ...basic, compVector: vector, wcFlags: members, ...flags };
    await w.call('ibv_create_cq_ex', { context: of(w.context), cqAttr }, cq.name);
  }
  if (w.handle(cq.name) === '') return cq;
  w.cqs.push(cq);
  if (chance.happens(0.35)) await w.call('struct ibv_cq', { cq: of(cq.name) });
  return cq;
}

function askedMembers({ chance, capabilities }: Walk): string[] {
  const there = wcMembers.filter(([, capability]) => capabilities.has(capability)).map(([flag]) => flag);
  if (chance.happens(0.25)) return chance.some(there, 0.15).slice(0, 1);
  return chance.happens(0.6) ? [...there] : chance.some(there, 0.5);
}

function flagsOf({ chance, avoided }: Walk): { readonly compMask: string[]; readonly flags: string[] } {
  const single = 'IBV_CREATE_CQ_ATTR_SINGLE_THREADED';
  const other = avoided.has(ignoringOverruns) ? single : 'IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN';
  const flags = chance.happens(0.3) ? [chance.one(single, other)] : [];
  return { flags, compMask: chance.happens(0.25) ? ['IBV_CQ_INIT_ATTR_MASK_FLAGS'] : [] };
}

export async function makeRegion(
  w: Walk,
  access: readonly string[] = allAccess,
  pd = w.pd,
  bytes = regionBytes,
): Promise<Region> {
  const region = { mr: w.name('mr'), memory: w.name('mem'), bytes, next: 16 };
  await w.call('memory allocate', { length: bytes }, region.memory);
  const args = { pd: of(pd), addr: member(region.memory, 'addr'), length: bytes, access };
  await w.call('ibv_reg_mr', args, region.mr);
  if (pd === w.pd && access === allAccess) w.regions.push(region);
  return region;
}

export async function makeSrq(w: Walk, maxWr = 64): Promise<Srq> {
  const srq = { name: w.name('srq'), users: new Set<Qp>() };
  const srqLimit = w.avoided.has(limitAtCreation) || w.chance.happens(0.7) ? 0 : w.chance.one(1, 2, 3);
  const srqInitAttr = { attr: { maxWr, maxSge: 4, srqLimit } };
  await w.call('ibv_create_srq', { pd: of(w.pd), srqInitAttr }, srq.name);
  w.srqs.push(srq);
  return srq;
}

/** What two QPs that are to be connected have in common, and what each has. */
export interface PairInit {
  readonly type: QpType;
  readonly cqs: readonly [Cq, Cq, Cq, Cq];
  /** That of the server, if it is of a type that may have one. */
  readonly srq: Srq | undefined;
  /** One that is taken by chance, unless given. */
  readonly rnrRetry?: number;
  /** Whether the client uses the SRQ as well; by chance unless given. */
  readonly sharesSrq?: boolean;
  /** Whether each send makes a CQE, whatever its flags; by chance unless given. */
  readonly signalsAll?: boolean;
  /** Entries that a scatter/gather list may have; 2 unless given. */
  readonly entries?: number;
  /** The first PSN of each direction; 0 unless given. */
  readonly firstPsn?: number;
  /** By chance unless given. */
  readonly path?: Path;
  /** What each may do with the memory of the other; all unless given. */
  readonly rights?: readonly string[];
  /** Requests that each of its queues is asked to hold; so many that it never matters, unless given. */
  readonly depth?: number;
}

/** What connections agree on where it is of no account. */
const usualPath: Path = { mtu: member(dutName, 'mtu'), reads: 1 };

function somePath({ chance }: Walk): Path {
  const mtu = chance.happens(0.2) ? 'IBV_MTU_256' : usualPath.mtu;
  return { mtu, reads: chance.one(1, 1, 1, 2, 4) };
}

export async function makePair(w: Walk, init: PairInit): Promise<readonly [Qp, Qp]> {
  const { type, cqs, sharesSrq, rnrRetry = w.chance.one(0, 1, 2, 7), entries = 2, firstPsn = 0 } = init;
  const { path = somePath(w), rights = remoteRights } = init;
  const srq = type === 'IBV_QPT_UC' ? undefined : init.srq;
  const by = (): Srq | undefined => (w.chance.happens(0.6) ? undefined : w.chance.pick(w.srqs));
  const other = srq === undefined ? undefined : sharesSrq === undefined ? by() : sharesSrq ? srq : undefined;
  const common = { type, rnrRetry, signalsAll: init.signalsAll, entries, firstPsn, path, rights, depth: init.depth };
  const client = await makeQp(w, { ...common, sendCq: cqs[0], recvCq: cqs[1], srq: other });
  const server = await makeQp(w, { ...common, sendCq: cqs[2], recvCq: cqs[3], srq });
  client.peer = server;
  server.peer = client;
  return [client, server];
}

/** What a QP is made with. */
interface QpInit extends Pick<Qp, 'type' | 'sendCq' | 'recvCq' | 'srq' | 'rnrRetry' | 'firstPsn' | 'path' | 'rights'> {
  readonly signalsAll: boolean | undefined;
  readonly entries: number;
  readonly depth: number | undefined;
}

async function makeQp(w: Walk, init: QpInit): Promise<Qp> {
  const { entries, signalsAll = w.chance.happens(0.2), depth, ...given } = init;
  const { type, sendCq, recvCq, srq } = given;
  const name = w.name('qp');
  const region = await makeRegion(w);
  const maxInlineData = w.has('inline') ? w.chance.one(64, 64, 65, 71) : 0;
  const queue = (): number => depth ?? w.chance.one(64, 64, 65, 100);
  // Those of a QP with an SRQ are not looked at.
  const [maxSendWr, maxRecvWr] = [queue(), srq === undefined ? queue() : w.chance.one(64, 65, 0, 70_000)];
  const cap = { maxSendWr, maxRecvWr, maxSendSge: entries, maxRecvSge: entries, maxInlineData };
  const qpInitAttr = {
    sendCq: of(sendCq.name),
    recvCq: of(recvCq.name),
    srq: srq === undefined ? null : of(srq.name),
    cap,
    qpType: type,
    sqSigAll: signalsAll,
  };
  await w.call('ibv_create_qp', { pd: of(w.pd), qpInitAttr }, name);
  const qp = { ...given, name, signalsAll, region, state: 'RESET', ah: undefined } as Omit<Qp, 'peer'>;
  const own = Object.assign(qp, { peer: qp as Qp });
  for (const cq of [sendCq, recvCq]) cq.users.add(own);
  srq?.users.add(own);
  w.qps.push(own);
  return own;
}

export async function modifyQp(w: Walk, qp: Qp, attr: ProgramStruct): Promise<void> {
  // There is no way from IBV_QPS_RESET to IBV_QPS_ERR.
  if (attr.qpState === 'IBV_QPS_ERR' && qp.state === 'RESET') return;
  const attrMask = maskOf(qpAttrBits, attr as QpAttr);
  await w.call('ibv_modify_qp', { qp: of(qp.name), attr, attrMask });
}

/** Brings a QP to IBV_QPS_RESET, unless it is there. */
export async function reset(w: Walk, qp: Qp): Promise<void> {
  if (qp.state !== 'RESET') await modifyQp(w, qp, { qpState: 'IBV_QPS_RESET' });
  qp.state = 'RESET';
}

/** The attributes of a change of state, as the page wants them. */
export function attrOf(w: Walk, qp: Qp, state: QpState): ProgramStruct {
  const qpState = `IBV_QPS_${state}`;
  const port = { pkeyIndex: member(dutName, 'pkeyIndex'), portNum: member(dutName, 'portNum') };
  if (state === 'INIT') {
    return qp.type === 'IBV_QPT_UD' ? { qpState, ...port, qkey } : { qpState, ...port, qpAccessFlags: [...qp.rights] };
  }
  const { rnrRetry, firstPsn, path } = qp;
  if (qp.type === 'IBV_QPT_UD') return state === 'RTS' ? { qpState, sqPsn: firstPsn } : { qpState };
  const isReliable = qp.type === 'IBV_QPT_RC';
  if (state === 'RTR') {
    const destQpNum = member(qp.peer.name, 'qpNum');
    const connection = { pathMtu: path.mtu, destQpNum, rqPsn: firstPsn, ahAttr: pathToSelf };
    const resources = { maxDestRdAtomic: path.reads, minRnrTimer: w.chance.one(1, 1, 2, 16) };
    return { qpState, ...connection, ...(isReliable && resources) };
  }
  return {
    qpState,
    sqPsn: firstPsn,
    ...(isReliable && {
      timeout: 14,
      retryCnt: w.chance.one(1, 0, 2),
      rnrRetry,
      maxRdAtomic: w.chance.one(path.reads, 1),
    }),
  };
}

export const pathToSelf: ProgramStruct = {
  grh: { dgid: member(dutName, 'gid'), sgidIndex: member(dutName, 'gidIndex'), hopLimit: 1 },
  dlid: member(dutName, 'lid'),
  isGlobal: true,
  portNum: member(dutName, 'portNum'),
};

const order: readonly QpState[] = ['RESET', 'INIT', 'RTR', 'RTS'];

/** The state that follows on the way from IBV_QPS_RESET to IBV_QPS_RTS. */
export const nextOnTheWay = (state: QpState): QpState | undefined =>
  order.includes(state) ? order[order.indexOf(state) + 1] : undefined;

/** Brings a QP from IBV_QPS_RESET on to a state. */
export async function bringUp(w: Walk, qp: Qp, until: QpState = 'RTS'): Promise<void> {
  for (const state of order.slice(order.indexOf(qp.state) + 1, order.indexOf(until) + 1)) {
    await modifyQp(w, qp, attrOf(w, qp, state));
    qp.state = state;
  }
  if (qp.type !== 'IBV_QPT_UD' || qp.ah !== undefined) return;
  qp.ah = w.name('ah');
  await w.call('ibv_create_ah', { pd: of(w.pd), attr: pathToSelf }, qp.ah);
}
