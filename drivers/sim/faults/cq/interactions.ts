import { unwrittenWord, type RecvWr, type TraceValue, type Wc } from '../../../contract';
import type { WcReader } from '../../../verbs/cq-ex';
import { CompChannel } from '../../channel/comp-channel';
import { Completions, type WcStatus } from '../../cq/completions';
import { Cq, type Cqe } from '../../cq/cq';
import { CqIterator } from '../../cq/cq-iterator';
import { MemoryTable } from '../../mr/memory';
import type { Message } from '../../qp/message';
import { Qp } from '../../qp/qp';
import { lengthOf, type SendRequest } from '../../qp/work-request';
import type { Fault } from '../fault';

/** Tries after which a get that waits is given something: more than it takes to see that it waits. */
const triesBeforeWoken = 6;

/** A CQ whose request can be forgotten from outside. */
class ForgetfulCq extends Cq {
  forgetRequest(): void {
    this.request = undefined;
  }
}

/** A QP that writes into memory where it must not, or does not where it must. */
class Writing extends Qp {
  protected write(addr: bigint, length: number, byte: number): void {
    this.device.memory.at(addr, length).fill(byte);
  }

  /** Writes one byte after so many of a list, if it reaches further. */
  protected writeBeyond(sgList: RecvWr['sgList'], length: number): void {
    let left = length;
    for (const { addr, length: size } of sgList) {
      if (left < size) {
        this.write(addr + BigInt(left), 1, 0xee);
        return;
      }
      left -= size;
    }
  }
}

/** Memory that can be written wherever there is some. */
class OpenMemory extends MemoryTable {
  writeIfThere(addr: bigint): void {
    for (const memory of this.allocated) memory.slice(addr, 1)?.fill(0xee);
  }
}

