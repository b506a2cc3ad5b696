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

/** A transmitter that reports other outcomes of its attempts than there were. */
abstract class Misreporting extends Transmitter {
  protected abstract reported(wr: SendRequest, attempt: Attempt): Attempt;

  override attempt(...[wr, inlineData, conclude]: Parameters<Transmitter['attempt']>): void {
    super.attempt(wr, inlineData, (attempt) => {
      conclude(this.reported(wr, attempt));
    });
  }
}

/** Virtual microseconds after which the last try is given up. */
const giveUpUs = 1000;

/** A QP that remembers that a send has failed, if it is UC or UD. */
class Stopping extends Qp {
  protected isStopped = false;

  override completeSend(wr: SendRequest, status: WcStatus, byteLen: number): void {
    super.completeSend(wr, status, byteLen);
    const hasFailed = status !== 'IBV_WC_SUCCESS' && status !== 'IBV_WC_WR_FLUSH_ERR';
    this.isStopped ||= !this.isReliable && hasFailed;
  }
}

/** The value at the atomic's address, if the peer lets it be read there. */
function found(qp: Qp, { atomic }: Message['wr']): bigint | undefined {
  const { remoteAddr = 0n, rkey = 0 } = atomic ?? {};
  const bytes = qp.device.memory.remote(qp, rkey, remoteAddr, 8, 'IBV_ACCESS_REMOTE_ATOMIC');
  return bytes && new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true);
}

const page = 'ibv_poll_cq';

