import {
  maskOf,
  mtuBytes,
  qpAttrBits,
  type QpAttr,
  type QpCap,
  type QpState,
  type QpType,
  type RecvWr,
  type TraceStruct,
} from '../../contract';
import { OwedAcks, type QpEventType } from '../async/async-events';
import type { Completions, WcStatus } from '../cq/completions';
import type { Cq } from '../cq/cq';
import type { Device } from '../device/device';
import type { Message } from './message';
import type { Pd } from '../pd/pd';
import { Arrivals } from '../network/arrivals';
import type { Address, Packet } from '../network/packet';
import { reaches } from '../../pipeline/pkeys';
import { ReceiveQueue } from '../srq/receive-queue';
import { attributesNeeded } from './attributes-of-states';
import { demand, Refusal } from '../refusal';
import { leadsTo, takesSends } from './states';
import type { Requester } from './requester';
import type { Responder } from './responder';
import type { Srq } from '../srq/srq';
import { lengthOf, type SendRequest } from './work-request';

/** The attributes of a QP that nobody has set. */
const unset: TraceStruct = {
  pathMtu: '0',
  qkey: 0,
  rqPsn: 0,
  sqPsn: 0,
  destQpNum: 0,
  qpAccessFlags: [],
  pkeyIndex: 0,
  maxRdAtomic: 0,
  maxDestRdAtomic: 0,
  minRnrTimer: 0,
  portNum: 0,
  timeout: 0,
  retryCnt: 0,
  rnrRetry: 0,
};

/** Virtual microseconds until work is flushed. */
const flushUs = 3;

/** How a QP is made: ibv_create_qp(3). */
export interface QpInit {
  readonly pd: Pd;
  readonly qpType: QpType;
  readonly sendCq: Cq;
  readonly recvCq: Cq;
  readonly srq: Srq | undefined;
  readonly sqSigAll: boolean;
}

/** A queue pair: its states, and the queues that they rule. ibv_create_qp(3), ibv_modify_qp(3), ibv_query_qp(3). */
export class Qp {
  readonly asyncEvents = new OwedAcks();
  /** Those of the QP itself, or of its SRQ. */
  readonly receives: ReceiveQueue;
  readonly completions: Completions;
  protected readonly requester: Requester;
  readonly responder: Responder;
  /** As the network knows it. */
  readonly address: Address;
  readonly #arrivals = new Arrivals(this);
  protected attributes: QpAttr = {};
  protected currentState: QpState = 'IBV_QPS_RESET';

  constructor(
    readonly device: Device,
    readonly qpNum: number,
    readonly init: QpInit,
  ) {
    const { sendCq, recvCq, srq } = init;
    this.receives = srq ?? new ReceiveQueue();
    this.completions = new device.parts.Completions(this);
    this.requester = new device.parts.Requester(this);
    this.responder = new device.parts.Responder(this);
    this.address = { gid: device.port.gid, qpNum };
    sendCq.users += 1;
    recvCq.users += 1;
  }

  get pd(): Pd {
    return this.init.pd;
  }

  get state(): QpState {
    return this.currentState;
  }

  get attr(): QpAttr {
    return this.attributes;
  }

  get isReliable(): boolean {
    return this.init.qpType === 'IBV_QPT_RC';
  }

  get isUd(): boolean {
    return this.init.qpType === 'IBV_QPT_UD';
  }

  /** Bytes that a packet carries at most. */
  get mtu(): number {
    const { pathMtu } = this.attributes;
    return pathMtu === undefined ? this.device.port.activeMtu : mtuBytes(pathMtu);
  }

  /**
   * What its packets carry, and what it compares with those that come. An index past the table, which a device refuses, is
   * in the calls of a device with a longer one: it stands for the first.
   */
  get pkey(): number {
    const { pkeys } = this.device;
    return pkeys[this.attributes.pkeyIndex ?? 0] ?? pkeys[0] ?? 0;
  }

  modify(attr: QpAttr): void {
    const state = attr.qpState ?? this.currentState;
    demand(leadsTo(this.currentState, state), 'EINVAL');
    const given = new Set<string>(maskOf(qpAttrBits, attr));
    demand(
      attributesNeeded(this.init.qpType, this.currentState, state).every((one) => given.has(one)),
      'EINVAL',
    );
    this.attributes = { ...this.attributes, ...attr };
    if (attr.sqPsn !== undefined) this.requester.startAt(attr.sqPsn);
    if (attr.rqPsn !== undefined) this.#arrivals.expect(attr.rqPsn);
    if (state === 'IBV_QPS_ERR') this.enterError();
    else this.#enter(state);
    this.requester.checkDrained();
    this.requester.pump();
  }