/** What verbs do beside what they are for, and what shows only in long, scattered or many messages. */
export const faults: Readonly<Record<string, Fault>> = {
  'get-is-woken-by-anything': {
    rules: ['ibv_get_cq_event.waits-next'],
    effect: 'a get that waits returns when the program has made some other calls',
    parts: {
      CompChannel: class extends CompChannel {
        #tries = 0;

        override take(): Cq | undefined {
          const event = super.take();
          if (event !== undefined) this.#tries = 0;
          else this.#tries += 1;
          return event ?? (this.#tries > triesBeforeWoken ? [...this.cqs][0] : undefined);
        }
      },
    },
  },
  'closed-batch-loses-events': {
    rules: ['ibv_get_cq_event.takes-queued-at-once'],
    effect: 'closing a batch of a CQ discards its events that nobody has taken',
    parts: {
      CqIterator: class extends CqIterator {
        override end(): void {
          super.end();
          this.cq.channel?.forget(this.cq);
          this.cq.channel?.bind(this.cq);
        }
      },
    },
  },
  'invalidated-rkey-is-told-once': {
    rules: ['ibv_create_cq_ex.read-invalidated-rkey'],
    effect: 'the R_Key of an invalidation is told once, then 0',
    parts: {
      CqIterator: class extends CqIterator {
        #told: Cqe | undefined;

        protected override member(reader: WcReader, cqe: Cqe): TraceValue {
          if (reader !== 'invalidated_rkey') return super.member(reader, cqe);
          const isAgain = this.#told === cqe;
          this.#told = cqe;
          return isAgain ? 0 : super.member(reader, cqe);
        }
      },
    },
  },
  'closed-batch-forgets-the-request': {
    rules: ['ibv_req_notify_cq.arms-cq'],
    effect: 'closing a batch of a CQ takes its request away',
    parts: {
      Cq: ForgetfulCq,
      CqIterator: class extends CqIterator {
        override end(): void {
          super.end();
          if (this.cq instanceof ForgetfulCq) this.cq.forgetRequest();
        }
      },
    },
  },
  'one-ack-settles-all': {
    rules: ['ibv_get_cq_event.acks-match-gets', 'ibv_get_cq_event.ack-count'],
    effect: 'the ack of one event settles all events of the CQ',
    parts: {
      Cq: class extends Cq {
        #taken = 0;

        override countTaken(): void {
          this.#taken += 1;
          super.countTaken();
        }

        override acknowledge(nevents: number): void {
          super.acknowledge(Math.max(nevents, this.#taken));
          this.#taken = 0;
        }
      },
    },
  },
  'marked-wr-id-is-an-error': {
    rules: ['ibv_poll_cq.field-status'],
    effect: 'a send whose wr_id begins with four set bits is told as failed',
    parts: {
      Completions: class extends Completions {
        override ofSend(wr: SendRequest, status: WcStatus, byteLen: number): Wc {
          const wc = super.ofSend(wr, status, byteLen);
          const isMarked = wr.wrId >> 60n === 0xfn && status === 'IBV_WC_SUCCESS';
          return isMarked ? { ...wc, status: 'IBV_WC_GENERAL_ERR' } : wc;
        }
      },
    },
  },
  'one-byte-too-many': {
    rules: ['ibv_poll_cq.field-status'],
    effect: 'what moves a message writes one byte after it',
    parts: {
      Qp: class extends Writing {
        override completeReceive(wr: RecvWr, message: Message): void {
          if (!this.isUd && message.wr.rdma === undefined) this.writeBeyond(wr.sgList, message.payload.length);
          super.completeReceive(wr, message);
        }

        override completeSend(wr: SendRequest, status: WcStatus, byteLen?: number): void {
          if (status === 'IBV_WC_SUCCESS' && lengthOf(wr.sgList) === longBytes) this.#beyond(wr);
          super.completeSend(wr, status, byteLen);
        }

        #beyond({ opcode, rdma, sgList }: SendRequest): void {
          const addr = opcode === 'IBV_WR_RDMA_READ' ? sgList[0]?.addr : rdma?.remoteAddr;
          if (addr !== undefined) this.write(addr + BigInt(longBytes), 1, 0xee);
        }
      },
    },
  },
  'read-brings-one-byte-too-many': {
    rules: ['ibv_poll_cq.field-status'],
    effect: 'an RDMA read writes one byte after what it asked for',
    parts: {
      MemoryTable: OpenMemory,
      Qp: class extends Qp {
        override completeSend(wr: SendRequest, status: WcStatus, byteLen?: number): void {
          const [into] = wr.sgList;
          const isRead = wr.opcode === 'IBV_WR_RDMA_READ' && status === 'IBV_WC_SUCCESS';
          const { memory } = this.device;
          if (isRead && into && memory instanceof OpenMemory) memory.writeIfThere(into.addr + BigInt(into.length));
          super.completeSend(wr, status, byteLen);
        }
      },
    },
  },
  'second-piece-is-left-out': {
    rules: ['ibv_poll_cq.field-status'],
    effect: 'of a message that is received in pieces the second stays empty',
    parts: {
      Qp: class extends Writing {
        override completeReceive(wr: RecvWr, message: Message): void {
          const second = wr.sgList[1];
          if (second !== undefined) this.write(second.addr, second.length, 0);
          super.completeReceive(wr, message);
        }
      },
    },
  },
  'failed-receive-has-another-wr-id': {
    rules: ['ibv_poll_cq.error-valid-wr-id', 'ibv_create_cq_ex.direct-status'],
    effect: 'wr_id of a receive that failed is another one',
    parts: {
      Qp: class extends Qp {
        override failReceive(wr: RecvWr, status: WcStatus): void {
          super.failReceive({ ...wr, wrId: wr.wrId ^ 1n }, status);
        }
      },
    },
  },
  'failed-receive-has-another-qp-num': {
    rules: ['ibv_poll_cq.error-valid-qp-num', 'ibv_create_cq_ex.direct-status'],
    effect: 'qp_num of a receive that failed is that of another QP',
    parts: {
      Qp: class extends Qp {
        override failReceive(wr: RecvWr, status: WcStatus): void {
          const failed = this.completions.failed(wr.wrId, status);
          const wc = { ...failed, qpNum: failed.qpNum ^ 1 };
          this.init.recvCq.add({ wc, queue: 'receive', solicitedEvent: false, atUs: this.device.clock.nowUs });
        }
      },
    },
  },
  'failed-receive-has-no-vendor-err': {
    rules: ['ibv_poll_cq.error-valid-vendor-err'],
    effect: 'vendor_err of a receive that failed is left unwritten',
    parts: {
      Qp: class extends Qp {
        override failReceive(wr: RecvWr, status: WcStatus): void {
          const wc = { ...this.completions.failed(wr.wrId, status), vendorErr: unwrittenWord };
          this.init.recvCq.add({ wc, queue: 'receive', solicitedEvent: false, atUs: this.device.clock.nowUs });
        }
      },
    },
  },
  'scattered-receives-are-solicited': {
    rules: ['ibv_req_notify_cq.unsolicited-recv-success'],
    effect: 'a receive that is spread over several entries counts as solicited',
    parts: {
      Qp: class extends Qp {
        #isSpread = false;

        override completeReceive(wr: RecvWr, message: Message): void {
          this.#isSpread = wr.sgList.length > 1;
          super.completeReceive(wr, message);
        }

        protected override isSolicited(message: Message): boolean {
          return this.#isSpread || super.isSolicited(message);
        }
      },
    },
  },
};

/** A message of several packets whose buffer is longer. */
const longBytes = 9000;
