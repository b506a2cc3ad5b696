import type { RawResult } from '../../pipeline/backend';
import { isRefusal, type VerbName } from '../../pipeline/conventions';
import {
  capabilities,
  errnoName,
  maskOf,
  mtuOf,
  qpAttrBits,
  type Capability,
  type DutPort,
  type Handle,
  type Kind,
  type QpAttr,
  type TraceStruct,
} from '../../contract';
import { encode } from '../../verbs/derived/codec';
import { enderOf } from '../../verbs/derived/lifetimes';
import { qpAttr } from '../../verbs/qp';
import { numberOf, stringOf, stringsOf } from '../../pipeline/values';
import type { VerbSet } from './addon';
import { wordText } from '../protocol';

/** A device that is open, and what it reports about itself. */
export interface OpenDevice {
  readonly context: Handle;
  /** As ibv_get_device_list(3) reports it. */
  readonly transport: string;
  readonly port: DutPort;
  /** Of ibv_query_device(3). */
  readonly attr: TraceStruct;
  /** Of ibv_query_device_ex(3), where the device can be asked so. */
  readonly extended: TraceStruct | undefined;
}

/**
 * What of {@link Capability} a device has. It reports some, and the others are tried on objects that are destroyed again.
 * Only a refusal that says "not supported" counts as a lack: whatever else goes wrong is for the scenarios to show.
 */
export async function capabilitiesOf(set: VerbSet, device: OpenDevice): Promise<Capability[]> {
  const trials = new Trials(set, device);
  await trials.run();
  const found = new Set<Capability>([...capabilitiesTold(device), ...trials.notLacking()]);
  return capabilities.filter((capability) => found.has(capability));
}

const noWord = wordText(0n);

const memoryWindowFlags = ['IBV_DEVICE_MEM_WINDOW_TYPE_2A', 'IBV_DEVICE_MEM_WINDOW_TYPE_2B'];

/** Transports other than that of InfiniBand and RoCE leave the connecting of QPs to rdma_cm(7), or have none. */
function capabilitiesTold({ transport, attr, extended }: OpenDevice): Capability[] {
  const found: Capability[] = transport === 'IBV_TRANSPORT_IB' ? ['connection'] : [];
  if (numberOf(attr, 'maxSrq') > 0) found.push('srq');
  if (stringOf(attr, 'atomicCap') !== 'IBV_ATOMIC_NONE') found.push('atomics');
  if (stringsOf(attr, 'deviceCapFlags').some((flag) => memoryWindowFlags.includes(flag))) found.push('memory-windows');
  if (extended === undefined) return found;
  if (numberOf(extended, 'maxCqCount') > 0) found.push('cq-moderation');
  if (stringOf(extended, 'completionTimestampMask') !== noWord) found.push('completion-timestamps');
  return found;
}

const tried = ['uc', 'ud', 'inline', 'sq-drain', 'extended-cq', 'resize-cq'] as const satisfies readonly Capability[];
type Tried = (typeof tried)[number];

const unsupported: readonly string[] = ['EOPNOTSUPP', 'ENOSYS'];

/** Where the same call without what is tried has worked, EINVAL can mean nothing else. */
const unsupportedOrInvalid: readonly string[] = [...unsupported, 'EINVAL'];

/** One of each: some devices make no queue at all for 0. */
const leastCap = { maxSendWr: 1, maxRecvWr: 1, maxSendSge: 1, maxRecvSge: 1, maxInlineData: 0 };

/** Bytes. */
const inlineData = 32;

/** Tries what a device does not report. */
class Trials {
  readonly #set: VerbSet;
  readonly #device: OpenDevice;
  readonly #lacking = new Set<Tried>();

  constructor(set: VerbSet, device: OpenDevice) {
    this.#set = set;
    this.#device = device;
  }

