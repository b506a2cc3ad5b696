import { globalRoutingHeader, noBytes, type Answer } from '../qp/message';
import type { Qp } from '../qp/qp';
import { isAnswered } from '../qp/work-request';
import type { RequestPacket, Syndrome } from './packet';
import { psnAfter, psnDistance } from './psn';
import { answerPackets, ResponderResources, type AnswerPacket } from './responder-resources';
import { beginsMessage, endsMessage, joined } from './segments';

/**
 * Takes the packets of requests as they arrive at a QP, and hands whole messages to the responder: on a reliable QP each
 * once and in order, and its answer is sent back; on a UC QP those of which every packet has come. A message leaves no
 * trace before its last packet is there. A device looks for a receive as soon as a send begins; here that waits until it
 * is whole.
 */
export class Arrivals {
  /** The packet sequence number that comes next. */
  #expectedPsn = 0;
  /** What has come of the message that is under way, if one is. */
  #pieces: Uint8Array[] | undefined;
  /** A gap is reported once, until the packet has come that was missing. */
  #hasReportedGap = false;
  readonly #resources = new ResponderResources();

  constructor(readonly qp: Qp) {}

  /** Begins anew with that packet: rq_psn of ibv_modify_qp(3). */
  expect(psn: number): void {
    this.#expectedPsn = psn;
    this.#pieces = undefined;
    this.#hasReportedGap = false;
    this.#resources.forget();
  }

  /** Of another type of QP nothing is taken. */
  take(packet: RequestPacket): void {
    if (packet.transport !== this.qp.init.qpType) return;
    if (this.qp.isUd) this.#hand(packet, packet.payload);
    else if (this.qp.isReliable) this.#takeReliable(packet);
    else this.#takeUnreliable(packet);
  }

  /** A first packet begins a message whatever its number. What belongs to a message with a gap is dropped. */
  #takeUnreliable(packet: RequestPacket): void {
    if (packet.psn !== this.#expectedPsn) this.#pieces = undefined;
    const payload = this.#completed(packet);
    if (payload !== undefined) this.#hand(packet, payload);
  }

  #takeReliable(packet: RequestPacket): void {
    const ahead = psnDistance(this.#expectedPsn, packet.psn);
    if (ahead === 0) this.#takeExpected(packet);
    else if (this.qp.responder.isDeaf) return;
    else if (ahead < 0) this.#repeat(packet);
    else this.#reportGap(packet);
  }

  #takeExpected(packet: RequestPacket): void {
    this.#hasReportedGap = false;
    const payload = this.#completed(packet);
    if (payload !== undefined) this.#answer(packet, this.#hand(packet, payload));
  }

  /** The bytes of the message that this packet ends, if it ends one and all of them are there. */
  #completed({ psn, segment, payload }: RequestPacket): Uint8Array | undefined {
    this.#expectedPsn = psnAfter(psn, 1);
    if (beginsMessage(segment)) this.#pieces = [];
    this.#pieces?.push(payload);
    return endsMessage(segment) && this.#pieces ? joined(this.#pieces) : undefined;
  }

  #hand({ wr, from }: RequestPacket, payload: Uint8Array): Answer {
    const grh = this.qp.isUd ? globalRoutingHeader : noBytes;
    return this.qp.responder.receive({ wr, payload, srcQpNum: from.qpNum, grh });
  }

  #answer(packet: RequestPacket, answer: Answer): void {
    switch (answer.kind) {
      case 'ack':
        this.#acknowledge(packet, answer.data);
        break;
      case 'rnr':
        this.#untake(packet);
        this.#respond(packet, packet.psn, answer);
        break;
      case 'none':
        this.#untake(packet);
        break;
      case 'invalid-request':
      case 'access-error':
      case 'operation-error':
        this.#respond(packet, packet.psn, answer);
        break;
    }
  }

  /** The last packet of a message has to come again. */
  #untake({ psn }: RequestPacket): void {
    this.#expectedPsn = psn;
    this.#pieces?.pop();
  }

  #acknowledge(packet: RequestPacket, data: Uint8Array): void {
    if (!isAnswered(packet.wr)) {
      this.#respond(packet, packet.psn, { kind: 'ack' });
      return;
    }
    const packets = answerPackets(packet.psn, data, this.qp.mtu);
    this.#expectedPsn = psnAfter(packet.psn, packets.length);
    this.#resources.keep(packet.psn, data, this.qp.attr.maxDestRdAtomic ?? 0);
    this.#sendBack(packet, packets);
  }

  #reportGap(packet: RequestPacket): void {
    if (this.#hasReportedGap) return;
    this.#hasReportedGap = true;
    this.#respond(packet, this.#expectedPsn, { kind: 'gap' });
  }

  /** Answers once more to what has come before: the answer may have been lost. */
  #repeat(packet: RequestPacket): void {
    if (isAnswered(packet.wr)) this.#sendBack(packet, this.#resources.replay(packet.psn, this.qp.mtu));
    else if (endsMessage(packet.segment)) this.#respond(packet, psnAfter(this.#expectedPsn, -1), { kind: 'ack' });
  }

  #sendBack(packet: RequestPacket, answers: readonly AnswerPacket[]): void {
    for (const { psn, payload } of answers) this.#respond(packet, psn, { kind: 'data', payload });
  }

  #respond({ from }: RequestPacket, psn: number, syndrome: Syndrome): void {
    const { address, pkey, device } = this.qp;
    device.network.send({ kind: 'response', from: address, to: from, pkey, psn, syndrome });
  }
}
