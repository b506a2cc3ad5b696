import type { WcStatus } from '../cq/completions';
import { noBytes, type Message, type NoReceive } from '../qp/message';
import type { Qp } from '../qp/qp';
import { isAnswered } from '../qp/work-request';
import { Exchange } from './exchange';
import type { Address, RequestPacket, ResponsePacket } from './packet';
import { psnAfter } from './psn';
import { packetAt, packetsFor, segmentAt } from './segments';

/** What has become of a message that was sent. */
export type Reply =
  | { readonly kind: 'acknowledged'; readonly data: Uint8Array }
  | { readonly kind: 'refused'; readonly status: WcStatus }
  /** The peer has not answered in time, or has missed a packet. */
  | {
      readonly kind: 'none' | 'gap';
      /** Whether it has taken some of the message nevertheless. */
      readonly hasProgressed: boolean;
    }
  | NoReceive;

/** A message whose packets have left, or are leaving. */
interface Waiting {
  readonly exchange: Exchange;
  readonly settledBefore: number;
  readonly conclude: (reply: Reply) => void;
  stopTimer: () => void;
}

/**
 * Sends the messages of a QP in packets, one message after the other. On a reliable QP it waits for the answer, and sends
 * again what the peer has not got; where a device has several messages under way, this has one.
 */
export class Departures {
  #nextPsn = 0;
  /** Of the message that is being sent, from its first packet to the answer to its last. */
  #exchange: Exchange | undefined;
  #waiting: Waiting | undefined;

  constructor(readonly qp: Qp) {}

  /** Numbers packets from here on: sq_psn of ibv_modify_qp(3). */
  startAt(psn: number): void {
    this.#nextPsn = psn;
  }

  /** What is sent next is another message. The one that is being sent is given up. */
  begin(): void {
    this.#waiting?.stopTimer();
    this.#waiting = undefined;
    this.#exchange = undefined;
  }

  /** Sends what the peer has not got yet. An unreliable QP hears no answer: its message is done when it has left. */
  send(message: Message, to: Address, conclude: (reply: Reply) => void): void {
    const exchange = (this.#exchange ??= this.#newExchange(message));
    if (!this.qp.isReliable) {
      this.#sendPackets(message, to, exchange);
      conclude({ kind: 'acknowledged', data: noBytes });
      return;
    }
    const waiting = { exchange, settledBefore: exchange.settled, conclude, stopTimer: () => undefined };
    this.#waiting = waiting;
    this.#sendPackets(message, to, exchange);
    if (waiting === this.#waiting) this.#startTimer(waiting);
  }

  #newExchange({ wr }: Message): Exchange {
    const packets = this.qp.isUd ? 1 : packetsFor(wr.length, this.qp.mtu);
    const firstPsn = this.#nextPsn;
    this.#nextPsn = psnAfter(firstPsn, packets);
    return new Exchange(firstPsn, packets, isAnswered(wr));
  }

  /** A request that is answered is one packet, with the number of the first answer that is wanted. */
  #sendPackets(message: Message, to: Address, exchange: Exchange): void {
    const { firstPsn, settled, packets } = exchange;
    if (exchange.isAnswered || packets === 1) {
      this.#sendPacket(message, to, { psn: psnAfter(firstPsn, settled), segment: 'only', payload: message.payload });
      return;
    }
    const waiting = this.#waiting;
    for (let index = settled; index < packets && waiting === this.#waiting; index++) {
      const payload = packetAt(message.payload, this.qp.mtu, index);
      const segment = segmentAt(index, packets);
      this.#sendPacket(message, to, { psn: psnAfter(firstPsn, index), segment, payload });
    }
  }

  #sendPacket({ wr }: Message, to: Address, part: Pick<RequestPacket, 'psn' | 'segment' | 'payload'>): void {
    const { device, address, pkey, init } = this.qp;
    device.network.send({ kind: 'request', transport: init.qpType, from: address, to, pkey, wr, ...part });
  }

  /** Takes an answer from the network. One that nobody waits for is an old one. */
  hear(response: ResponsePacket): void {
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    const outcome = waiting.exchange.take(response);
    if (outcome.kind === 'stale') return;
    if (outcome.kind === 'progress') this.#startTimer(waiting);
    else if (outcome.kind === 'gap') this.#conclude(waiting, unanswered('gap', waiting));
    else this.#conclude(waiting, outcome);
  }

  /** A timeout of 0 never ends: ibv_modify_qp(3). */
  #startTimer(waiting: Waiting): void {
    const { timeout = 0 } = this.qp.attr;
    waiting.stopTimer();
    if (timeout === 0) return;
    const { clock } = this.qp.device;
    waiting.stopTimer = clock.schedule(this.qp.device.answerWaitUs(timeout), () => {
      this.#conclude(waiting, unanswered('none', waiting));
    });
  }

  #conclude(waiting: Waiting, reply: Reply): void {
    waiting.stopTimer();
    this.#waiting = undefined;
    waiting.conclude(reply);
  }
}

function unanswered(kind: 'none' | 'gap', { exchange, settledBefore }: Waiting): Reply {
  return { kind, hasProgressed: exchange.settled > settledBefore };
}
