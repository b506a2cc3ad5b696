import { unwrittenWord, type Wc } from '../../../contract';
import type { VerbName } from '../../../pipeline/conventions';
import { AsyncEvent } from '../../async/async-events';
import { Completions, type WcStatus } from '../../cq/completions';
import { Cq, type Cqe, type NotifyRequest } from '../../cq/cq';
import type { Parts } from '../../device/device';
import { simulatedDut } from '../../device/dut';
import type { Fault } from '../fault';
import { OverrunWhenFull, SilentWhenOverrun } from './overrunning';
import { MemoryTable } from '../../mr/memory';
import type { Answer, Message } from '../../qp/message';
import { Requester } from '../../qp/requester';
import { Responder } from '../../qp/responder';
import { ReturnValues, type Success, type Returned } from '../../return-values';
import { Transmitter } from '../../qp/transmitter';
import { hasImmediate, lengthOf, type SendRequest } from '../../qp/work-request';
import { faults as faultsOfPeersMemory } from '../mr/peers-memory';
import { faults as faultsOfTransport } from '../qp/transport';

/** A CQ that changes members of each completion on its way in. */
function altered(change: (wc: Wc) => Partial<Wc>): Partial<Parts> {
  class Altered extends Cq {
    override add(cqe: Cqe): void {
      super.add({ ...cqe, wc: { ...cqe.wc, ...change(cqe.wc) } });
    }
  }
  return { Cq: Altered };
}

/** As above, of failed completions alone. */
function alteredIfFailed(change: (wc: Wc) => Partial<Wc>): Partial<Parts> {
  return altered((wc) => (wc.status === 'IBV_WC_SUCCESS' ? {} : change(wc)));
}

/** As above, of completions with these statuses. */
function alteredStatus(statuses: Readonly<Record<string, string>>): Partial<Parts> {
  return altered(({ status }) => ({ status: statuses[status] ?? status }));
}

/** What ibv_poll_cq() returns, made of what it would and of the completions. */
function returning(change: (count: number, wc: readonly Wc[]) => number): Partial<Parts> {
  class Returns extends ReturnValues {
    override ofSuccess(verb: VerbName, outcome: Success): Returned {
      const sound = super.ofSuccess(verb, outcome);
      if (verb !== 'ibv_poll_cq') return sound;
      return { ...sound, returned: change(Number(sound.returned), sound.outputs.wc as unknown as readonly Wc[]) };
    }
  }
  return { ReturnValues: Returns };
}

/** What a poll gives that leaves the first element of its array unwritten. */
function fromSecondElement(cqes: readonly Cqe[]): Cqe[] {
  const unwritten = cqes.slice(0, 1).map((cqe) => ({ ...cqe, wc: { ...cqe.wc, wrId: BigInt(unwrittenWord) } }));
  return [...unwritten, ...cqes].slice(0, cqes.length);
}

/** A CQ on which IBV_WC_WITH_IMM stays set once it was, in all CQEs or in some. */
function stickingImmediate(isIt: (wc: Wc) => boolean = () => true): Partial<Parts> {
  class Sticking extends Cq {
    #isSet = false;

    override add(cqe: Cqe): void {
      const { wcFlags } = cqe.wc;
      const isMeant = isIt(cqe.wc);
      this.#isSet ||= isMeant && wcFlags.includes('IBV_WC_WITH_IMM');
      const stuck = isMeant && this.#isSet ? ['IBV_WC_WITH_IMM'] : [];
      super.add({ ...cqe, wc: { ...cqe.wc, wcFlags: [...wcFlags, ...stuck] } });
    }
  }
  return { Cq: Sticking };
}

/** Drops one flag of wc_flags, or puts another in its place. */
function reflagged(flag: string, ...instead: readonly string[]): Partial<Parts> {
  return altered(({ wcFlags }) => ({ wcFlags: wcFlags.flatMap((name) => (name === flag ? instead : [name])) }));
}

/** The same four bytes in the other order. */
function swapped(value: number): number {
  const bytes = new DataView(new ArrayBuffer(4));
  bytes.setUint32(0, value);
  return bytes.getUint32(0, true);
}

