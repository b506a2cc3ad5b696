import { AsyncEvents, type AsyncEventType } from '../async/async-events';
import type { Clock } from '../clock';
import { CompChannel } from '../channel/comp-channel';
import { Completions } from '../cq/completions';
import { Context } from './context';
import { Cq, type CqExInit, type CqInit } from '../cq/cq';
import { CqIterator } from '../cq/cq-iterator';
import { Descriptors } from '../descriptors';
import { rnrTimerUs, type TraceStruct } from '../../contract';
import { simulatedDut } from './dut';
import simulated from './simulated-attr.json';
import { MemoryTable } from '../mr/memory';
import { Network, type Endpoint } from '../network/network';
import type { Packet } from '../network/packet';
import type { Pd } from '../pd/pd';
import { Port } from './port';
import { Qp, type QpInit } from '../qp/qp';
import { demand } from '../refusal';
import { Requester } from '../qp/requester';
import { Responder } from '../qp/responder';
import { ReturnValues } from '../return-values';
import { Verbs } from '../verbs';
import { Srq } from '../srq/srq';
import { Texts } from '../enum/texts';
import { Transmitter } from '../qp/transmitter';

/** The bit of comp_mask with which the flags of an extended CQ count. */
const flagsCount = 'IBV_CQ_INIT_ATTR_MASK_FLAGS';
const ignoreOverrun = 'IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN';

/** The classes that the simulator is built from. A fault replaces some of them. */
export interface Parts {
  readonly Device: typeof Device;
  readonly Context: typeof Context;
  readonly Descriptors: typeof Descriptors;
  readonly MemoryTable: typeof MemoryTable;
  readonly AsyncEvents: typeof AsyncEvents;
  readonly CompChannel: typeof CompChannel;
  readonly Cq: typeof Cq;
  readonly CqIterator: typeof CqIterator;
  readonly Completions: typeof Completions;
  readonly Qp: typeof Qp;
  readonly Requester: typeof Requester;
  readonly Transmitter: typeof Transmitter;
  readonly Responder: typeof Responder;
  readonly Srq: typeof Srq;
  readonly Texts: typeof Texts;
  readonly ReturnValues: typeof ReturnValues;
  readonly Verbs: typeof Verbs;
}

/** Completion vectors, unless a variant has others. */
export const simulatedCompVectors = 4;
/** Most entries of a CQ, unless a variant has others. */
export const simulatedMaxCqe = 65536;

/**
 * A device with one port on a network, where its queue pairs reach each other and those of other devices. It refuses what
 * the pages with features want refused. What others forbid, such as a full send queue or a PD in use, it does not look
 * at: a program that relies on such a refusal has to meet a real device. Where no page says what
 * happens it does the simplest: a failed send ends a QP of any type in the error state, IBV_QPS_RESET discards nothing,
 * nobody compares Q_Keys, and a datagram is one packet however long it is.
 */
export class Device implements Endpoint {
  readonly port: Port;
  readonly descriptors: Descriptors;
  readonly memory: MemoryTable;
  readonly numCompVectors: number = simulatedCompVectors;
  /** Most entries of a CQ: ibv_query_device(3). */
  readonly maxCqe: number = simulatedMaxCqe;
  /** The P_Key table of the port: ibv_query_pkey(3). */
  readonly pkeys: readonly number[] = [0xffff];
  protected readonly contexts = new Set<Context>();
  protected readonly qps = new Map<number, Qp>();
  #nextQpNum: number | undefined;

  /** @param gid - of its port */
  constructor(
    readonly parts: Parts,
    readonly network: Network = new Network(),
    gid: string = simulatedDut.port.gid,
  ) {
    this.port = new Port(gid);
    this.descriptors = new parts.Descriptors();
    this.memory = new parts.MemoryTable();
    network.attach(this);
  }

  get clock(): Clock {
    return this.network.clock;
  }

  /** What it says of itself: ibv_query_device(3). */
  get attr(): TraceStruct {
    return simulated.device;
  }

  /** What its port says: ibv_query_port(3). */
  get portAttr(): TraceStruct {
    return simulated.port;
  }

  /** The bits of a time stamp that count, the others are 0: ibv_query_device_ex(3). */
  timestampMask(): bigint {
    return 0xffff_ffff_ffff_ffffn;
  }

  /** Of 24 bits, all of which count. */
  protected firstQpNum(): number {
    return 0xa1_b2c3;
  }

  open(): Context {
    const context = new this.parts.Context(this);
    this.contexts.add(context);
    return context;
  }

