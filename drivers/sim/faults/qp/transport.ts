import type { RecvWr } from '../../../contract';
import type { WcStatus } from '../../cq/completions';
import { Device } from '../../device/device';
import type { Fault } from '../fault';
import { ack, type Answer, type Message } from '../../qp/message';
import type { Packet } from '../../network/packet';
import { Qp } from '../../qp/qp';
import { Requester, rnrRetryUnlimited } from '../../qp/requester';
import { Responder } from '../../qp/responder';
import { Srq } from '../../srq/srq';
import { Transmitter, type Attempt } from '../../qp/transmitter';
import { operations, type SendRequest } from '../../qp/work-request';

class ResetAcknowledges extends Responder {
  override receive(message: Message): Answer {
    return this.qp.state === 'IBV_QPS_RESET' ? ack : super.receive(message);
  }
}

class InitAcknowledges extends Responder {
  override receive(message: Message): Answer {
    return this.qp.state === 'IBV_QPS_INIT' ? ack : super.receive(message);
  }
}

class ErrorAcknowledges extends Responder {
  override receive(message: Message): Answer {
    return this.qp.state === 'IBV_QPS_ERR' ? ack : super.receive(message);
  }
}

class NobodyAcknowledges extends Device {
  override arrive(packet: Packet): boolean {
    const { kind, from, to, psn } = packet;
    const isTaken = super.arrive(packet);
    if (!isTaken && kind === 'request') {
      this.network.send({ kind: 'response', from: to, to: from, psn, syndrome: { kind: 'ack' } });
    }
    return isTaken;
  }
}

class ImmediateNeedsNoReceive extends Responder {
  override receive(message: Message): Answer {
    const answer = super.receive(message);
    return message.wr.opcode === 'IBV_WR_RDMA_WRITE_WITH_IMM' && answer.kind === 'rnr' ? ack : answer;
  }
}

/** A transmitter that is done with what is not answered at once. */
abstract class Impatient extends Transmitter {
  protected abstract readonly status: WcStatus;

  override attempt(...[wr, inlineData, conclude]: Parameters<Transmitter['attempt']>): void {
    const attempts: Attempt[] = [];
    super.attempt(wr, inlineData, (attempt) => attempts.push(attempt));
    if (attempts.length === 0) this.begin();
    conclude(attempts[0] ?? { kind: 'done', status: this.status, byteLen: 0 });
  }
}

class FirstTryIsTheLast extends Impatient {
  protected override readonly status = 'IBV_WC_RETRY_EXC_ERR';
}

class SentIsDone extends Impatient {
  protected override readonly status = 'IBV_WC_SUCCESS';
}

/** A transmitter that reports other outcomes of its attempts than there were. */
abstract class Misreporting extends Transmitter {
  protected abstract reported(wr: SendRequest, attempt: Attempt): Attempt;

  override attempt(...[wr, inlineData, conclude]: Parameters<Transmitter['attempt']>): void {
    super.attempt(wr, inlineData, (attempt) => {
      conclude(this.reported(wr, attempt));
    });
  }
}

class FirstLookForAReceiveIsTheLast extends Misreporting {
  protected override reported(_wr: SendRequest, attempt: Attempt): Attempt {
    const isLimited = this.qp.attr.rnrRetry !== rnrRetryUnlimited;
    return attempt.kind === 'rnr' && isLimited
      ? { kind: 'done', status: 'IBV_WC_RNR_RETRY_EXC_ERR', byteLen: 0 }
      : attempt;
  }
}

/** A peer that has asked for patience once is waited for, whether or not it answers any more. */
class WaitsForAPeerThatIsGone extends Misreporting {
  readonly #waits = new WeakSet<SendRequest>();

  protected override reported(wr: SendRequest, attempt: Attempt): Attempt {
    if (attempt.kind === 'rnr') this.#waits.add(wr);
    const isGone = attempt.kind === 'none' && this.#waits.has(wr);
    return isGone ? { kind: 'rnr', timer: 0, whenPosted: () => undefined } : attempt;
  }
}

/** The bytes have been given up when the message leaves. */
class LaterTriesAreBlank extends Transmitter {
  #tries = 0;

  override begin(): void {
    super.begin();
    this.#tries = 0;
  }

