import {
  HarnessError,
  type AccessFlag,
  type Ah,
  type AhAttr,
  type AsyncEvent,
  type CompChannel,
  type CompChannelMembers,
  type ConstantText,
  type Context,
  type Cq,
  type CqAttr,
  type CqEvent,
  type CqExAttr,
  type CqExMembers,
  type CqMembers,
  type DeviceAttr,
  type Handle,
  type ModifyCqAttr,
  type Mr,
  type Mw,
  type Pd,
  type Qp,
  type QpAttr,
  type QpInitAttr,
  type RecvWr,
  type SendWr,
  type Srq,
  type SrqAttr,
  type TraceStruct,
  type TraceValue,
  type Verbs,
  type Wc,
  type WcReader,
} from '../contract';
import type { RawResult } from './backend';
import type { VerbName } from './conventions';
import { qpAttrStruct, recvWrStruct, sendWrStruct, wcOf } from './structs';
import { bigintOf, handleOrNull, numberOf, stringOf, stringsOf, structsOf } from './values';

/** The verbs of the contract as calls of C functions by name. */
export abstract class VerbCalls implements Verbs {
  readonly #cqs = new Map<Handle, Cq>();
  readonly #qps = new Map<Handle, Qp>();
  readonly #srqs = new Map<Handle, Srq>();

  /** Calls one C function. @throws VerbsError if it refused */
  protected abstract call(verb: VerbName, args: TraceStruct): Promise<RawResult>;

  /** A scenario's objects are unknown to the next one. */
  protected forgetObjects(): void {
    this.#cqs.clear();
    this.#qps.clear();
    this.#srqs.clear();
  }

  async openDevice(): Promise<Context> {
    const result = await this.call('ibv_open_device', {});
    return { handle: handleOf(result), numCompVectors: numberOf(result.outputs, 'numCompVectors') };
  }

  async closeDevice(context: Context): Promise<void> {
    await this.call('ibv_close_device', { context: context.handle });
  }

  async queryDevice(context: Context): Promise<DeviceAttr> {
    const { outputs } = await this.call('ibv_query_device', { context: context.handle });
    return { maxCqe: numberOf(outputs, 'maxCqe') };
  }

  async queryPortState(context: Context, portNum: number): Promise<string> {
    const { outputs } = await this.call('ibv_query_port', { context: context.handle, portNum });
    return stringOf(outputs, 'state');
  }

  async allocPd(context: Context): Promise<Pd> {
    return { handle: handleOf(await this.call('ibv_alloc_pd', { context: context.handle })) };
  }

  async deallocPd(pd: Pd): Promise<void> {
    await this.call('ibv_dealloc_pd', { pd: pd.handle });
  }

  async createAh(pd: Pd, attr: AhAttr): Promise<Ah> {
    return { handle: handleOf(await this.call('ibv_create_ah', { pd: pd.handle, attr: { ...attr } })) };
  }

  async destroyAh(ah: Ah): Promise<void> {
    await this.call('ibv_destroy_ah', { ah: ah.handle });
  }

  async regMr(pd: Pd, length: number, access: readonly AccessFlag[]): Promise<Mr> {
    const result = await this.call('ibv_reg_mr', { pd: pd.handle, length, access });
    return {
      handle: handleOf(result),
      addr: bigintOf(result.outputs, 'addr'),
      length,
      lkey: numberOf(result.outputs, 'lkey'),
      rkey: numberOf(result.outputs, 'rkey'),
    };
  }

  async deregMr(mr: Mr): Promise<void> {
    await this.call('ibv_dereg_mr', { mr: mr.handle });
  }

  async readMemory(mr: Mr, offset: number, length: number): Promise<Buffer> {
    const { outputs } = await this.call('memory read', { mr: mr.handle, offset, length });
    return Buffer.from(stringOf(outputs, 'bytes'), 'hex');
  }

  async writeMemory(mr: Mr, offset: number, bytes: Buffer): Promise<void> {
    await this.call('memory write', { mr: mr.handle, offset, bytes: bytes.toString('hex') });
  }

  async allocMw(pd: Pd): Promise<Mw> {
    const result = await this.call('ibv_alloc_mw', { pd: pd.handle, type: 'IBV_MW_TYPE_2' });
    return { handle: handleOf(result), rkey: numberOf(result.outputs, 'rkey') };
  }

  async deallocMw(mw: Mw): Promise<void> {
    await this.call('ibv_dealloc_mw', { mw: mw.handle });
  }

  async createCompChannel(context: Context): Promise<CompChannel> {
    return { handle: handleOf(await this.call('ibv_create_comp_channel', { context: context.handle })) };
  }

