import {
  errnoName,
  VerbsError,
  HarnessError,
  type AccessFlag,
  type AsyncEvent,
  type CallRecord,
  type CompChannel,
  type Context,
  type Cq,
  type CqAttr,
  type CqEvent,
  type Driver,
  type Dut,
  type Handle,
  type Limits,
  type Mr,
  type Pd,
  type Qp,
  type QpAttr,
  type QpInitAttr,
  type QpState,
  type RecvWr,
  type SendWr,
  type Sge,
  type TraceStruct,
  type Wc,
} from './contract';
import type { Backend, RawResult } from './backend';
import { conventions, isRefusal, type VerbName } from './conventions';
import { bigintOf, numberOf, stringOf, stringsOf, structsOf } from './values';

/** The one place that turns raw results of a {@link Backend} into objects and refusals, and records every call. */
export class VerbsDriver implements Driver {
  readonly pathMtu: number;
  readonly #backend: Backend;
  readonly #cqs = new Map<Handle, Cq>();
  readonly #qps = new Map<Handle, Qp>();
  #records: CallRecord[] = [];
  /** Why the driver can do nothing more. */
  #closed: string | undefined;

  /** @param mtu - path MTU in bytes asked for by the user; otherwise the port's active MTU */
  constructor(
    backend: Backend,
    readonly limits: Limits,
    mtu?: number,
  ) {
    this.#backend = backend;
    this.pathMtu = mtu ?? backend.dut.port.activeMtu;
  }

  get dut(): Dut {
    return this.#backend.dut;
  }

