import type { RecvWr, TraceValue, Wc } from '../../../contract';
import type { WcReader } from '../../../verbs/cq-ex';
import { CompChannel } from '../../channel/comp-channel';
import { Completions, type WcStatus } from '../../cq/completions';
import { Cq, type Cqe, type NotifyRequest } from '../../cq/cq';
import { CqIterator } from '../../cq/cq-iterator';
import type { Answer, Message } from '../../qp/message';
import { Qp } from '../../qp/qp';
import { Requester } from '../../qp/requester';
import { Responder } from '../../qp/responder';
import type { Headers, SendRequest } from '../../qp/work-request';
import type { Fault } from '../fault';
import { KnowsTheFirstCqe } from './knows-the-first-cqe';

const poll = 'ibv_poll_cq';
const notify = 'ibv_req_notify_cq';
const events = 'ibv_get_cq_event';
const ex = 'ibv_create_cq_ex';

/** Completions of receives of which members are changed. */
function receiving(change: (wc: Wc, message: Message) => Partial<Wc>): typeof Completions {
  return class extends Completions {
    override ofReceive(wr: RecvWr, message: Message): Wc {
      const wc = super.ofReceive(wr, message);
      return { ...wc, ...change(wc, message) };
    }
  };
}

/** Completions of sends that succeeded, of which members are changed. */
function sending(change: (wc: Wc, wr: SendRequest) => Partial<Wc>): typeof Completions {
  return class extends Completions {
    override ofSend(wr: SendRequest, status: WcStatus, byteLen: number): Wc {
      const wc = super.ofSend(wr, status, byteLen);
      return status === 'IBV_WC_SUCCESS' ? { ...wc, ...change(wc, wr) } : wc;
    }
  };
}

const without = (wcFlags: readonly string[], flag: string): string[] => wcFlags.filter((one) => one !== flag);
const isEmptyDatagram = ({ grh, payload }: Message): boolean => grh.length > 0 && payload.length === 0;
const unsolicited = <Wr extends Pick<SendRequest, 'sendFlags'>>(wr: Wr): Wr => ({
  ...wr,
  sendFlags: wr.sendFlags.filter((flag) => flag !== 'IBV_SEND_SOLICITED'),
});

