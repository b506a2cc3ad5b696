import type { QpAttr, QpCap, QpState, RecvWr, SendWr, Wc } from '../contract';
import type { Cq } from './cq';
import type { Device } from './device';
import type { Pd } from './pd';
import { mayModify } from './qp-states';
import { postAll } from './post-list';
import { demand } from './refusal';

/** Virtual microseconds from posting a send to its arrival. */
const wireUs = 3;
/** Virtual microseconds before a send is tried again; the codes of timeout and min_rnr_timer are not told apart. */
const retryUs = 100;
/** The value of rnr_retry that stands for no limit. */
const rnrRetryUnlimited = 7;

const silent = {
  vendorErr: 0,
  immData: 0,
  invalidatedRkey: 0,
  wcFlags: [],
  pkeyIndex: 0,
  slid: 0,
  sl: 0,
  dlidPathBits: 0,
};

/** What the responder answers. */
type Answer = 'ack' | 'rnr' | 'invalid-request' | 'operation-error' | 'none';

export interface QpParts {
  readonly pd: Pd;
  readonly sendCq: Cq;
  readonly recvCq: Cq;
  readonly cap: QpCap;
  readonly sqSigAll: boolean;
}

/** An RC queue pair, connected in loopback: ibv_create_qp(3), ibv_modify_qp(3), ibv_post_send(3), ibv_post_recv(3). */
export class Qp {
  readonly #attr: QpAttr = {};
  #state: QpState = 'IBV_QPS_RESET';
  #sends: SendWr[] = [];
  #receives: RecvWr[] = [];
  #sending = false;
  #retries = 0;
  /** Counts changes of state that void what is under way. */
  #epoch = 0;

  constructor(
    readonly device: Device,
    readonly qpNum: number,
    readonly parts: QpParts,
  ) {
    parts.pd.users += 1;
    parts.sendCq.users += 1;
    parts.recvCq.users += 1;
  }

  get state(): QpState {
    return this.#state;
  }