  async destroyCompChannel(channel: CompChannel): Promise<void> {
    await this.call('ibv_destroy_comp_channel', { channel: channel.handle });
  }

  async readCompChannel(channel: CompChannel): Promise<CompChannelMembers> {
    const { outputs } = await this.call('struct ibv_comp_channel', { channel: channel.handle });
    return { context: handleOrNull(outputs, 'context'), fd: numberOf(outputs, 'fd') };
  }

  async createCq(context: Context, attr: CqAttr, channel?: CompChannel): Promise<Cq> {
    return this.#newCq(await this.call('ibv_create_cq', cqArgs(context, attr, channel)));
  }

  async createCqEx(context: Context, attr: CqExAttr, channel?: CompChannel): Promise<Cq> {
    const args = {
      ...cqArgs(context, attr, channel),
      wcFlags: attr.wcFlags,
      compMask: attr.compMask ?? [],
      flags: attr.flags ?? [],
    };
    return this.#newCq(await this.call('ibv_create_cq_ex', args));
  }

  async destroyCq(cq: Cq): Promise<void> {
    await this.call('ibv_destroy_cq', { cq: cq.handle });
  }

  async readCq(cq: Cq): Promise<CqMembers> {
    const { outputs } = await this.call('struct ibv_cq', { cq: cq.handle });
    return {
      context: handleOrNull(outputs, 'context'),
      channel: handleOrNull(outputs, 'channel'),
      cqContext: bigintOf(outputs, 'cqContext'),
      cqe: numberOf(outputs, 'cqe'),
    };
  }

  async resizeCq(cq: Cq, cqe: number): Promise<void> {
    await this.call('ibv_resize_cq', { cq: cq.handle, cqe });
  }

  async modifyCq(cq: Cq, { attrMask, cqCount, cqPeriod }: ModifyCqAttr): Promise<void> {
    await this.call('ibv_modify_cq', { cq: cq.handle, attr: { attrMask, moderate: { cqCount, cqPeriod } } });
  }

  async reqNotifyCq(cq: Cq, solicitedOnly: number): Promise<void> {
    await this.call('ibv_req_notify_cq', { cq: cq.handle, solicitedOnly });
  }

  async pollCq(cq: Cq, numEntries: number): Promise<readonly Wc[]> {
    const result = await this.call('ibv_poll_cq', { cq: cq.handle, numEntries });
    return structsOf(result.outputs, 'wc').map(wcOf);
  }

  async startPoll(cq: Cq): Promise<void> {
    await this.call('ibv_start_poll', { cq: cq.handle });
  }

  async nextPoll(cq: Cq): Promise<void> {
    await this.call('ibv_next_poll', { cq: cq.handle });
  }

  async endPoll(cq: Cq): Promise<void> {
    await this.call('ibv_end_poll', { cq: cq.handle });
  }

  async readCqEx(cq: Cq): Promise<CqExMembers> {
    const { outputs } = await this.call('struct ibv_cq_ex', { cq: cq.handle });
    return { wrId: bigintOf(outputs, 'wrId'), status: stringOf(outputs, 'status') };
  }

  async wcRead(cq: Cq, reader: WcReader): Promise<TraceValue> {
    const { outputs } = await this.call(`ibv_wc_read_${reader}`, { cq: cq.handle });
    const { value } = outputs;
    if (value === undefined) throw new HarnessError(`the driver answered without the value of ${reader}`);
    return value;
  }