/** Planted faults in how messages go from one QP to the other, and in what becomes of them when a QP fails. */
export const faults: Readonly<Record<string, Fault>> = {
  'reset-acknowledges': {
    rules: [`${page}.error-valid-status`, 'ibv_req_notify_cq.solicited-send-error'],
    effect: 'a QP in IBV_QPS_RESET acknowledges what comes in',
    parts: {
      Responder: class extends Responder {
        override receive(message: Message): Answer {
          return this.qp.state === 'IBV_QPS_RESET' ? ack : super.receive(message);
        }
      },
    },
  },
  'init-acknowledges': {
    rules: [`${page}.error-valid-status`, `${page}.field-status`],
    effect: 'a QP in IBV_QPS_INIT acknowledges what comes in',
    parts: {
      Responder: class extends Responder {
        override receive(message: Message): Answer {
          return this.qp.state === 'IBV_QPS_INIT' ? ack : super.receive(message);
        }
      },
    },
  },
  'error-acknowledges': {
    rules: [`${page}.error-valid-status`],
    effect: 'a QP in IBV_QPS_ERR acknowledges what comes in',
    parts: {
      Responder: class extends Responder {
        override receive(message: Message): Answer {
          return this.qp.state === 'IBV_QPS_ERR' ? ack : super.receive(message);
        }
      },
    },
  },
  'nobody-acknowledges': {
    rules: [`${page}.error-valid-status`],
    effect: 'a message to a QP that is not there is acknowledged',
    parts: {
      Device: class extends Device {
        override arrive(packet: Packet): boolean {
          const { kind, from, to, psn, pkey } = packet;
          const isTaken = super.arrive(packet);
          if (!isTaken && kind === 'request') {
            this.network.send({ kind: 'response', from: to, to: from, psn, pkey, syndrome: { kind: 'ack' } });
          }
          return isTaken;
        }
      },
    },
  },
  'immediate-needs-no-receive': {
    rules: [`${page}.error-valid-status`],
    effect: 'an RDMA write with immediate that finds no receive is acknowledged',
    parts: {
      Responder: class extends Responder {
        override receive(message: Message): Answer {
          const answer = super.receive(message);
          return message.wr.opcode === 'IBV_WR_RDMA_WRITE_WITH_IMM' && answer.kind === 'rnr' ? ack : answer;
        }
      },
    },
  },
  'first-try-is-the-last': {
    rules: [`${page}.field-status`, `${page}.error-valid-status`],
    effect: 'a message that is not answered at once is given up',
    parts: {
      Transmitter: class extends Impatient {
        protected override readonly status = 'IBV_WC_RETRY_EXC_ERR';
      },
    },
  },
  'first-look-for-a-receive-is-the-last': {
    rules: [`${page}.field-status`],
    effect: 'a message that finds no receive is given up at once, unless rnr_retry sets no limit',
    parts: {
      Transmitter: class extends Misreporting {
        protected override reported(_wr: SendRequest, attempt: Attempt): Attempt {
          const isLimited = this.qp.attr.rnrRetry !== rnrRetryUnlimited;
          return attempt.kind === 'rnr' && isLimited
            ? { kind: 'done', status: 'IBV_WC_RNR_RETRY_EXC_ERR', byteLen: 0 }
            : attempt;
        }
      },
    },
  },
  'waits-for-a-peer-that-is-gone': {
    rules: [`${page}.error-valid-status`],
    effect: 'a send that has found no receive goes on waiting when its peer does not answer any more',
    parts: {
      /** A peer that has asked for patience once is waited for, whether or not it answers any more. */
      Transmitter: class extends Misreporting {
        readonly #waits = new WeakSet<SendRequest>();

        protected override reported(wr: SendRequest, attempt: Attempt): Attempt {
          if (attempt.kind === 'rnr') this.#waits.add(wr);
          const isGone = attempt.kind === 'none' && this.#waits.has(wr);
          return isGone ? { kind: 'rnr', timer: 0, whenPosted: () => undefined } : attempt;
        }
      },
    },
  },
  'sent-is-done': {
    rules: [`${page}.field-status`, `${page}.error-valid-status`, 'ibv_req_notify_cq.solicited-send-error'],
    effect: 'a message that is not answered is reported as done',
    parts: {
      Transmitter: class extends Impatient {
        protected override readonly status = 'IBV_WC_SUCCESS';
      },
    },
  },
  'later-tries-are-blank': {
    rules: [`${page}.field-status`],
    effect: 'a message that is sent again has lost its content',
    parts: {
      /** The bytes have been given up when the message leaves. */
      Transmitter: class extends Transmitter {
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
      },
    },
  },
  'flushed-is-tried-on': {
    rules: [`${page}.error-valid-status`],
    effect: 'a send that waits for its answer is flushed, and reported again when its retries are spent',
    parts: {
      /** The send on its way is told as flushed, and tried on. */
      Requester: class extends Requester {
        override takeAll(): SendRequest[] {
          const { inProgress, qp } = this;
          if (inProgress !== undefined) {
            qp.device.clock.schedule(giveUpUs, () => {
              qp.completeSend(inProgress.wr, 'IBV_WC_RETRY_EXC_ERR');
            });
          }
          return super.takeAll();
        }
      },
    },
  },
  'answers-fail-uc-sends': {
    rules: [`${page}.field-status`],
    effect: 'a UC send fails if its peer has no receive for it',
    parts: {
      Qp: class extends Qp {
        override get isReliable(): boolean {
          return !this.isUd;
        }
      },
    },
  },
  'stopped-queue-is-silent': {
    rules: [`${page}.error-valid-status`],
    effect: 'a UC or UD send behind one that has failed is never reported',
    parts: {
      Qp: class extends Stopping {
        protected override flush(): void {
          if (!this.isStopped) super.flush();
        }
      },
    },
  },
  'stopped-queue-loses-later-sends': {
    rules: [`${page}.error-valid-status`],
    effect: 'what is posted on a UC or UD QP after a send has failed is never reported',
    parts: {
      Qp: class extends Stopping {
        override postSend(wrs: readonly SendRequest[]): void {
          if (!this.isStopped) super.postSend(wrs);
        }
      },
    },
  },
  'srq-is-flushed': {
    rules: [`${page}.error-valid-status`],
    effect: 'a QP that goes to the error state flushes the receives of its SRQ',
    parts: {
      Srq: class extends Srq {
        override takeAll(): RecvWr[] {
          return this.wrs.splice(0);
        }
      },
    },
  },
  'compares-nothing': {
    rules: [`${page}.field-status`],
    effect: 'a compare-and-swap swaps whatever it finds',
    parts: {
      Responder: class extends Responder {
        override receive(message: Message): Answer {
          const { wr } = message;
          const compareAdd = found(this.qp, wr);
          if (wr.opcode !== 'IBV_WR_ATOMIC_CMP_AND_SWP' || wr.atomic === undefined || compareAdd === undefined) {
            return super.receive(message);
          }
          return super.receive({ ...message, wr: { ...wr, atomic: { ...wr.atomic, compareAdd } } });
        }
      },
    },
  },
  'brings-back-the-comparand': {
    rules: [`${page}.field-status`],
    effect: 'a compare-and-swap brings back what it was to find',
    parts: {
      Responder: class extends Responder {
        override receive(message: Message): Answer {
          const answer = super.receive(message);
          const { opcode, atomic } = message.wr;
          if (opcode !== 'IBV_WR_ATOMIC_CMP_AND_SWP' || atomic === undefined || answer.kind !== 'ack') return answer;
          const data = new Uint8Array(8);
          new DataView(data.buffer).setBigUint64(0, atomic.compareAdd, true);
          return { kind: 'ack', data };
        }
      },
    },
  },
  'message-before-its-grh': {
    rules: [`${page}.field-status`],
    effect: 'a UD message stands before its GRH',
    parts: {
      Responder: class extends Responder {
        override receive(message: Message): Answer {
          const { grh, payload } = message;
          return super.receive(this.qp.isUd ? { ...message, grh: payload, payload: grh } : message);
        }
      },
    },
  },
  'empty-list-is-an-error': {
    rules: [`${page}.field-byte-len`, 'ibv_req_notify_cq.zero-any-cqe'],
    effect: 'a send without a scatter/gather list fails',
    parts: {
      Transmitter: class extends Transmitter {
        override attempt(...[wr, inlineData, conclude]: Parameters<Transmitter['attempt']>): void {
          const isLocal = operations[wr.opcode].data === 'none';
          if (isLocal || wr.sgList.length > 0) super.attempt(wr, inlineData, conclude);
          else conclude({ kind: 'done', status: 'IBV_WC_LOC_QP_OP_ERR', byteLen: 0 });
        }
      },
    },
  },
};