/** A responder that spoils a message which had to wait for its receive. */
function afterWaiting(spoilt: (wr: Headers) => Headers): typeof Responder {
  return class extends Responder {
    #hasWaited = false;

    override receive(message: Message): Answer {
      const answer = super.receive(this.#hasWaited ? { ...message, wr: spoilt(message.wr) } : message);
      this.#hasWaited = answer.kind === 'rnr';
      return answer;
    }
  };
}

/** A CQ whose count of the events that were taken begins anew at that number. */
function countingTakenUpTo(end: number): typeof Cq {
  return class extends Cq {
    #taken = 0;

    override countTaken(): void {
      super.countTaken();
      this.#taken += 1;
      if (this.#taken % end === 0) this.compEvents.acknowledge(end);
    }
  };
}

/** What shows only in messages of no bytes, numbers that are 0 or large, and the order in which a program calls. */
export const faults: Readonly<Record<string, Fault>> = {
  'empty-datagram-counts-nothing': {
    rules: [`${poll}.field-byte-len`],
    effect: 'byte_len of a datagram of no bytes is 0',
    parts: { Completions: receiving((_wc, message) => (isEmptyDatagram(message) ? { byteLen: 0 } : {})) },
  },
  'empty-datagram-lacks-grh-flag': {
    rules: [`${poll}.flag-grh`],
    effect: 'a datagram of no bytes comes without IBV_WC_GRH',
    parts: {
      Completions: receiving(({ wcFlags }, message) =>
        isEmptyDatagram(message) ? { wcFlags: without(wcFlags, 'IBV_WC_GRH') } : {},
      ),
    },
  },
  'read-counts-its-first-entry': {
    rules: [`${poll}.field-byte-len`],
    effect: 'byte_len of an RDMA read counts its first scatter/gather entry',
    parts: {
      Completions: sending(({ byteLen }, { opcode, sgList }) =>
        opcode === 'IBV_WR_RDMA_READ' ? { byteLen: sgList[0]?.length ?? byteLen } : {},
      ),
    },
  },
  'immediate-of-0-lacks-its-flag': {
    rules: [`${poll}.flag-with-imm`],
    effect: 'an immediate of 0 comes without IBV_WC_WITH_IMM',
    parts: {
      Completions: receiving(({ immData, wcFlags }) =>
        immData === 0 ? { wcFlags: without(wcFlags, 'IBV_WC_WITH_IMM') } : {},
      ),
    },
  },
  'message-that-waited-loses-its-immediate': {
    rules: [`${poll}.field-imm-data`],
    effect: 'a message that waited for its receive has the immediate 0',
    parts: { Responder: afterWaiting((wr) => ({ ...wr, immData: wr.immData && 0 })) },
  },
  'message-that-waited-is-unsolicited': {
    rules: [`${notify}.solicited-origin-flag`],
    effect: 'a solicited message that waited for its receive is unsolicited',
    parts: { Responder: afterWaiting(unsolicited) },
  },
  'empty-write-is-a-receive': {
    rules: [`${poll}.field-opcode`],
    effect: 'an RDMA write with immediate of no bytes is taken for a send',
    parts: {
      Completions: receiving((_wc, { wr, payload }) =>
        wr.opcode === 'IBV_WR_RDMA_WRITE_WITH_IMM' && payload.length === 0 ? { opcode: 'IBV_WC_RECV' } : {},
      ),
    },
  },
  'inline-write-with-immediate-is-a-send': {
    rules: [`${poll}.field-opcode`],
    effect: 'an inline RDMA write with immediate says that it is a send',
    parts: {
      Completions: sending((_wc, { opcode, sendFlags }) =>
        opcode === 'IBV_WR_RDMA_WRITE_WITH_IMM' && sendFlags.includes('IBV_SEND_INLINE')
          ? { opcode: 'IBV_WC_SEND' }
          : {},
      ),
    },
  },
  'other-flags-hide-solicitation': {
    rules: [`${notify}.solicited-origin-flag`],
    effect: 'a message that is fenced or inline, or has an immediate of 0, is unsolicited',
    parts: {
      Requester: class extends Requester {
        override post(wr: SendRequest): void {
          const isHidden = ['IBV_SEND_FENCE', 'IBV_SEND_INLINE'].some((flag) =>
            wr.sendFlags.some((one) => one === flag),
          );
          super.post(isHidden || wr.immData === 0 ? unsolicited(wr) : wr);
        }
      },
    },
  },
  'first-of-a-list-alone-is-solicited': {
    rules: [`${notify}.solicited-origin-flag`],
    effect: 'of messages that are posted together only the first can be solicited',
    parts: {
      Qp: class extends Qp {
        override postSend([first, ...rest]: readonly SendRequest[]): void {
          super.postSend([...(first === undefined ? [] : [first]), ...rest.map(unsolicited)]);
        }
      },
    },
  },
  'send-is-solicited-on-a-shared-cq': {
    rules: [`${notify}.unsolicited-send-own-flag`],
    effect: 'where a QP sends and receives on one CQ, its sends with IBV_SEND_SOLICITED are solicited',
    parts: {
      Qp: class extends Qp {
        override completeSend(wr: SendRequest, status: WcStatus, byteLen = 0): void {
          const { sendCq, recvCq } = this.init;
          const solicitedEvent = sendCq === recvCq && wr.sendFlags.includes('IBV_SEND_SOLICITED');
          const wc = this.completions.ofSend(wr, status, byteLen);
          sendCq.add({ wc, queue: 'send', solicitedEvent, atUs: this.device.clock.nowUs });
        }
      },
    },
  },
  'full-cq-notifies-when-armed': {
    rules: [`${notify}.existing-cqe-ignored`],
    effect: 'a CQ that is full makes an event when it is armed',
    parts: {
      Cq: class extends Cq {
        override notify(scope: NotifyRequest): void {
          super.notify(scope);
          if (this.cqes.length === this.capacity) this.fire();
        }
      },
    },
  },
  'open-batch-forgets-requests': {
    rules: [`${notify}.arms-cq`],
    effect: 'a request that is made while a batch is open is forgotten when it is closed',
    parts: {
      Cq: class extends Cq {
        forget(): void {
          this.request = undefined;
        }
      },
      CqIterator: class extends CqIterator {
        override end(): void {
          super.end();
          if ('forget' in this.cq) (this.cq as Cq & { forget(): void }).forget();
        }
      },
    },
  },
  'request-outlives-its-cq': {
    rules: [`${notify}.arms-cq`],
    effect: 'a CQ takes over the request of one on its channel that was destroyed',
    parts: {
      CompChannel: class extends CompChannel {
        left: NotifyRequest | undefined;
      },
      Cq: class extends Cq {
        constructor(...[context, init, channel]: ConstructorParameters<typeof Cq>) {
          super(context, init, channel);
          this.request = (channel as { left?: NotifyRequest } | undefined)?.left;
        }

        override beginDestroy(): void {
          super.beginDestroy();
          if (this.channel !== undefined && this.request !== undefined) {
            Object.assign(this.channel, { left: this.request });
          }
        }
      },
    },
  },
  'channel-serves-four-cqs': {
    rules: ['ibv_create_comp_channel.shared-by-cqs'],
    effect: 'a channel delivers events of the first four of its CQs',
    parts: {
      CompChannel: class extends CompChannel {
        override add(cq: Cq): void {
          if ([...this.cqs].indexOf(cq) < 4) super.add(cq);
        }
      },
    },
  },
  'ack-settles-eight': {
    rules: [`${events}.ack-batching`],
    effect: 'one ack settles eight events at most',
    parts: {
      Cq: class extends Cq {
        override acknowledge(nevents: number): void {
          super.acknowledge(Math.min(nevents, 8));
        }
      },
    },
  },
  'ack-of-0-settles-all': {
    rules: [`${events}.signature-ack`, `${events}.ack-count`],
    effect: 'an ack of 0 settles all events',
    parts: {
      Cq: class extends Cq {
        override acknowledge(nevents: number): void {
          super.acknowledge(nevents === 0 ? Infinity : nevents);
        }
      },
    },
  },
  'owed-acks-in-4-bits': {
    rules: [`${events}.destroy-waits-for-acks`],
    effect: 'events that were taken are counted in 4 bits',
    parts: { Cq: countingTakenUpTo(16) },
  },
  'owed-acks-have-eight-bits': {
    rules: [`${events}.destroy-waits-for-acks`],
    effect: 'events that were taken are counted in 8 bits',
    parts: { Cq: countingTakenUpTo(256) },
  },
  'ack-count-has-eight-bits': {
    rules: [`${events}.ack-batching`],
    effect: 'of the number of events that are acknowledged the lowest byte counts',
    parts: {
      Cq: class extends Cq {
        override acknowledge(nevents: number): void {
          super.acknowledge(nevents % 256);
        }
      },
    },
  },
  'entries-in-8-bits': {
    rules: ['ibv_create_cq.min-size'],
    effect: 'the number of entries that is asked for is taken as 8 bits',
    parts: {
      Cq: class extends Cq {
        protected override sizeFor(asked: number): number {
          return super.sizeFor(asked % 256 || asked);
        }
      },
    },
  },
  'ex-fetch-and-add-is-a-swap': {
    rules: [`${ex}.read-opcode`],
    effect: 'the opcode of a fetch-and-add is read as that of a compare-and-swap',
    parts: {
      CqIterator: reading('opcode', ({ wc }) => (wc.opcode === 'IBV_WC_FETCH_ADD' ? 'IBV_WC_COMP_SWAP' : wc.opcode)),
    },
  },
  'ex-datagram-without-its-grh': {
    rules: [`${ex}.read-byte-len`],
    effect: 'the length of a datagram is read without its GRH',
    parts: {
      CqIterator: reading('byte_len', ({ wc }) => wc.byteLen - (wc.wcFlags.includes('IBV_WC_GRH') ? 40 : 0)),
    },
  },
  'ex-rkey-of-the-first-cqe': {
    rules: [`${ex}.read-invalidated-rkey`],
    effect: 'the R_Key that was invalidated is read of the first CQE of a batch',
    parts: {
      CqIterator: class extends KnowsTheFirstCqe {
        protected override member(reader: WcReader, cqe: Cqe): TraceValue {
          return super.member(reader, reader === 'invalidated_rkey' ? (this.first ?? cqe) : cqe);
        }
      },
    },
  },
  'ex-failed-wr-id-in-32-bits': {
    rules: [`${ex}.direct-wr-id`],
    effect: 'the wr_id of a CQE that failed has 32 bits',
    parts: {
      CqIterator: class extends CqIterator {
        override get wrId(): bigint {
          return this.status === 'IBV_WC_SUCCESS' ? super.wrId : BigInt.asUintN(32, super.wrId);
        }
      },
    },
  },
  'ex-failure-stays': {
    rules: [`${ex}.direct-status`],
    effect: 'after a CQE that failed all have its status',
    parts: {
      CqIterator: class extends CqIterator {
        #failure: string | undefined;

        override get status(): string {
          if (super.status !== 'IBV_WC_SUCCESS') this.#failure = super.status;
          return this.#failure ?? super.status;
        }
      },
    },
  },
};

/** A batch in which one of the readers gives something else. */
function reading(changed: WcReader, value: (cqe: Cqe) => TraceValue): typeof CqIterator {
  return class extends CqIterator {
    protected override member(reader: WcReader, cqe: Cqe): TraceValue {
      return reader === changed ? value(cqe) : super.member(reader, cqe);
    }
  };
}