class OverrunNamesAnother extends Cq {
  static readonly #all: Cq[] = [];

  constructor(...args: ConstructorParameters<typeof Cq>) {
    super(...args);
    OverrunNamesAnother.#all.push(this);
  }

  protected override fail(): void {
    this.overrun = true;
    const other = OverrunNamesAnother.#all.filter((cq) => cq !== this).at(-1) ?? this;
    this.events.add(new AsyncEvent('IBV_EVENT_CQ_ERR', other));
  }
}

const page = 'ibv_poll_cq';

const faultsOfPolling: Readonly<Record<string, Fault>> = {
  'poll-hands-out-one-more': {
    rules: [
      `${page}.signature`,
      `${page}.up-to-num-entries`,
      `${page}.array-filled`,
      'ibv_create_cq_ex.next-advances',
      'ibv_create_cq_ex.read-completion-ts',
    ],
    effect: 'a poll takes one CQE more than the array has room for',
    parts: {
      Cq: class extends Cq {
        override poll(numEntries: number): Cqe[] {
          return super.poll(numEntries + 1);
        }
      },
    },
  },
  'poll-hands-out-one-at-most': {
    rules: [`${page}.up-to-num-entries`, `${page}.all-if-fewer`],
    effect: 'a poll takes one CQE, however many there are',
    parts: {
      Cq: class extends Cq {
        override poll(numEntries: number): Cqe[] {
          return super.poll(Math.min(numEntries, 1));
        }
      },
    },
  },
  'poll-gives-cqes-of-one-qp': {
    rules: [`${page}.all-if-fewer`],
    effect: 'a poll stops at the first CQE of another QP',
    parts: {
      Cq: class extends Cq {
        override poll(numEntries: number): Cqe[] {
          const [first] = this.cqes;
          const ofOthers = this.cqes.findIndex(({ wc }) => wc.qpNum !== first?.wc.qpNum);
          return super.poll(ofOthers < 0 ? numEntries : Math.min(numEntries, ofOthers));
        }
      },
    },
  },
  'poll-newest-first': {
    rules: [`${page}.oldest-first`, 'ibv_create_cq_ex.next-advances', 'ibv_create_cq_ex.read-completion-ts'],
    effect: 'the CQE that came last is handed out first',
    parts: {
      Cq: class extends Cq {
        override poll(numEntries: number): Cqe[] {
          return this.cqes.splice(Math.max(this.cqes.length - numEntries, 0)).reverse();
        }
      },
    },
  },
  'order-lost-at-wrap': {
    rules: [`${page}.oldest-first`, 'ibv_create_cq_ex.end-then-new-start'],
    effect: 'CQEs are out of order once the queue has been filled',
    parts: {
      /** The place of a CQE is wrong once every place has been taken. */
      Cq: class extends Cq {
        #added = 0;

        override add(cqe: Cqe): void {
          super.add(cqe);
          this.#added += 1;
          if (this.#added > this.capacity) this.cqes.unshift(...this.cqes.splice(-1));
        }
      },
    },
  },
  'first-element-unwritten': {
    rules: [`${page}.array-filled`, 'ibv_create_cq_ex.next-advances'],
    effect: 'results begin at the second element of the array',
    parts: {
      Cq: class extends Cq {
        override poll(numEntries: number): Cqe[] {
          return fromSecondElement(super.poll(numEntries));
        }
      },
    },
  },
  'array-goes-on-where-it-ended': {
    rules: [`${page}.array-filled`],
    effect: 'results begin at the second element of the array after a poll that filled an array of one',
    parts: {
      Cq: class extends Cq {
        #hasFilledOne = false;

        override poll(numEntries: number): Cqe[] {
          const sound = super.poll(numEntries);
          const cqes = this.#hasFilledOne && numEntries > 1 ? fromSecondElement(sound) : sound;
          this.#hasFilledOne = numEntries === 1 && sound.length === 1;
          return cqes;
        }
      },
    },
  },
  'empty-is-refused': {
    rules: [`${page}.returns-zero-empty`],
    effect: 'polling an empty CQ is refused',
    parts: returning((count) => (count === 0 ? -11 : count)),
  },
  'poll-returns-whether': {
    rules: [`${page}.signature`, `${page}.returns-count`],
    effect: 'the result says whether there were CQEs, not how many',
    parts: returning((count) => Math.min(count, 1)),
  },
  'poll-counts-successes': {
    rules: [`${page}.signature`, `${page}.returns-count`],
    effect: 'failed CQEs are not counted in the result',
    parts: returning((_count, wc) => wc.filter(({ status }) => status === 'IBV_WC_SUCCESS').length),
  },
  'failures-withheld': {
    rules: [`${page}.status-to-be-checked`, 'ibv_create_cq_ex.read-vendor-err', 'ibv_req_notify_cq.zero-send-error'],
    effect: 'failed work is not reported',
    parts: {
      Cq: class extends Cq {
        override add(cqe: Cqe): void {
          if (cqe.wc.status === 'IBV_WC_SUCCESS') super.add(cqe);
        }
      },
    },
  },
  'failed-receives-withheld': {
    rules: [
      `${page}.status-to-be-checked`,
      'ibv_create_cq_ex.direct-status',
      'ibv_create_cq_ex.read-vendor-err',
      'ibv_req_notify_cq.zero-recv-error',
      'ibv_req_notify_cq.solicited-recv-error',
    ],
    effect: 'receives that failed are not reported',
    parts: {
      Cq: class extends Cq {
        override add(cqe: Cqe): void {
          if (cqe.queue === 'send' || cqe.wc.status === 'IBV_WC_SUCCESS') super.add(cqe);
        }
      },
    },
  },
  'seems-empty': {
    rules: [`${page}.drain-loop`, 'ibv_create_cq_ex.next-advances'],
    effect: 'a poll gives 0 although there are CQEs',
    parts: {
      /** Every other poll comes back empty. */
      Cq: class extends Cq {
        #polls = 0;

        override poll(numEntries: number): Cqe[] {
          this.#polls += 1;
          return super.poll(this.#polls % 2 === 1 ? numEntries : 0);
        }
      },
    },
  },
  'polled-cqe-stays': {
    rules: [
      `${page}.removed-once-polled`,
      'ibv_create_cq_ex.next-advances',
      'ibv_create_cq_ex.read-completion-ts',
      'ibv_resize_cq.not-below-backlog',
    ],
    effect: 'a CQE that was handed out stays in the CQ',
    parts: {
      /** Keeps what it has handed out. */
      Cq: class extends Cq {
        override poll(numEntries: number): Cqe[] {
          return this.cqes.slice(0, numEntries);
        }
      },
    },
  },
  'arming-brings-back': {
    rules: [`${page}.removed-once-polled`, 'ibv_req_notify_cq.arms-cq'],
    effect: 'a CQE that was handed out is there again when the CQ is armed',
    parts: {
      Cq: class extends Cq {
        #last: Cqe | undefined;

        override poll(numEntries: number): Cqe[] {
          const cqes = super.poll(numEntries);
          this.#last = cqes.at(-1) ?? this.#last;
          return cqes;
        }

        override notify(scope: NotifyRequest): void {
          super.notify(scope);
          if (this.#last !== undefined) this.cqes.unshift(this.#last);
        }
      },
    },
  },
  'overrun-is-silent': {
    rules: [`${page}.overrun-async-event`, 'ibv_get_async_event.event-cq-err', 'ibv_get_async_event.element-cq'],
    effect: 'an overrun raises no event',
    parts: { Cq: SilentWhenOverrun },
  },
  'overrun-names-another': {
    rules: [`${page}.overrun-async-event`, 'ibv_get_async_event.event-cq-err', 'ibv_get_async_event.element-cq'],
    effect: 'the event of an overrun names another CQ',
    parts: { Cq: OverrunNamesAnother },
  },
  'overrun-one-early': {
    rules: [
      `${page}.overrun-async-event`,
      'ibv_create_cq.min-size',
      'ibv_get_async_event.event-cq-err',
      'ibv_create_cq_ex.end-then-new-start',
    ],
    effect: 'a CQ that is just full counts as overrun',
    parts: { Cq: OverrunWhenFull },
  },
  'overrun-is-forgotten': {
    rules: [`${page}.overrun-cq-unusable`],
    effect: 'a CQ works on after an overrun',
    parts: {
      Cq: class extends Cq {
        protected override fail(): void {
          super.fail();
          this.overrun = false;
        }
      },
    },
  },
};

const faultsOfMembers: Readonly<Record<string, Fault>> = {
  'wr-id-of-32-bits': {
    rules: [`${page}.field-wr-id`, 'ibv_create_cq_ex.direct-wr-id'],
    effect: 'the upper half of wr_id is lost',
    parts: altered(({ wrId }) => ({ wrId: BigInt.asUintN(32, wrId) })),
  },
  'wr-id-is-counted': {
    rules: [`${page}.field-wr-id`, 'ibv_create_cq_ex.direct-wr-id'],
    effect: 'wr_id counts the CQEs of the CQ',
    parts: {
      Cq: class extends Cq {
        #next = 0n;

        override add(cqe: Cqe): void {
          super.add({ ...cqe, wc: { ...cqe.wc, wrId: this.#next } });
          this.#next += 1n;
        }
      },
    },
  },
  'wr-id-only-once': {
    rules: [`${page}.field-wr-id`],
    effect: 'a CQE with the wr_id of the one before it is taken for the same',
    parts: {
      Cq: class extends Cq {
        override add(cqe: Cqe): void {
          if (this.cqes.at(-1)?.wc.wrId !== cqe.wc.wrId) super.add(cqe);
        }
      },
    },
  },
  'unsignaled-makes-cqe': {
    rules: [`${page}.field-wr-id`],
    effect: 'an unsignaled send makes a CQE although it succeeds',
    parts: {
      Requester: class extends Requester {
        protected override makesCqe(): boolean {
          return true;
        }
      },
    },
  },
  'signal-all-is-ignored': {
    rules: [`${page}.field-wr-id`],
    effect: 'a QP that signals all makes CQEs for signaled sends only',
    parts: {
      Requester: class extends Requester {
        protected override makesCqe({ sendFlags }: SendRequest, status: WcStatus): boolean {
          return sendFlags.includes('IBV_SEND_SIGNALED') || status !== 'IBV_WC_SUCCESS';
        }
      },
    },
  },
  'write-takes-receive': {
    rules: [`${page}.field-wr-id`],
    effect: 'an RDMA write without immediate takes a receive',
    parts: {
      Responder: class extends Responder {
        override receive(message: Message): Answer {
          const answer = super.receive(message);
          if (message.wr.opcode === 'IBV_WR_RDMA_WRITE' && answer.kind === 'ack') this.#complete(message);
          return answer;
        }

        #complete(message: Message): void {
          const wr = this.qp.receives.take();
          if (wr !== undefined) this.qp.completeReceive(wr, message);
        }
      },
    },
  },
  'inline-is-read-late': {
    rules: [`${page}.field-status`],
    effect: 'inline data are read when the message leaves',
    parts: {
      Transmitter: class extends Transmitter {
        override attempt(...[wr, , conclude]: Parameters<Transmitter['attempt']>): void {
          super.attempt(wr, undefined, conclude);
        }
      },
    },
  },
  'local-data-go-astray': {
    rules: [`${page}.field-status`],
    effect: 'what comes in does not reach the buffer, and the status is success',
    parts: {
      MemoryTable: class extends MemoryTable {
        override local(...args: Parameters<MemoryTable['local']>): Uint8Array | undefined {
          const bytes = super.local(...args);
          return bytes?.slice();
        }
      },
    },
  },
  'remote-data-go-astray': {
    rules: [`${page}.field-status`],
    effect: 'what goes to the peer does not reach its memory, and the status is success',
    parts: {
      MemoryTable: class extends MemoryTable {
        override remote(...args: Parameters<MemoryTable['remote']>): Uint8Array | undefined {
          const bytes = super.remote(...args);
          return bytes?.slice();
        }
      },
    },
  },
  'all-work-is-send': {
    rules: [`${page}.field-opcode`, 'ibv_create_cq_ex.read-opcode'],
    effect: 'all work of a send queue is reported as a send',
    parts: {
      Completions: class extends Completions {
        protected override sendOpcode(): string {
          return 'IBV_WC_SEND';
        }
      },
    },
  },
  'all-receives-are-recv': {
    rules: [`${page}.field-opcode`, 'ibv_create_cq_ex.read-opcode'],
    effect: 'the receive of an RDMA write with immediate is reported as that of a message',
    parts: {
      Completions: class extends Completions {
        protected override receiveOpcode(): string {
          return 'IBV_WC_RECV';
        }
      },
    },
  },
  'opcode-of-peer': {
    rules: [`${page}.field-opcode`, 'ibv_create_cq_ex.read-opcode'],
    effect: 'a receive has the opcode of the send',
    parts: {
      Completions: class extends Completions {
        protected override receiveOpcode({ wr }: Message): string {
          return this.sendOpcode(wr);
        }
      },
    },
  },
  'byte-len-of-buffer': {
    rules: [`${page}.field-byte-len`, 'ibv_create_cq_ex.read-byte-len'],
    effect: 'byte_len of a receive is the size of its buffer',
    parts: {
      Completions: class extends Completions {
        override ofReceive(...[wr, message]: Parameters<Completions['ofReceive']>): Wc {
          return { ...super.ofReceive(wr, message), byteLen: lengthOf(wr.sgList) };
        }
      },
    },
  },
  'byte-len-of-buffer-for-nothing': {
    rules: [`${page}.field-byte-len`, 'ibv_create_cq_ex.wcflag-byte-len', 'ibv_create_cq_ex.read-byte-len'],
    effect: 'byte_len of the receive of a message without a scatter/gather list is the size of its buffer',
    parts: {
      Completions: class extends Completions {
        override ofReceive(...[wr, message]: Parameters<Completions['ofReceive']>): Wc {
          const wc = super.ofReceive(wr, message);
          return message.wr.length === 0 ? { ...wc, byteLen: lengthOf(wr.sgList) } : wc;
        }
      },
    },
  },
  'byte-len-of-last-packet': {
    rules: [`${page}.field-byte-len`],
    effect: 'byte_len counts the last packet of a message',
    parts: {
      Completions: class extends Completions {
        protected override receivedBytes(message: Message): number {
          return super.receivedBytes(message) % simulatedDut.port.activeMtu;
        }
      },
    },
  },
  'byte-len-with-immediate': {
    rules: [`${page}.field-byte-len`, 'ibv_create_cq_ex.next-advances', 'ibv_create_cq_ex.next-success-readable'],
    effect: 'byte_len counts the immediate too',
    parts: {
      Completions: class extends Completions {
        protected override receivedBytes(message: Message): number {
          return super.receivedBytes(message) + (hasImmediate(message.wr) ? 4 : 0);
        }
      },
    },
  },
  'byte-len-without-grh': {
    rules: [`${page}.field-byte-len`, 'ibv_create_cq_ex.wcflag-byte-len', 'ibv_create_cq_ex.read-byte-len'],
    effect: 'byte_len of a UD receive leaves out the GRH',
    parts: {
      Completions: class extends Completions {
        protected override receivedBytes({ payload }: Message): number {
          return payload.length;
        }
      },
    },
  },
  'byte-len-of-answers-lost': {
    rules: [`${page}.field-byte-len`],
    effect: 'byte_len of RDMA reads and atomics is 0',
    parts: {
      Completions: class extends Completions {
        override ofSend(...[wr, status]: Parameters<Completions['ofSend']>): Wc {
          return super.ofSend(wr, status, 0);
        }
      },
    },
  },
  'immediate-in-host-order': {
    rules: [`${page}.field-imm-data`, 'ibv_create_cq_ex.read-imm-data'],
    effect: 'imm_data has the byte order of the machine',
    parts: altered(({ immData }) => ({ immData: swapped(immData) })),
  },
  'invalidated-rkey-is-index': {
    rules: [`${page}.field-invalidated-rkey`, `${page}.field-imm-inv-union`, 'ibv_create_cq_ex.read-invalidated-rkey'],
    effect: 'invalidated_rkey lacks the part of the R_Key that the program chose',
    parts: altered(({ invalidatedRkey }) => ({ invalidatedRkey: (invalidatedRkey & 0xffff_ff00) >>> 0 })),
  },
  'qp-num-of-peer': {
    rules: [`${page}.field-qp-num`, 'ibv_create_cq_ex.read-qp-num'],
    effect: 'qp_num is the number of the remote QP',
    parts: {
      Completions: class extends Completions {
        override ofSend(...args: Parameters<Completions['ofSend']>): Wc {
          return this.#ofPeer(super.ofSend(...args));
        }

        override ofReceive(...args: Parameters<Completions['ofReceive']>): Wc {
          return this.#ofPeer(super.ofReceive(...args));
        }

        #ofPeer(wc: Wc): Wc {
          return { ...wc, qpNum: this.qp.attr.destQpNum ?? 0 };
        }
      },
    },
  },
  'qp-num-of-first': {
    rules: [`${page}.field-qp-num`, `${page}.error-valid-qp-num`, 'ibv_create_cq_ex.read-qp-num'],
    effect: 'qp_num is that of the first QP that used the CQ',
    parts: {
      Cq: class extends Cq {
        #qpNum: number | undefined;

        override add(cqe: Cqe): void {
          this.#qpNum ??= cqe.wc.qpNum;
          super.add({ ...cqe, wc: { ...cqe.wc, qpNum: this.#qpNum } });
        }
      },
    },
  },
  'src-qp-is-own': {
    rules: [`${page}.field-src-qp`, `${page}.field-src-qp-ud-only`, 'ibv_create_cq_ex.read-src-qp'],
    effect: 'src_qp is the number of the local QP',
    parts: altered(({ qpNum }) => ({ srcQp: qpNum })),
  },
};

const faultsOfFlags: Readonly<Record<string, Fault>> = {
  'immediate-flag-sticks': {
    rules: [
      `${page}.field-wc-flags`,
      `${page}.flag-with-imm`,
      `${page}.flag-inv-excludes-imm`,
      `${page}.field-imm-inv-union`,
      'ibv_create_cq_ex.read-wc-flags',
    ],
    effect: 'IBV_WC_WITH_IMM stays set once it was',
    parts: stickingImmediate(),
  },
  'immediate-flag-of-datagrams-sticks': {
    rules: [`${page}.field-wc-flags`, `${page}.flag-with-imm`],
    effect: 'IBV_WC_WITH_IMM of datagrams stays set once it was',
    parts: stickingImmediate(({ wcFlags }) => wcFlags.includes('IBV_WC_GRH')),
  },
  'immediate-flag-missing': {
    rules: [
      `${page}.field-wc-flags`,
      `${page}.flag-with-imm`,
      'ibv_create_cq_ex.read-imm-data',
      'ibv_create_cq_ex.read-wc-flags',
    ],
    effect: 'IBV_WC_WITH_IMM is never set',
    parts: reflagged('IBV_WC_WITH_IMM'),
  },
  'invalidation-flag-of-kernel': {
    rules: [`${page}.flag-with-inv`, 'ibv_create_cq_ex.read-wc-flags'],
    effect: 'IBV_WC_WITH_INV is set in the place that it has in the kernel, which is IBV_WC_IP_CSUM_OK here',
    parts: reflagged('IBV_WC_WITH_INV', 'IBV_WC_IP_CSUM_OK'),
  },
  'invalidation-flags-immediate': {
    rules: [`${page}.field-imm-inv-union`, `${page}.flag-inv-excludes-imm`, 'ibv_create_cq_ex.read-wc-flags'],
    effect: 'IBV_WC_WITH_IMM comes with IBV_WC_WITH_INV',
    parts: {
      Completions: class extends Completions {
        protected override flags(message: Message): string[] {
          const flags = super.flags(message);
          return flags.includes('IBV_WC_WITH_INV') ? [...flags, 'IBV_WC_WITH_IMM'] : flags;
        }
      },
    },
  },
  'unknown-flag': {
    rules: [`${page}.wc-flags-zero-or-or`],
    effect: 'wc_flags has a bit that stands for nothing',
    parts: altered(({ wcFlags }) => ({ wcFlags: [...wcFlags, '0x100'] })),
  },
  'grh-flag-is-of-the-first-qp': {
    rules: [`${page}.flag-grh`, `${page}.flag-grh-ud-only`],
    effect: 'IBV_WC_GRH is set where the first CQE of the CQ had it',
    parts: {
      Cq: class extends Cq {
        #isUd: boolean | undefined;

        override add(cqe: Cqe): void {
          this.#isUd ??= cqe.wc.wcFlags.includes('IBV_WC_GRH');
          const wcFlags = this.#isUd ? cqe.wc.wcFlags : cqe.wc.wcFlags.filter((flag) => flag !== 'IBV_WC_GRH');
          super.add({ ...cqe, wc: { ...cqe.wc, wcFlags } });
        }
      },
    },
  },
  'grh-flag-missing': {
    rules: [`${page}.flag-grh`, `${page}.flag-grh-ud-only`],
    effect: 'IBV_WC_GRH is not set although there is a GRH',
    parts: reflagged('IBV_WC_GRH'),
  },
};

const faultsOfErrors: Readonly<Record<string, Fault>> = {
  'failed-wr-id-lost': {
    rules: [`${page}.error-valid-wr-id`, 'ibv_create_cq_ex.direct-status'],
    effect: 'a failed CQE has no wr_id',
    parts: alteredIfFailed(() => ({ wrId: 0n })),
  },
  'unsignaled-failure-is-silent': {
    rules: [`${page}.error-valid-wr-id`],
    effect: 'an unsignaled send that fails makes no CQE',
    parts: {
      Requester: class extends Requester {
        protected override makesCqe({ sendFlags }: SendRequest): boolean {
          return this.qp.init.sqSigAll || sendFlags.includes('IBV_SEND_SIGNALED');
        }
      },
    },
  },
  'failed-status-is-general': {
    rules: [`${page}.error-valid-status`, 'ibv_create_cq_ex.direct-status'],
    effect: 'every failure is IBV_WC_GENERAL_ERR',
    parts: alteredIfFailed(() => ({ status: 'IBV_WC_GENERAL_ERR' })),
  },
  'flushed-is-success': {
    rules: [
      `${page}.error-valid-status`,
      `${page}.status-to-be-checked`,
      'ibv_create_cq_ex.direct-status',
      'ibv_req_notify_cq.solicited-recv-error',
      'ibv_req_notify_cq.solicited-send-error',
    ],
    effect: 'flushed work is reported as done',
    parts: alteredStatus({ IBV_WC_WR_FLUSH_ERR: 'IBV_WC_SUCCESS' }),
  },
  'failed-binding-is-success': {
    rules: [`${page}.error-valid-status`],
    effect: 'a memory window that cannot be bound is reported as bound',
    parts: alteredStatus({ IBV_WC_MW_BIND_ERR: 'IBV_WC_SUCCESS' }),
  },
  'local-failure-is-remote': {
    rules: [`${page}.error-valid-status`],
    effect: 'a receive that is too short or wrong has the status of its sender',
    parts: alteredStatus({
      IBV_WC_LOC_LEN_ERR: 'IBV_WC_REM_INV_REQ_ERR',
      IBV_WC_LOC_PROT_ERR: 'IBV_WC_REM_OP_ERR',
    }),
  },
  'failed-qp-num-lost': {
    rules: [`${page}.error-valid-qp-num`, 'ibv_create_cq_ex.direct-status'],
    effect: 'a failed CQE has no qp_num',
    parts: alteredIfFailed(() => ({ qpNum: 0 })),
  },
  'failed-vendor-err-unwritten': {
    rules: [`${page}.error-valid-vendor-err`],
    effect: 'vendor_err of a failed CQE is left as it was',
    parts: alteredIfFailed(() => ({ vendorErr: unwrittenWord })),
  },
};

/** Planted faults of the rules of ibv_poll_cq(3). */
export const faults: Readonly<Record<string, Fault>> = {
  ...faultsOfPolling,
  ...faultsOfMembers,
  ...faultsOfFlags,
  ...faultsOfErrors,
  ...faultsOfPeersMemory,
  ...faultsOfTransport,
};