  async getCqEvent(channel: CompChannel): Promise<CqEvent> {
    const result = await this.call('ibv_get_cq_event', { channel: channel.handle });
    const handle = stringOf(result.outputs, 'cq');
    return { cq: this.#cqs.get(handle) ?? { handle, cqe: 0 }, cqContext: bigintOf(result.outputs, 'cqContext') };
  }

  async ackCqEvents(cq: Cq, nevents: number): Promise<void> {
    await this.call('ibv_ack_cq_events', { cq: cq.handle, nevents });
  }

  async getAsyncEvent(context: Context): Promise<AsyncEvent> {
    const { outputs } = await this.call('ibv_get_async_event', { context: context.handle });
    return {
      handle: stringOf(outputs, 'event'),
      eventType: stringOf(outputs, 'eventType'),
      element: this.#elementOf(outputs),
    };
  }

  async ackAsyncEvent(event: AsyncEvent): Promise<void> {
    await this.call('ibv_ack_async_event', { event: event.handle });
  }

  async pollFd(source: CompChannel | Context, timeoutMs: number): Promise<boolean> {
    const { returned, outputs } = await this.call('poll', { source: source.handle, timeoutMs });
    return returned === 1 && stringsOf(outputs, 'revents').includes('POLLIN');
  }

  async getFileStatusFlags(source: CompChannel | Context): Promise<readonly string[]> {
    const { outputs } = await this.call('fcntl', { source: source.handle, cmd: 'F_GETFL' });
    return stringsOf(outputs, 'flags');
  }

  async setFileStatusFlags(source: CompChannel | Context, flags: readonly string[]): Promise<void> {
    await this.call('fcntl', { source: source.handle, cmd: 'F_SETFL', flags });
  }

  async limitOpenFiles(most: number | undefined): Promise<void> {
    await this.call('setrlimit', { resource: 'RLIMIT_NOFILE', soft: most ?? null });
  }

  async createQp(pd: Pd, attr: QpInitAttr): Promise<Qp> {
    const { srq, ...others } = attr;
    const args = {
      ...others,
      cap: { ...attr.cap },
      pd: pd.handle,
      sendCq: attr.sendCq.handle,
      recvCq: attr.recvCq.handle,
      srq: srq?.handle ?? null,
    };
    const result = await this.call('ibv_create_qp', args);
    const qp = { handle: handleOf(result), qpNum: numberOf(result.outputs, 'qpNum') };
    this.#qps.set(qp.handle, qp);
    return qp;
  }

  async modifyQp(qp: Qp, attr: QpAttr): Promise<void> {
    await this.call('ibv_modify_qp', { qp: qp.handle, attr: qpAttrStruct(attr) });
  }

  async destroyQp(qp: Qp): Promise<void> {
    await this.call('ibv_destroy_qp', { qp: qp.handle });
  }

  async postRecv(qp: Qp, wrs: readonly RecvWr[]): Promise<void> {
    await this.call('ibv_post_recv', { qp: qp.handle, wrs: wrs.map(recvWrStruct) });
  }

  async postSend(qp: Qp, wrs: readonly SendWr[]): Promise<void> {
    await this.call('ibv_post_send', { qp: qp.handle, wrs: wrs.map(sendWrStruct) });
  }

  async createSrq(pd: Pd, attr: SrqAttr): Promise<Srq> {
    const srq = { handle: handleOf(await this.call('ibv_create_srq', { pd: pd.handle, attr: { ...attr } })) };
    this.#srqs.set(srq.handle, srq);
    return srq;
  }

  async modifySrq(srq: Srq, attr: Partial<Omit<SrqAttr, 'maxSge'>>): Promise<void> {
    await this.call('ibv_modify_srq', { srq: srq.handle, attr: { ...attr } });
  }

  async destroySrq(srq: Srq): Promise<void> {
    await this.call('ibv_destroy_srq', { srq: srq.handle });
  }

  async postSrqRecv(srq: Srq, wrs: readonly RecvWr[]): Promise<void> {
    await this.call('ibv_post_srq_recv', { srq: srq.handle, wrs: wrs.map(recvWrStruct) });
  }

  eventTypeStr(eventType: string): Promise<ConstantText> {
    return this.#text('ibv_event_type_str', { eventType });
  }

  nodeTypeStr(nodeType: string): Promise<ConstantText> {
    return this.#text('ibv_node_type_str', { nodeType });
  }

  portStateStr(portState: string): Promise<ConstantText> {
    return this.#text('ibv_port_state_str', { portState });
  }

  async #text(verb: VerbName, args: TraceStruct): Promise<ConstantText> {
    const { returned, outputs } = await this.call(verb, args);
    return { text: String(returned), address: bigintOf(outputs, 'address') };
  }

  #newCq(result: RawResult): Cq {
    const cq = { handle: handleOf(result), cqe: numberOf(result.outputs, 'cqe') };
    this.#cqs.set(cq.handle, cq);
    return cq;
  }

  #elementOf({ element }: TraceStruct): AsyncEvent['element'] {
    if (typeof element === 'number') return element;
    if (typeof element !== 'string') return undefined;
    return this.#cqs.get(element) ?? this.#qps.get(element) ?? this.#srqs.get(element) ?? { handle: element };
  }
}

function cqArgs(context: Context, attr: CqAttr, channel: CompChannel | undefined): TraceStruct {
  return {
    context: context.handle,
    cqe: attr.cqe,
    cqContext: attr.cqContext ?? 0n,
    channel: channel?.handle ?? null,
    compVector: attr.compVector ?? 0,
  };
}

function handleOf({ returned }: RawResult): Handle {
  if (typeof returned !== 'string') throw new HarnessError(`the driver answered with ${returned} instead of a handle`);
  return returned;
}