  modify(attr: QpAttr): void {
    const state = attr.qpState ?? this.#state;
    demand(mayModify(this.#state, state, attr), 'EINVAL');
    Object.assign(this.#attr, attr);
    this.#state = state;
    if (state === 'IBV_QPS_RESET') this.#reset();
    if (state === 'IBV_QPS_ERR') this.#enterError();
    this.#pump();
  }

  postSend(wrs: readonly SendWr[]): void {
    postAll(wrs, (wr) => {
      this.#postSend(wr);
    });
  }

  postRecv(wrs: readonly RecvWr[]): void {
    postAll(wrs, (wr) => {
      this.#postRecv(wr);
    });
  }

  #postSend(wr: SendWr): void {
    demand(['IBV_QPS_RTS', 'IBV_QPS_SQD', 'IBV_QPS_SQE', 'IBV_QPS_ERR'].includes(this.#state), 'EINVAL');
    demand(wr.sgList.length <= this.parts.cap.maxSendSge, 'EINVAL');
    demand(this.#sends.length < this.parts.cap.maxSendWr, 'ENOMEM');
    this.#sends.push(wr);
    if (this.#state === 'IBV_QPS_ERR') this.#scheduleFlush();
    this.#pump();
  }

  #postRecv(wr: RecvWr): void {
    demand(this.#state !== 'IBV_QPS_RESET', 'EINVAL');
    demand(wr.sgList.length <= this.parts.cap.maxRecvSge, 'EINVAL');
    demand(this.#receives.length < this.parts.cap.maxRecvWr, 'ENOMEM');
    this.#receives.push(wr);
    if (this.#state === 'IBV_QPS_ERR') this.#scheduleFlush();
    this.device.peerOf(this)?.retryNow();
  }

  destroy(): void {
    this.#reset();
    this.parts.pd.users -= 1;
    this.parts.sendCq.users -= 1;
    this.parts.recvCq.users -= 1;
  }

  get destQpNum(): number | undefined {
    return this.#attr.destQpNum;
  }

  /** Goes on with a send that waits without limit for the peer to post a receive. */
  retryNow(): void {
    if (this.#attr.rnrRetry === rnrRetryUnlimited) this.#pump();
  }

  /** Sends go out one after the other: the next when the one before is answered. */
  #pump(): void {
    if (this.#sending || this.#state !== 'IBV_QPS_RTS' || this.#sends.length === 0) return;
    this.#sending = true;
    this.#later(wireUs, () => {
      this.#transmit();
    });
  }

  #later(delayUs: number, run: () => void): void {
    const epoch = this.#epoch;
    this.device.clock.schedule(delayUs, () => {
      if (epoch !== this.#epoch) return;
      this.#sending = false;
      run();
    });
  }

  #voidWhatIsUnderWay(): void {
    this.#epoch += 1;
    this.#sending = false;
    this.#retries = 0;
  }

  #transmit(): void {
    const wr = this.#sends[0];
    if (wr === undefined) return;
    const pieces = wr.sgList.map((sge) => this.device.memory.local(this.parts.pd, sge));
    if (!pieces.every((piece) => piece !== undefined)) {
      this.#complete(wr, 'IBV_WC_LOC_PROT_ERR');
      return;
    }
    const peer = this.device.peerOf(this);
    const solicited = wr.sendFlags.includes('IBV_SEND_SOLICITED');
    this.#take(wr, peer?.receive(Buffer.concat(pieces), solicited, this.qpNum) ?? 'none');
  }

  #take(wr: SendWr, answer: Answer): void {
    switch (answer) {
      case 'ack':
        this.#complete(wr, 'IBV_WC_SUCCESS');
        break;
      case 'invalid-request':
        this.#complete(wr, 'IBV_WC_REM_INV_REQ_ERR');
        break;
      case 'operation-error':
        this.#complete(wr, 'IBV_WC_REM_OP_ERR');
        break;
      case 'rnr':
        if (this.#attr.rnrRetry === rnrRetryUnlimited) break;
        this.#retry(wr, this.#attr.rnrRetry, 'IBV_WC_RNR_RETRY_EXC_ERR');
        break;
      case 'none':
        this.#retry(wr, this.#attr.retryCnt, 'IBV_WC_RETRY_EXC_ERR');
        break;
    }
  }

  #retry(wr: SendWr, limit = 0, exceeded: string): void {
    if (this.#retries >= limit) {
      this.#complete(wr, exceeded);
      return;
    }
    this.#retries += 1;
    this.#sending = true;
    this.#later(retryUs, () => {
      this.#transmit();
    });
  }

  #complete(wr: SendWr, status: string): void {
    this.#sends.shift();
    this.#retries = 0;
    if (this.parts.sqSigAll || wr.sendFlags.includes('IBV_SEND_SIGNALED') || status !== 'IBV_WC_SUCCESS') {
      this.#addSendCqe(wr, status);
    }
    if (status !== 'IBV_WC_SUCCESS') this.#enterError();
    this.#pump();
  }

  /** The responder's half of a message. */
  receive(message: Buffer, solicitedEvent: boolean, srcQp: number): Answer {
    if (this.#state !== 'IBV_QPS_RTR' && this.#state !== 'IBV_QPS_RTS' && this.#state !== 'IBV_QPS_SQD') return 'none';
    const wr = this.#receives.shift();
    if (wr === undefined) return 'rnr';
    const status = this.#scatter(wr, message);
    const byteLen = status === 'IBV_WC_SUCCESS' ? message.length : 0;
    this.#addRecvCqe(wr, { status, byteLen, srcQp }, solicitedEvent);
    if (status === 'IBV_WC_SUCCESS') return 'ack';
    this.#enterError();
    return status === 'IBV_WC_LOC_LEN_ERR' ? 'invalid-request' : 'operation-error';
  }

  #scatter(wr: RecvWr, message: Buffer): string {
    const room = wr.sgList.reduce((sum, sge) => sum + sge.length, 0);
    if (room < message.length) return 'IBV_WC_LOC_LEN_ERR';
    let rest = message;
    for (const sge of wr.sgList) {
      const target = this.device.memory.local(this.parts.pd, sge, 'IBV_ACCESS_LOCAL_WRITE');
      if (target === undefined) return 'IBV_WC_LOC_PROT_ERR';
      rest = rest.subarray(rest.copy(target));
    }
    return 'IBV_WC_SUCCESS';
  }

  #enterError(): void {
    this.#state = 'IBV_QPS_ERR';
    this.#voidWhatIsUnderWay();
    this.#scheduleFlush();
  }

  #scheduleFlush(): void {
    this.device.clock.schedule(wireUs, () => {
      if (this.#state === 'IBV_QPS_ERR') this.#flush();
    });
  }

  #flush(): void {
    for (const wr of this.#sends.splice(0)) this.#addSendCqe(wr, 'IBV_WC_WR_FLUSH_ERR');
    for (const wr of this.#receives.splice(0)) {
      this.#addRecvCqe(wr, { status: 'IBV_WC_WR_FLUSH_ERR', byteLen: 0, srcQp: 0 }, false);
    }
  }

  #reset(): void {
    this.#state = 'IBV_QPS_RESET';
    this.#sends = [];
    this.#receives = [];
    this.#voidWhatIsUnderWay();
  }

  #addSendCqe({ wrId }: SendWr, status: string): void {
    const wc = {
      wrId,
      status,
      opcode: 'IBV_WC_SEND',
      byteLen: 0,
      srcQp: 0,
      qpNum: this.qpNum,
      ...silent,
    };
    this.parts.sendCq.add({ wc, solicitedEvent: false });
  }

  #addRecvCqe({ wrId }: RecvWr, result: Pick<Wc, 'status' | 'byteLen' | 'srcQp'>, solicitedEvent: boolean): void {
    const wc = { wrId, ...result, opcode: 'IBV_WC_RECV', qpNum: this.qpNum, ...silent };
    this.parts.recvCq.add({ wc, solicitedEvent });
  }
}