  protected override deliver(...[message, ...others]: Parameters<Transmitter['deliver']>): void {
    this.#tries += 1;
    const isBlank = this.#tries > 1;
    super.deliver(isBlank ? { ...message, payload: new Uint8Array(message.payload.length) } : message, ...others);
  }
}

/** Virtual microseconds after which the last try is given up. */
const giveUpUs = 1000;

/** The send on its way is told as flushed, and tried on. */
class FlushedIsTriedOn extends Requester {
  override takeAll(): SendRequest[] {
    const { inProgress, qp } = this;
    if (inProgress !== undefined) {
      qp.device.clock.schedule(giveUpUs, () => {
        qp.completeSend(inProgress.wr, 'IBV_WC_RETRY_EXC_ERR');
      });
    }
    return super.takeAll();
  }
}

class AnswersFailUcSends extends Qp {
  override get isReliable(): boolean {
    return !this.isUd;
  }
}

/** A QP that remembers that a send has failed, if it is UC or UD. */
class Stopping extends Qp {
  protected isStopped = false;

  override completeSend(wr: SendRequest, status: WcStatus, byteLen: number): void {
    super.completeSend(wr, status, byteLen);
    const hasFailed = status !== 'IBV_WC_SUCCESS' && status !== 'IBV_WC_WR_FLUSH_ERR';
    this.isStopped ||= !this.isReliable && hasFailed;
  }
}

class StoppedQueueIsSilent extends Stopping {
  protected override flush(): void {
    if (!this.isStopped) super.flush();
  }
}

class StoppedQueueLosesLaterSends extends Stopping {
  override postSend(wrs: readonly SendRequest[]): void {
    if (!this.isStopped) super.postSend(wrs);
  }
}

class SrqIsFlushed extends Srq {
  override takeAll(): RecvWr[] {
    return this.wrs.splice(0);
  }
}

/** The value at the atomic's address, if the peer lets it be read there. */
function found(qp: Qp, { atomic }: Message['wr']): bigint | undefined {
  const { remoteAddr = 0n, rkey = 0 } = atomic ?? {};
  return qp.device.memory.remote(qp, rkey, remoteAddr, 8, 'IBV_ACCESS_REMOTE_ATOMIC')?.readBigUInt64LE();
}

class ComparesNothing extends Responder {
  override receive(message: Message): Answer {
    const { wr } = message;
    const compareAdd = found(this.qp, wr);
    if (wr.opcode !== 'IBV_WR_ATOMIC_CMP_AND_SWP' || wr.atomic === undefined || compareAdd === undefined) {
      return super.receive(message);
    }
    return super.receive({ ...message, wr: { ...wr, atomic: { ...wr.atomic, compareAdd } } });
  }
}

class BringsBackTheComparand extends Responder {
  override receive(message: Message): Answer {
    const answer = super.receive(message);
    const { opcode, atomic } = message.wr;
    if (opcode !== 'IBV_WR_ATOMIC_CMP_AND_SWP' || atomic === undefined || answer.kind !== 'ack') return answer;
    const data = Buffer.alloc(8);
    data.writeBigUInt64LE(atomic.compareAdd);
    return { kind: 'ack', data };
  }
}

class EmptyListIsAnError extends Transmitter {
  override attempt(...[wr, inlineData, conclude]: Parameters<Transmitter['attempt']>): void {
    const isLocal = operations[wr.opcode].data === 'none';
    if (isLocal || wr.sgList.length > 0) super.attempt(wr, inlineData, conclude);
    else conclude({ kind: 'done', status: 'IBV_WC_LOC_QP_OP_ERR', byteLen: 0 });
  }
}

class MessageBeforeItsGrh extends Responder {
  override receive(message: Message): Answer {
    const { grh, payload } = message;
    return super.receive(this.qp.isUd ? { ...message, grh: payload, payload: grh } : message);
  }
}

const page = 'ibv_poll_cq';