  /** Peers that wait for a receive try again: in another state the QP may not answer them. */
  #enter(state: QpState): void {
    if (state === 'IBV_QPS_RESET') this.#forgetWork();
    if (state === 'IBV_QPS_RTR') this.responder.begin();
    this.currentState = state;
    this.receives.wake();
  }

  /** What ibv_query_qp(3) says of it; 0 of what nobody has set. */
  query(): TraceStruct {
    const set = Object.entries(this.attributes as TraceStruct).filter(([name]) => name in unset);
    const sqDraining = this.currentState === 'IBV_QPS_SQD' && this.requester.isBusy;
    return { ...unset, ...Object.fromEntries(set), qpState: this.currentState, sqDraining };
  }

  /** ibv_post_send(3). */
  postSend(wrs: readonly SendRequest[]): void {
    if (!takesSends(this.currentState)) throw new Refusal('EINVAL', { badWr: 0 });
    for (const wr of wrs) this.requester.post(wr);
    this.#scheduleFlush();
    this.requester.pump();
  }

  /** The place of the first send that is larger than the queue takes; -1 if there is none. */
  firstTooLarge(wrs: readonly SendRequest[], { maxSendSge, maxInlineData }: QpCap): number {
    return wrs.findIndex(
      ({ sgList, sendFlags }) =>
        sgList.length > maxSendSge || (sendFlags.includes('IBV_SEND_INLINE') && lengthOf(sgList) > maxInlineData),
    );
  }

  /** The place of the first receive that is larger than the queue takes, or finds it full; -1 if there is none. */
  firstWithoutPlace(wrs: readonly RecvWr[], { maxRecvWr, maxRecvSge }: QpCap): number {
    const room = maxRecvWr - this.receives.length;
    return wrs.findIndex(({ sgList }, place) => sgList.length > maxRecvSge || place >= room);
  }

  /** ibv_post_recv(3). */
  postRecv(wrs: readonly RecvWr[]): void {
    this.receives.post(wrs);
    this.#scheduleFlush();
  }

  /** A packet has come from the network. One of another partition, or from one limited member to another, is dropped. */
  arrive(packet: Packet): void {
    if (!reaches(packet.pkey, this.pkey)) return;
    if (packet.kind === 'request') this.#arrivals.take(packet);
    else this.requester.hear(packet);
  }

  raise(eventType: QpEventType): void {
    this.pd.context.raise(eventType, this);
  }

  /** Rules ibv_get_async_event.event-last-wqe, ibv_poll_cq.field-status. A QP that was in error already has said so. */
  enterError(): void {
    const hasFailed = this.currentState === 'IBV_QPS_ERR';
    this.#enter('IBV_QPS_ERR');
    this.#scheduleFlush();
    if (this.init.srq !== undefined && !hasFailed) {
      this.#later(() => {
        this.reachLastWqe();
      });
    }
  }

  /** Rule ibv_get_async_event.event-last-wqe. */
  protected reachLastWqe(): void {
    this.raise('IBV_EVENT_QP_LAST_WQE_REACHED');
  }

  /** In the error state all work is flushed. */
  #scheduleFlush(): void {
    if (this.currentState !== 'IBV_QPS_ERR') return;
    this.#later(() => {
      this.flush();
    });
  }

  #later(run: () => void): void {
    this.device.clock.schedule(flushUs, run);
  }

  protected flush(): void {
    for (const wr of this.requester.takeAll()) this.completeSend(wr, 'IBV_WC_WR_FLUSH_ERR');
    for (const wr of this.receives.takeAll()) this.failReceive(wr, 'IBV_WC_WR_FLUSH_ERR');
  }

  /** Work of a QP that is reset or destroyed is gone without CQEs: InfiniBand Architecture Specification 10.3.1. */
  #forgetWork(): void {
    this.requester.takeAll();
    this.receives.takeAll();
  }

  /** Begins to destroy the QP. */
  beginDestroy(): void {
    const { pd, sendCq, recvCq } = this.init;
    this.#forgetWork();
    this.receives.wake();
    pd.context.asyncEvents.forget(this);
    sendCq.users -= 1;
    recvCq.users -= 1;
  }

  /** Rule ibv_get_async_event.destroy-qp-waits. */
  get destroyable(): boolean {
    return this.asyncEvents.none;
  }

  /** Rule ibv_req_notify_cq.unsolicited-send-own-flag: the flag of the WR is for the peer. */
  completeSend(wr: SendRequest, status: WcStatus, byteLen = 0): void {
    const wc = this.completions.ofSend(wr, status, byteLen);
    this.init.sendCq.add({ wc, queue: 'send', solicitedEvent: false, atUs: this.device.clock.nowUs });
  }

  completeReceive(wr: RecvWr, message: Message): void {
    const wc = this.completions.ofReceive(wr, message);
    const solicitedEvent = this.isSolicited(message);
    this.init.recvCq.add({ wc, queue: 'receive', solicitedEvent, atUs: this.device.clock.nowUs });
  }

  /** Rule ibv_req_notify_cq.solicited-origin-flag. */
  protected isSolicited({ wr }: Message): boolean {
    return wr.sendFlags.includes('IBV_SEND_SOLICITED');
  }

  failReceive(wr: RecvWr, status: WcStatus): void {
    const wc = this.completions.failed(wr.wrId, status);
    this.init.recvCq.add({ wc, queue: 'receive', solicitedEvent: false, atUs: this.device.clock.nowUs });
  }
}