  notLacking(): Tried[] {
    return tried.filter((capability) => !this.#lacking.has(capability));
  }

  async run(): Promise<void> {
    const { context } = this.#device;
    const attr = { cqe: 1, cqContext: noWord, channel: null, compVector: 0 };
    await this.#withObject('ibv_create_cq', { context, ...attr }, 'cq', async (cq) => {
      await this.#withObject('ibv_alloc_pd', { context }, 'pd', (pd) => this.#tryQps(pd, cq));
      this.#note('resize-cq', await this.#refusalOf('ibv_resize_cq', { cq, cqe: 2 }), unsupported);
    });
    const attrEx = { context, cqAttr: { ...attr, wcFlags: [], compMask: [], flags: [] } };
    this.#note('extended-cq', await this.#withObject('ibv_create_cq_ex', attrEx, 'cq'), unsupported);
  }

  async #tryQps(pd: Handle, cq: Handle): Promise<void> {
    const attr = { sendCq: cq, recvCq: cq, srq: null, sqSigAll: false, qpType: 'IBV_QPT_RC', cap: leastCap };
    const tryQp = (changes: TraceStruct, use?: (qp: Handle, qpNum: number) => Promise<void>) =>
      this.#withObject('ibv_create_qp', { pd, qpInitAttr: { ...attr, ...changes } }, 'qp', use);

    const refusal = await tryQp({}, (qp, qpNum) => this.#tryDrain(qp, qpNum));
    if (refusal !== undefined) return; // a device whose RC QPs fail lacks nothing: it is broken
    this.#note('uc', await tryQp({ qpType: 'IBV_QPT_UC' }), unsupportedOrInvalid);
    this.#note('ud', await tryQp({ qpType: 'IBV_QPT_UD' }), unsupportedOrInvalid);
    const cap = { ...leastCap, maxInlineData: inlineData };
    this.#note('inline', await tryQp({ cap }), unsupportedOrInvalid);
  }

  /** Nothing is ever sent on the way, so nothing has to be waited for. What cannot be connected is left alone. */
  async #tryDrain(qp: Handle, qpNum: number): Promise<void> {
    if (this.#device.transport !== 'IBV_TRANSPORT_IB') return;
    for (const attr of stepsToRts(this.#device.port, qpNum)) {
      if ((await this.#modify(qp, attr)) !== undefined) return;
    }
    this.#note('sq-drain', await this.#modify(qp, { qpState: 'IBV_QPS_SQD' }), unsupportedOrInvalid);
  }

  #modify(qp: Handle, attr: QpAttr): Promise<string | undefined> {
    return this.#refusalOf('ibv_modify_qp', { qp, attr: encode(qpAttr, attr), attrMask: maskOf(qpAttrBits, attr) });
  }

  #note(capability: Tried, refusal: string | undefined, lacks: readonly string[]): void {
    if (refusal !== undefined && lacks.includes(refusal)) this.#lacking.add(capability);
  }

  /**
   * Makes an object for as long as `use` takes. An object that cannot be destroyed goes with the context.
   *
   * @returns the errno of a refusal to make it
   */
  async #withObject(
    verb: VerbName,
    args: TraceStruct,
    kind: Kind,
    use?: (handle: Handle, qpNum: number) => Promise<void>,
  ): Promise<string | undefined> {
    const made = await this.#call(verb, args);
    const { returned, outputs } = made;
    if (typeof returned !== 'string') return errnoOf(made);
    try {
      await use?.(returned, typeof outputs.qpNum === 'number' ? outputs.qpNum : 0);
    } finally {
      await this.#end(kind, returned);
    }
    return undefined;
  }

  async #end(kind: Kind, handle: Handle): Promise<void> {
    const { c, in: parameters } = enderOf(kind);
    await this.#call(c as VerbName, Object.fromEntries(parameters.flatMap(Object.keys).map((name) => [name, handle])));
  }

  async #refusalOf(verb: VerbName, args: TraceStruct): Promise<string | undefined> {
    const result = await this.#call(verb, args);
    return isRefusal(verb, result.returned) ? errnoOf(result) : undefined;
  }

  async #call(verb: VerbName, args: TraceStruct): Promise<RawResult> {
    const result = this.#set.verbs[verb]?.(args);
    if (result === undefined) throw new Error(`${verb} is not a verb of the addon`);
    return result;
  }
}

/** The attributes that take an RC QP from RESET to RTS, connected to itself, with the least of everything. */
function stepsToRts({ portNum, lid, gid, gidIndex }: DutPort, qpNum: number): QpAttr[] {
  const ahAttr = { grh: { dgid: gid, sgidIndex: gidIndex, hopLimit: 1 }, dlid: lid, isGlobal: true, portNum };
  const peer = { pathMtu: mtuOf(256), destQpNum: qpNum, rqPsn: 0, ahAttr };
  return [
    { qpState: 'IBV_QPS_INIT', pkeyIndex: 0, portNum, qpAccessFlags: [] },
    { qpState: 'IBV_QPS_RTR', ...peer, maxDestRdAtomic: 1, minRnrTimer: 1 },
    { qpState: 'IBV_QPS_RTS', sqPsn: 0, timeout: 1, retryCnt: 0, rnrRetry: 0, maxRdAtomic: 1 },
  ];
}

/** Functions that do not return an object return the errno. */
function errnoOf({ returned, errno }: RawResult): string {
  return errnoName(typeof returned === 'number' ? Math.abs(returned) : errno);
}
