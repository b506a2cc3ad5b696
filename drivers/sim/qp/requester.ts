import type { WcStatus } from '../cq/completions';
import type { NoReceive } from './message';
import type { ResponsePacket } from '../network/packet';
import { joined } from '../network/segments';
import type { Qp } from './qp';
import type { Attempt, Conclude, Transmitter } from './transmitter';
import type { SendRequest } from './work-request';

/** Virtual microseconds until a send leaves. */
const sendUs = 3;
/** The value of rnr_retry that stands for no limit. */
export const rnrRetryUnlimited = 7;

/** A send WR in its queue, with the bytes that IBV_SEND_INLINE took out of memory at once. */
export interface Posted {
  readonly wr: SendRequest;
  readonly inlineData: Uint8Array | undefined;
}

/** The send queue of a QP. Sends go out one after the other: the next when the one before is done. */
export class Requester {
  protected readonly sends: Posted[] = [];
  readonly #transmitter: Transmitter;
  /** The send that is on its way. */
  protected inProgress: Posted | undefined;
  #retries = 0;
  #rnrRetries = 0;

  constructor(protected readonly qp: Qp) {
    this.#transmitter = new qp.device.parts.Transmitter(qp);
  }

  post(wr: SendRequest): void {
    const isInline = wr.sendFlags.includes('IBV_SEND_INLINE');
    this.sends.push({ wr, inlineData: isInline ? this.#copied(wr) : undefined });
  }

  /** Inline data are read as a program reads its memory: no key is looked at. */
  #copied({ sgList }: SendRequest): Uint8Array {
    return joined(sgList.map(({ addr, length }) => this.qp.device.memory.at(addr, length)));
  }

  /** Numbers the packets of sends from here on. */
  startAt(psn: number): void {
    this.#transmitter.startAt(psn);
  }

  /** Takes an answer from the network. */
  hear(response: ResponsePacket): void {
    this.#transmitter.hear(response);
  }

  /** Sends what comes next, if nothing is on its way and the QP's state lets it. */
  pump(): void {
    if (this.qp.state === 'IBV_QPS_RTS') this.inProgress ??= this.#sendFirst();
  }

  #sendFirst(): Posted | undefined {
    const [first] = this.sends;
    if (first === undefined) return undefined;
    this.#retries = 0;
    this.#rnrRetries = 0;
    this.begin();
    this.#transmitIn(this.leavesInUs, first);
    return first;
  }

  /** Virtual microseconds from the beginning of a send until it leaves. */
  protected get leavesInUs(): number {
    return sendUs;
  }

  /** Tells that nothing is on its way any more, if that is so and was asked for. */
  checkDrained(): void {
    if (this.inProgress === undefined && this.tellsDrained) this.drained();
  }

  /** Whether a send is on its way. */
  get isBusy(): boolean {
    return this.inProgress !== undefined;
  }

  /** Whether there are sends that are not done. */
  get hasSends(): boolean {
    return this.sends.length > 0;
  }

  /** Rule ibv_get_async_event.event-sq-drained. */
  protected get tellsDrained(): boolean {
    const { state, attr } = this.qp;
    return state === 'IBV_QPS_SQD' && attr.enSqdAsyncNotify === true;
  }

  /** Rules ibv_get_async_event.event-sq-drained, .element-qp. */
  protected drained(): void {
    this.qp.raise('IBV_EVENT_SQ_DRAINED');
  }

  /** Gives up all sends, also the one that is on its way. */
  takeAll(): SendRequest[] {
    this.inProgress = undefined;
    this.begin();
    return this.sends.splice(0).map(({ wr }) => wr);
  }

  /** The attempts that follow are at another send. */
  protected begin(): void {
    this.#transmitter.begin();
  }

  /** Tries a send, unless it was given up by then. */
  #transmitIn(delayUs: number, posted: Posted): void {
    this.qp.device.clock.schedule(delayUs, () => {
      if (posted !== this.inProgress) return;
      this.attempt(posted, (attempt) => {
        if (posted === this.inProgress) this.take(posted, attempt);
      });
    });
  }

  protected attempt({ wr, inlineData }: Posted, conclude: Conclude): void {
    this.#transmitter.attempt(wr, inlineData, conclude);
  }

  /** What becomes of a send that is on its way, by what its try has come to. */
  protected take(posted: Posted, attempt: Attempt): void {
    switch (attempt.kind) {
      case 'done':
        this.#complete(posted, attempt.status, attempt.byteLen);
        break;
      case 'rnr':
        this.#retryWithoutReceive(posted, attempt);
        break;
      case 'none':
        this.#retry(posted, attempt.hasProgressed, 0);
        break;
      case 'gap':
        this.#retry(posted, attempt.hasProgressed, sendUs);
        break;
    }
  }

  #retryWithoutReceive(posted: Posted, { whenPosted, timer }: NoReceive): void {
    const { rnrRetry = 0 } = this.qp.attr;
    if (rnrRetry === rnrRetryUnlimited) {
      this.waitForReceive(whenPosted, posted);
    } else if (this.#rnrRetries < rnrRetry) {
      this.#rnrRetries += 1;
      this.#transmitIn(this.qp.device.rnrWaitUs(timer), posted);
    } else {
      this.#complete(posted, 'IBV_WC_RNR_RETRY_EXC_ERR');
    }
  }

  /** Tries go on for as long as there is no receive. */
  protected waitForReceive(whenPosted: NoReceive['whenPosted'], posted: Posted): void {
    whenPosted(() => {
      this.#transmitIn(sendUs, posted);
    });
  }

  /** The peer counts as gone. */
  protected giveUp(posted: Posted): void {
    if (posted === this.inProgress) this.#complete(posted, 'IBV_WC_RETRY_EXC_ERR');
  }

  /** Tries are counted anew whenever some of the message has got through. */
  #retry(posted: Posted, hasProgressed: boolean, delayUs: number): void {
    const { retryCnt = 0 } = this.qp.attr;
    if (hasProgressed) this.#retries = 0;
    if (this.#retries < retryCnt) {
      this.#retries += 1;
      this.#transmitIn(delayUs, posted);
    } else {
      this.giveUp(posted);
    }
  }

  #complete({ wr }: Posted, status: WcStatus, byteLen = 0): void {
    this.sends.shift();
    this.inProgress = undefined;
    if (this.makesCqe(wr, status)) this.qp.completeSend(wr, status, byteLen);
    if (status !== 'IBV_WC_SUCCESS') this.qp.enterError();
    this.checkDrained();
    this.pump();
  }

  /** A send that fails makes a CQE whatever its flags. */
  protected makesCqe({ sendFlags }: SendRequest, status: WcStatus): boolean {
    return this.qp.init.sqSigAll || sendFlags.includes('IBV_SEND_SIGNALED') || status !== 'IBV_WC_SUCCESS';
  }
}
