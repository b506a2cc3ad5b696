import { HarnessError } from '../contract';
import type { WcStatus } from './completions';
import type { NoReceive } from './message';
import type { Qp } from './qp';
import { ackTimeoutUs } from './qp-timers';
import { demand } from './refusal';
import type { Attempt, Transmitter } from './transmitter';
import { isAtomic, isWrite, lengthOf, operations, type SendRequest } from './work-request';

/** Virtual microseconds from posting a send to its arrival. */
const wireUs = 3;
/** The value of rnr_retry that stands for no limit. */
const rnrRetryUnlimited = 7;

/** A send WR in its queue, with the bytes that IBV_SEND_INLINE took out of memory at once. */
interface Posted {
  readonly wr: SendRequest;
  readonly inlineData: Buffer | undefined;
}

/** The send queue of a QP. Sends go out one after the other: the next when the one before is done. */
export class Requester {
  protected sends: Posted[] = [];
  readonly #transmitter: Transmitter;
  /** Whether the first send is on its way. */
  #inFlight = false;
  #retries = 0;
  #rnrRetries = 0;
  #notifyDrained = false;
  /** Counts changes of state that void what is on its way. */
  #epoch = 0;

  constructor(protected readonly qp: Qp) {
    this.#transmitter = new qp.device.parts.Transmitter(qp);
  }

  /** The page does not name the errno of each refusal; a full queue is ENOMEM, all else EINVAL. */
  post(wr: SendRequest): void {
    const { maxSendWr, maxSendSge, maxInlineData } = this.qp.init.cap;
    const { data, qpTypes } = operations[wr.opcode];
    demand(qpTypes.includes(this.qp.init.qpType) && wr.sgList.length <= maxSendSge && this.#isWhole(wr), 'EINVAL');
    const inline = wr.sendFlags.includes('IBV_SEND_INLINE');
    demand(!inline || (data === 'sent' && lengthOf(wr.sgList) <= maxInlineData), 'EINVAL');
    demand(this.sends.length < maxSendWr, 'ENOMEM');
    this.sends.push({ wr, inlineData: inline ? this.#copied(wr) : undefined });
  }

  /** Whether the WR has the members that its opcode and the type of the QP need. */
  #isWhole(wr: SendRequest): boolean {
    if (this.qp.isUd) return wr.ud !== undefined;
    if (isWrite(wr) || wr.opcode === 'IBV_WR_RDMA_READ') return wr.rdma !== undefined;
    if (isAtomic(wr)) return wr.atomic !== undefined;
    return wr.opcode !== 'IBV_WR_BIND_MW' || wr.bindMw !== undefined;
  }

  /** Inline data are read as a program reads its memory: no key is looked at. */
  #copied({ sgList }: SendRequest): Buffer {
    return Buffer.concat(
      sgList.map(({ addr, length }) => {
        const bytes = this.qp.device.memory.at(addr, length);
        if (bytes === undefined) throw new HarnessError(`no memory holds ${length} bytes of inline data at ${addr}`);
        return bytes;
      }),
    );
  }

  /** Sends what comes next, if the QP's state lets it. */
  pump(): void {
    if (this.#inFlight || this.qp.state !== 'IBV_QPS_RTS' || this.sends.length === 0) return;
    this.#inFlight = true;
    this.#transmitIn(wireUs);
  }

  /** In IBV_QPS_SQD, IBV_EVENT_SQ_DRAINED follows when nothing is on its way any more. */
  notifyWhenDrained(): void {
    this.#notifyDrained = true;
    this.#checkDrained();
  }

  #checkDrained(): void {
    if (!this.#notifyDrained || this.#inFlight) return;
    this.#notifyDrained = false;
    if (this.qp.state === 'IBV_QPS_SQD') this.drained();
  }

  /** Rules ibv_get_async_event.event-sq-drained, .element-qp. */
  protected drained(): void {
    this.qp.raise('IBV_EVENT_SQ_DRAINED');
  }

  /** Voids what is on its way. */
  stop(): void {
    this.#epoch += 1;
    this.#inFlight = false;
    this.#notifyDrained = false;
    this.#retries = 0;
    this.#rnrRetries = 0;
  }

  reset(): void {
    this.stop();
    this.sends = [];
  }

  flush(): void {
    for (const { wr } of this.sends.splice(0)) this.qp.completeSend(wr, 'IBV_WC_WR_FLUSH_ERR');
  }

  #transmitIn(delayUs: number): void {
    this.#later(delayUs, () => {
      const [first] = this.sends;
      if (first !== undefined) this.#take(first.wr, this.#transmitter.attempt(first.wr, first.inlineData));
    });
  }

  #later(delayUs: number, run: () => void): void {
    if (delayUs === Infinity) return;
    const epoch = this.#epoch;
    this.qp.device.clock.schedule(delayUs, () => {
      if (epoch === this.#epoch) run();
    });
  }

  #take(wr: SendRequest, attempt: Attempt): void {
    switch (attempt.kind) {
      case 'done':
        this.#complete(wr, attempt.status, attempt.byteLen);
        break;
      case 'rnr':
        this.#retryWithoutReceive(wr, attempt);
        break;
      case 'none':
        this.#retryWithoutAnswer(wr);
        break;
    }
  }

  #retryWithoutReceive(wr: SendRequest, { waitUs, whenPosted }: NoReceive): void {
    const { rnrRetry = 0 } = this.qp.attr;
    if (rnrRetry === rnrRetryUnlimited) {
      const epoch = this.#epoch;
      whenPosted(() => {
        if (epoch === this.#epoch) this.#transmitIn(wireUs);
      });
    } else if (this.#rnrRetries < rnrRetry) {
      this.#rnrRetries += 1;
      this.#transmitIn(waitUs);
    } else {
      this.#complete(wr, 'IBV_WC_RNR_RETRY_EXC_ERR');
    }
  }

  #retryWithoutAnswer(wr: SendRequest): void {
    const { retryCnt = 0, timeout = 0 } = this.qp.attr;
    if (this.#retries < retryCnt) {
      this.#retries += 1;
      this.#transmitIn(ackTimeoutUs(timeout));
    } else {
      this.#later(ackTimeoutUs(timeout), () => {
        this.#complete(wr, 'IBV_WC_RETRY_EXC_ERR');
      });
    }
  }

  #complete(wr: SendRequest, status: WcStatus, byteLen = 0): void {
    this.sends.shift();
    this.#inFlight = false;
    this.#retries = 0;
    this.#rnrRetries = 0;
    if (this.makesCqe(wr, status)) this.qp.completeSend(wr, status, byteLen);
    if (status !== 'IBV_WC_SUCCESS') this.qp.failSend();
    this.#checkDrained();
    this.pump();
  }

  /** A send that fails makes a CQE whatever its flags. */
  protected makesCqe({ sendFlags }: SendRequest, status: WcStatus): boolean {
    return this.qp.init.sqSigAll || sendFlags.includes('IBV_SEND_SIGNALED') || status !== 'IBV_WC_SUCCESS';
  }
}