/** Planted faults in how messages go from one QP to the other, and in what becomes of them when a QP fails. */
export const faults: Readonly<Record<string, Fault>> = {
  'reset-acknowledges': {
    rules: [`${page}.error-valid-status`],
    effect: 'a QP in IBV_QPS_RESET acknowledges what comes in',
    parts: { Responder: ResetAcknowledges },
  },
  'init-acknowledges': {
    rules: [`${page}.error-valid-status`, `${page}.field-status`],
    effect: 'a QP in IBV_QPS_INIT acknowledges what comes in',
    parts: { Responder: InitAcknowledges },
  },
  'error-acknowledges': {
    rules: [`${page}.error-valid-status`],
    effect: 'a QP in IBV_QPS_ERR acknowledges what comes in',
    parts: { Responder: ErrorAcknowledges },
  },
  'nobody-acknowledges': {
    rules: [`${page}.error-valid-status`],
    effect: 'a message to a QP that is not there is acknowledged',
    parts: { Device: NobodyAcknowledges },
  },
  'immediate-needs-no-receive': {
    rules: [`${page}.error-valid-status`],
    effect: 'an RDMA write with immediate that finds no receive is acknowledged',
    parts: { Responder: ImmediateNeedsNoReceive },
  },
  'first-try-is-the-last': {
    rules: [`${page}.field-status`, `${page}.error-valid-status`],
    effect: 'a message that is not answered at once is given up',
    parts: { Transmitter: FirstTryIsTheLast },
  },
  'first-look-for-a-receive-is-the-last': {
    rules: [`${page}.field-status`],
    effect: 'a message that finds no receive is given up at once, unless rnr_retry sets no limit',
    parts: { Transmitter: FirstLookForAReceiveIsTheLast },
  },
  'waits-for-a-peer-that-is-gone': {
    rules: [`${page}.error-valid-status`],
    effect: 'a send that has found no receive goes on waiting when its peer does not answer any more',
    parts: { Transmitter: WaitsForAPeerThatIsGone },
  },
  'sent-is-done': {
    rules: [`${page}.field-status`, `${page}.error-valid-status`],
    effect: 'a message that is not answered is reported as done',
    parts: { Transmitter: SentIsDone },
  },
  'later-tries-are-blank': {
    rules: [`${page}.field-status`],
    effect: 'a message that is sent again has lost its content',
    parts: { Transmitter: LaterTriesAreBlank },
  },
  'flushed-is-tried-on': {
    rules: [`${page}.error-valid-status`],
    effect: 'a send that waits for its answer is flushed, and reported again when its retries are spent',
    alsoBreaks: {
      'ibv_req_notify_cq.solicited-send-error':
        'one of its scenarios flushes a send that is on its way, and counts its CQEs',
    },
    parts: { Requester: FlushedIsTriedOn },
  },
  'answers-fail-uc-sends': {
    rules: [`${page}.field-status`],
    effect: 'a UC send fails if its peer has no receive for it',
    parts: { Qp: AnswersFailUcSends },
  },
  'stopped-queue-is-silent': {
    rules: [`${page}.error-valid-status`],
    effect: 'a UC or UD send behind one that has failed is never reported',
    parts: { Qp: StoppedQueueIsSilent },
  },
  'stopped-queue-loses-later-sends': {
    rules: [`${page}.error-valid-status`],
    effect: 'what is posted on a UC or UD QP after a send has failed is never reported',
    parts: { Qp: StoppedQueueLosesLaterSends },
  },
  'srq-is-flushed': {
    rules: [`${page}.error-valid-status`],
    effect: 'a QP that goes to the error state flushes the receives of its SRQ',
    parts: { Srq: SrqIsFlushed },
  },
  'compares-nothing': {
    rules: [`${page}.field-status`],
    effect: 'a compare-and-swap swaps whatever it finds',
    parts: { Responder: ComparesNothing },
  },
  'brings-back-the-comparand': {
    rules: [`${page}.field-status`],
    effect: 'a compare-and-swap brings back what it was to find',
    parts: { Responder: BringsBackTheComparand },
  },
  'message-before-its-grh': {
    rules: [`${page}.field-status`],
    effect: 'a UD message stands before its GRH',
    parts: { Responder: MessageBeforeItsGrh },
  },
  'empty-list-is-an-error': {
    rules: [`${page}.field-byte-len`],
    effect: 'a send without a scatter/gather list fails',
    parts: { Transmitter: EmptyListIsAnError },
  },
};