  /** Takes the link of the port up or down. */
  setPortUp(up: boolean): void {
    this.port.isUp = up;
    this.portChanged(up ? 'IBV_EVENT_PORT_ACTIVE' : 'IBV_EVENT_PORT_ERR');
    for (const qp of this.qps.values()) qp.receives.wake();
  }

  /** The QPs that use a CQ. */
  qpsOf(cq: Cq): Qp[] {
    return [...this.qps.values()].filter(({ init }) => init.sendCq === cq || init.recvCq === cq);
  }

  /** Whether a QP has not been destroyed. */
  hasQp(qp: Qp): boolean {
    return this.qps.get(qp.qpNum) === qp;
  }

  /** Whether a QP takes its receives from an SRQ. */
  hasQpOf(srq: Srq): boolean {
    return [...this.qps.values()].some(({ init }) => init.srq === srq);
  }

  /** Every context hears of the port. Rules ibv_get_async_event.event-port-err, .event-port-active, .element-port. */
  portChanged(eventType: AsyncEventType): void {
    for (const context of this.contexts) context.raise(eventType, this.port.portNum);
  }

  /** Rules ibv_create_comp_channel.creates-on-context, .is-file-descriptor, .returns-null. */
  createCompChannel(context: Context): CompChannel {
    return new this.parts.CompChannel(context, this.descriptors.open());
  }

  /** Rules ibv_create_cq.creates-on-context, .channel-optional, .returns-null. */
  createCq(context: Context, init: CqInit, channel: CompChannel | undefined): Cq {
    demand(init.cqe <= this.maxCqe, 'EINVAL');
    this.refuseVector(init.compVector);
    return new this.parts.Cq(context, init, channel);
  }

  /** Rule ibv_create_cq_ex.creates-on-context. */
  createCqEx(context: Context, attr: CqExInit, channel: CompChannel | undefined): Cq {
    const flags = this.countingFlags(attr);
    return this.createCq(context, { ...attr, ignoreOverrun: flags.includes(ignoreOverrun) }, channel);
  }

  /** Rules ibv_create_cq_ex.attr-flags, .attr-comp-mask. */
  protected countingFlags({ compMask, flags }: CqExInit): readonly string[] {
    return compMask.includes(flagsCount) ? flags : [];
  }

  /** Rules ibv_create_cq.vector-lower-bound, .vector-upper-bound, ibv_create_cq_ex.attr-comp-vector. */
  protected refuseVector(compVector: number): void {
    demand(compVector >= 0 && compVector < this.numCompVectors, 'EINVAL');
  }

  createQp(init: QpInit): Qp {
    if (init.srq !== undefined) this.refuseSrqFor(init.qpType);
    const qpNum = this.#nextQpNum ?? this.firstQpNum();
    const qp = new this.parts.Qp(this, qpNum, init);
    this.#nextQpNum = this.qpNumAfter(qpNum);
    this.qps.set(qp.qpNum, qp);
    return qp;
  }

  /** Rule ibv_create_qp.srq-only-rc-ud. */
  protected refuseSrqFor(qpType: QpInit['qpType']): void {
    demand(qpType === 'IBV_QPT_RC' || qpType === 'IBV_QPT_UD', 'EINVAL');
  }

  protected qpNumAfter(qpNum: number): number {
    return qpNum + 1;
  }

  /** Microseconds that a requester waits before it tries again where there was no receive. */
  rnrWaitUs(code: number): number {
    return rnrTimerUs(code);
  }

  /** Microseconds that it waits for an answer: `timeout` of ibv_modify_qp(3). */
  answerWaitUs(timeout: number): number {
    return 4.096 * 2 ** timeout;
  }

  beginDestroyQp(qp: Qp): void {
    qp.beginDestroy();
    this.qps.delete(qp.qpNum);
  }

  createSrq(pd: Pd): Srq {
    return new this.parts.Srq(pd);
  }

  /**
   * Takes a packet from the network. Nobody answers for a QP that is not there.
   *
   * @returns whether there is such a QP
   */
  arrive(packet: Packet): boolean {
    const qp = this.qps.get(packet.to.qpNum);
    qp?.arrive(packet);
    return qp !== undefined;
  }
}

export const soundParts: Parts = {
  Device,
  Context,
  Descriptors,
  MemoryTable,
  AsyncEvents,
  CompChannel,
  Cq,
  CqIterator,
  Completions,
  Qp,
  Requester,
  Transmitter,
  Responder,
  Srq,
  Texts,
  ReturnValues,
  Verbs,
};