  async begin(): Promise<void> {
    this.#records = [];
    this.#cqs.clear();
    this.#qps.clear();
    if (this.#closed !== undefined) throw new HarnessError(this.#closed);
    await this.#backend.begin();
  }

  trace(): readonly CallRecord[] {
    return this.#records;
  }

  kernelLog(): string {
    return this.#backend.kernelLog();
  }

  async end(): Promise<readonly Handle[]> {
    return this.#closed === undefined ? this.#backend.end() : [];
  }

  settle(): Promise<void> {
    return this.#backend.settle();
  }

  nowMs(): number {
    return this.#backend.nowMs();
  }

  pause(ms: number): Promise<void> {
    return this.#backend.pause(ms);
  }

  close(reason = 'the driver was closed'): Promise<void> {
    this.#closed ??= reason;
    return this.#backend.close();
  }

  async openDevice(): Promise<Context> {
    const result = await this.#call('ibv_open_device', {});
    return { handle: handleOf(result), numCompVectors: numberOf(result.outputs, 'numCompVectors') };
  }

  async closeDevice(context: Context): Promise<void> {
    await this.#call('ibv_close_device', { context: context.handle });
  }

  async allocPd(context: Context): Promise<Pd> {
    return { handle: handleOf(await this.#call('ibv_alloc_pd', { context: context.handle })) };
  }

  async deallocPd(pd: Pd): Promise<void> {
    await this.#call('ibv_dealloc_pd', { pd: pd.handle });
  }

  async regMr(pd: Pd, length: number, access: readonly AccessFlag[]): Promise<Mr> {
    const result = await this.#call('ibv_reg_mr', { pd: pd.handle, length, access });
    return {
      handle: handleOf(result),
      addr: bigintOf(result.outputs, 'addr'),
      length,
      lkey: numberOf(result.outputs, 'lkey'),
      rkey: numberOf(result.outputs, 'rkey'),
    };
  }

  async deregMr(mr: Mr): Promise<void> {
    await this.#call('ibv_dereg_mr', { mr: mr.handle });
  }

  async createCompChannel(context: Context): Promise<CompChannel> {
    return { handle: handleOf(await this.#call('ibv_create_comp_channel', { context: context.handle })) };
  }

  async destroyCompChannel(channel: CompChannel): Promise<void> {
    await this.#call('ibv_destroy_comp_channel', { channel: channel.handle });
  }

  async createCq(context: Context, attr: CqAttr, channel?: CompChannel): Promise<Cq> {
    const args = {
      context: context.handle,
      cqe: attr.cqe,
      cqContext: attr.cqContext ?? 0n,
      channel: channel?.handle ?? null,
      compVector: attr.compVector ?? 0,
    };
    const result = await this.#call('ibv_create_cq', args);
    const cq = { handle: handleOf(result), cqe: numberOf(result.outputs, 'cqe') };
    this.#cqs.set(cq.handle, cq);
    return cq;
  }

  async destroyCq(cq: Cq): Promise<void> {
    await this.#call('ibv_destroy_cq', { cq: cq.handle });
  }

  async reqNotifyCq(cq: Cq, solicitedOnly: number): Promise<void> {
    await this.#call('ibv_req_notify_cq', { cq: cq.handle, solicitedOnly });
  }

  async pollCq(cq: Cq, numEntries: number): Promise<readonly Wc[]> {
    const result = await this.#call('ibv_poll_cq', { cq: cq.handle, numEntries });
    return structsOf(result.outputs, 'wc').map(wcOf);
  }

  async getCqEvent(channel: CompChannel): Promise<CqEvent> {
    const result = await this.#call('ibv_get_cq_event', { channel: channel.handle });
    const handle = stringOf(result.outputs, 'cq');
    return { cq: this.#cqs.get(handle) ?? { handle, cqe: 0 }, cqContext: bigintOf(result.outputs, 'cqContext') };
  }

  async ackCqEvents(cq: Cq, nevents: number): Promise<void> {
    await this.#call('ibv_ack_cq_events', { cq: cq.handle, nevents });
  }

  async getAsyncEvent(context: Context): Promise<AsyncEvent> {
    const { outputs } = await this.#call('ibv_get_async_event', { context: context.handle });
    return {
      handle: stringOf(outputs, 'event'),
      eventType: stringOf(outputs, 'eventType'),
      element: this.#elementOf(outputs),
    };
  }

  async ackAsyncEvent(event: AsyncEvent): Promise<void> {
    await this.#call('ibv_ack_async_event', { event: event.handle });
  }

  async createQp(pd: Pd, attr: QpInitAttr): Promise<Qp> {
    const args = {
      ...attr,
      cap: { ...attr.cap },
      pd: pd.handle,
      sendCq: attr.sendCq.handle,
      recvCq: attr.recvCq.handle,
    };
    const result = await this.#call('ibv_create_qp', args);
    const qp = { handle: handleOf(result), qpNum: numberOf(result.outputs, 'qpNum') };
    this.#qps.set(qp.handle, qp);
    return qp;
  }

  async modifyQp(qp: Qp, attr: QpAttr): Promise<void> {
    const { ahAttr, ...scalars } = attr;
    const struct: TraceStruct = ahAttr === undefined ? scalars : { ...scalars, ahAttr: { ...ahAttr } };
    await this.#call('ibv_modify_qp', { qp: qp.handle, attr: struct });
  }

  async queryQpState(qp: Qp): Promise<QpState> {
    const result = await this.#call('ibv_query_qp', { qp: qp.handle, attrMask: ['IBV_QP_STATE'] });
    return stringOf(result.outputs, 'qpState') as QpState;
  }

  async destroyQp(qp: Qp): Promise<void> {
    await this.#call('ibv_destroy_qp', { qp: qp.handle });
  }

  async postRecv(qp: Qp, wr: RecvWr): Promise<void> {
    await this.#call('ibv_post_recv', { qp: qp.handle, wr: { wrId: wr.wrId, sgList: sgListOf(wr.sgList) } });
  }

  async postSend(qp: Qp, wr: SendWr): Promise<void> {
    await this.#call('ibv_post_send', { qp: qp.handle, wr: { ...wr, sgList: sgListOf(wr.sgList) } });
  }

  async pollFd(source: CompChannel | Context, timeoutMs: number): Promise<boolean> {
    return (await this.#call('poll', { source: source.handle, timeoutMs })).returned === 1;
  }

  async setNonblocking(channel: CompChannel): Promise<void> {
    await this.#call('fcntl', { channel: channel.handle, flags: ['O_NONBLOCK'] });
  }

  #elementOf(outputs: TraceStruct): AsyncEvent['element'] {
    const element = outputs.element;
    if (typeof element === 'number') return element;
    if (typeof element !== 'string') return undefined;
    return this.#cqs.get(element) ?? this.#qps.get(element) ?? { handle: element, cqe: 0 };
  }

  async #call(verb: VerbName, args: TraceStruct): Promise<RawResult> {
    const records = this.#records;
    const before = records.at(-1);
    const startedAt = before === undefined ? 0 : before.startedAt + before.durationUs;
    const index = records.push({
      verb,
      args,
      returned: undefined,
      errno: undefined,
      outputs: {},
      startedAt,
      durationUs: 0,
    });
    const result = await this.#backend.call(verb, args).catch((error: unknown) => {
      throw this.#closed === undefined ? error : new HarnessError(this.#closed);
    });
    const { returned, outputs, durationUs } = result;
    const errno = isRefusal(verb, returned) ? errnoName(errnoOf(verb, result)) : undefined;
    records[index - 1] = { verb, args, returned, errno, outputs, startedAt: result.startedAt, durationUs };
    if (errno !== undefined) throw new VerbsError(verb, errno, returned);
    return result;
  }
}

function errnoOf(verb: VerbName, { returned, errno }: RawResult): number {
  return conventions[verb] === 'errno' && typeof returned === 'number' ? Math.abs(returned) : errno;
}

function handleOf({ returned }: RawResult): Handle {
  if (typeof returned !== 'string') throw new HarnessError(`the driver answered with ${returned} instead of a handle`);
  return returned;
}

function sgListOf(sgList: readonly Sge[]): TraceStruct[] {
  return sgList.map((sge) => ({ ...sge }));
}

function wcOf(values: TraceStruct): Wc {
  return {
    wrId: bigintOf(values, 'wrId'),
    status: stringOf(values, 'status'),
    opcode: stringOf(values, 'opcode'),
    vendorErr: numberOf(values, 'vendorErr'),
    byteLen: numberOf(values, 'byteLen'),
    qpNum: numberOf(values, 'qpNum'),
    srcQp: numberOf(values, 'srcQp'),
    wcFlags: stringsOf(values, 'wcFlags'),
  };
}
