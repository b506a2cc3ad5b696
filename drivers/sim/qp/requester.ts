import type { WcStatus } from '../cq/completions';
import type { NoReceive } from './message';
import type { Qp } from './qp';
import type { Attempt, Transmitter } from './transmitter';
import type { SendRequest } from './work-request';

/** Virtual microseconds from posting a send to its arrival. */
const wireUs = 3;
/** Virtual microseconds until a send is tried again that found no receive: the longest that min_rnr_timer can ask for. */
const rnrWaitUs = 655_360;
/** The value of rnr_retry that stands for no limit. */
export const rnrRetryUnlimited = 7;

/** A send WR in its queue, with the bytes that IBV_SEND_INLINE took out of memory at once. */
interface Posted {
  readonly wr: SendRequest;
  readonly inlineData: Buffer | undefined;
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
  #copied({ sgList }: SendRequest): Buffer {
    return Buffer.concat(sgList.map(({ addr, length }) => this.qp.device.memory.at(addr, length)));
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
    this.#transmitIn(wireUs, first);
    return first;
  }

  /** Tells that nothing is on its way any more, if that is so and was asked for. */
  checkDrained(): void {
    if (this.inProgress === undefined && this.tellsDrained) this.drained();
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
    return this.sends.splice(0).map(({ wr }) => wr);
  }

  #transmitIn(delayUs: number, posted: Posted): void {
    this.#later(delayUs, posted, () => {
      this.#take(posted, this.#transmitter.attempt(posted.wr, posted.inlineData));
    });
  }

  /** Runs something for a send, unless it was given up by then. */
  #later(delayUs: number, posted: Posted, run: () => void): void {
    this.qp.device.clock.schedule(delayUs, () => {
      if (posted === this.inProgress) run();
    });
  }

  #take(posted: Posted, attempt: Attempt): void {
    switch (attempt.kind) {
      case 'done':
        this.#complete(posted, attempt.status, attempt.byteLen);
        break;
      case 'rnr':
        this.#retryWithoutReceive(posted, attempt);
        break;
      case 'none':
        this.#retryWithoutAnswer(posted);
        break;
    }
  }

  #retryWithoutReceive(posted: Posted, { whenPosted }: NoReceive): void {
    const { rnrRetry = 0 } = this.qp.attr;
    if (rnrRetry === rnrRetryUnlimited) {
      whenPosted(() => {
        this.#transmitIn(wireUs, posted);
      });
    } else if (this.#rnrRetries < rnrRetry) {
      this.#rnrRetries += 1;
      this.#transmitIn(rnrWaitUs, posted);
    } else {
      this.#complete(posted, 'IBV_WC_RNR_RETRY_EXC_ERR');
    }
  }

  #retryWithoutAnswer(posted: Posted): void {
    const { retryCnt = 0, timeout = 0 } = this.qp.attr;
    const timeoutUs = 4.096 * 2 ** timeout;
    if (this.#retries < retryCnt) {
      this.#retries += 1;
      this.#transmitIn(timeoutUs, posted);
    } else {
      this.#later(timeoutUs, posted, () => {
        this.#complete(posted, 'IBV_WC_RETRY_EXC_ERR');
      });
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
