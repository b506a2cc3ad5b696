import type { QpType, RecvWr, Wc } from '../../../contract';
import type { Completions, WcStatus } from '../../cq/completions';
import type { Parts } from '../../device/device';
import type { Message } from '../../qp/message';
import { hasImmediate, isAnswered, lengthOf, operations, type SendRequest } from '../../qp/work-request';

/** What completes, and how. */
export interface Completed {
  readonly queue: 'send' | 'receive';
  readonly opcode: string;
  readonly qpType: QpType;
  readonly hasSrq: boolean;
  readonly status: WcStatus;
  /** Bytes of the message. */
  readonly length: number;
  readonly mtu: number;
  readonly sges: number;
  readonly isInline: boolean;
  /** How many completions went into this CQ before it. */
  readonly before: number;
  /** Entries of the CQ. */
  readonly capacity: number;
}

/** Whether a completion tells of an immediate: the members that hold it are valid. */
const isWithImmediate = (opcode: string): boolean =>
  opcode in operations && hasImmediate({ opcode: opcode as SendRequest['opcode'] });

/** A kind of completions that a device may treat in a way of its own. */
export interface CompletionKind {
  readonly name: string;
  /** Members of struct ibv_wc that the page declares valid for it. */
  readonly members: readonly (keyof Wc)[];
  has(completed: Completed): boolean;
}

/** What every completion has, and a failed one. */
const always = ['wrId', 'status', 'opcode', 'qpNum', 'wcFlags'] as const;
const afterErrors = ['wrId', 'status', 'qpNum', 'vendorErr'] as const;

/** What a receive has besides, by its opcode and type of QP; P_Keys are for GSI QPs only. */
function membersOfReceive(qpType: string, opcode: string): readonly (keyof Wc)[] {
  return [
    ...always,
    'byteLen',
    ...(isWithImmediate(opcode) ? (['immData'] as const) : []),
    ...(opcode === 'IBV_WR_SEND_WITH_INV' ? (['invalidatedRkey'] as const) : []),
    ...(qpType === 'IBV_QPT_UD' ? (['srcQp', 'slid', 'sl', 'dlidPathBits'] as const) : []),
  ];
}

/** What a send has besides: bytes were moved to it. */
function membersOfSend(opcode: string): readonly (keyof Wc)[] {
  const isAnswer = opcode in operations && isAnswered({ opcode: opcode as SendRequest['opcode'] });
  return isAnswer ? [...always, 'byteLen'] : always;
}

/** The opcodes of each type of QP, as in the table of ibv_post_send(3). */
const opcodes: Readonly<Partial<Record<QpType, readonly string[]>>> = {
  IBV_QPT_RC: Object.keys(operations),
  IBV_QPT_UC: ['IBV_WR_SEND', 'IBV_WR_SEND_WITH_IMM', 'IBV_WR_RDMA_WRITE', 'IBV_WR_RDMA_WRITE_WITH_IMM'],
  IBV_QPT_UD: ['IBV_WR_SEND', 'IBV_WR_SEND_WITH_IMM'],
};

/** Those that take a receive of the peer. */
const received: ReadonlySet<string> = new Set([
  'IBV_WR_SEND',
  'IBV_WR_SEND_WITH_IMM',
  'IBV_WR_SEND_WITH_INV',
  'IBV_WR_RDMA_WRITE_WITH_IMM',
]);

/** Failures by what a program has to do for them. A device may refuse to post what would end with IBV_WC_MW_BIND_ERR. */
const failures: readonly (readonly ['send' | 'receive', WcStatus])[] = [
  ['send', 'IBV_WC_WR_FLUSH_ERR'],
  ['send', 'IBV_WC_LOC_PROT_ERR'],
  ['send', 'IBV_WC_REM_INV_REQ_ERR'],
  ['send', 'IBV_WC_REM_ACCESS_ERR'],
  ['send', 'IBV_WC_REM_OP_ERR'],
  ['send', 'IBV_WC_RETRY_EXC_ERR'],
  ['send', 'IBV_WC_RNR_RETRY_EXC_ERR'],
  ['receive', 'IBV_WC_WR_FLUSH_ERR'],
  ['receive', 'IBV_WC_LOC_LEN_ERR'],
  ['receive', 'IBV_WC_LOC_PROT_ERR'],
];

const isSuccess = ({ status }: Completed): boolean => status === 'IBV_WC_SUCCESS';

/** By opcode, type and queue; and by what is special about a message or the place in its CQ. */
export const successKinds: readonly CompletionKind[] = [
  ...Object.entries(opcodes).flatMap(([qpType, ofType]) => ofType.flatMap((opcode) => kindsOf(qpType, opcode))),
  ...(['send', 'receive'] as const).flatMap((queue) => specialKinds(queue)),
];

export const failureKinds: readonly CompletionKind[] = failures.map(([queue, status]) => ({
  name: `a ${queue} that fails with ${status}`,
  members: afterErrors,
  has: (one) => one.queue === queue && one.status === status,
}));

function kindsOf(qpType: string, opcode: string): CompletionKind[] {
  const isIt = (one: Completed): boolean => one.qpType === qpType && one.opcode === opcode && isSuccess(one);
  const isReceive = (one: Completed): boolean => one.queue === 'receive' && isIt(one);
  const of = `${opcode} on ${qpType}`;
  const members = membersOfReceive(qpType, opcode);
  const sent: CompletionKind = {
    name: `a send of ${of}`,
    members: membersOfSend(opcode),
    has: (one) => one.queue === 'send' && isIt(one),
  };
  if (!received.has(opcode)) return [sent];
  const own = { name: `a receive of ${of}`, members, has: (one: Completed) => isReceive(one) && !one.hasSrq };
  const shared = {
    name: `a receive of ${of} with an SRQ`,
    members,
    has: (one: Completed) => isReceive(one) && one.hasSrq,
  };
  return qpType === 'IBV_QPT_RC' ? [sent, own, shared] : [sent, own];
}

function specialKinds(queue: 'send' | 'receive'): CompletionKind[] {
  const special = (name: string, has: (one: Completed) => boolean): CompletionKind => ({
    name: `a ${queue} ${name}`,
    members: queue === 'receive' ? membersOfReceive('IBV_QPT_RC', 'IBV_WR_SEND') : always,
    has: (one) => one.queue === queue && isSuccess(one) && has(one),
  });
  return [
    special('of no bytes', ({ length }) => length === 0),
    special('of several packets', ({ length, mtu }) => length > mtu),
    special('of several SGEs', ({ sges }) => sges > 1),
    ...(queue === 'send' ? [special('of inline data', ({ isInline }) => isInline)] : []),
    special('after 16 others of its CQ', ({ before }) => before >= 16),
    special('when its CQ has wrapped', ({ before, capacity }) => before >= capacity),
  ];
}

/** Classes that tell of each completion what it is, and may give another one. */
export function completionsWith(
  Base: Parts['Completions'],
  change: (wc: Wc, completed: Completed) => Wc,
): Parts['Completions'] {
  return class extends Base {
    #isOfSend = false;

    override ofSend(wr: SendRequest, status: WcStatus, byteLen: number): Wc {
      this.#isOfSend = true;
      const wc = super.ofSend(wr, status, byteLen);
      this.#isOfSend = false;
      return change(wc, completedSend(this.qp, wr, status));
    }

    override ofReceive(wr: RecvWr, message: Message): Wc {
      return change(super.ofReceive(wr, message), completedReceive(this.qp, wr, 'IBV_WC_SUCCESS', message));
    }

    override failed(wrId: bigint, status: WcStatus): Wc {
      const wc = super.failed(wrId, status);
      return this.#isOfSend ? wc : change(wc, completedReceive(this.qp, { wrId, sgList: [] }, status));
    }
  };
}

type Qp = ConstructorParameters<typeof Completions>[0];

export function completedSend(qp: Qp, wr: SendRequest, status: WcStatus): Completed {
  return {
    ...ofQp(qp, 'send'),
    opcode: wr.opcode,
    status,
    length: lengthOf(wr.sgList),
    sges: wr.sgList.length,
    isInline: wr.sendFlags.includes('IBV_SEND_INLINE'),
  };
}

export function completedReceive(qp: Qp, wr: RecvWr, status: WcStatus, message?: Message): Completed {
  const { opcode = 'IBV_WR_SEND' } = message?.wr ?? {};
  const length = message?.payload.length ?? 0;
  return { ...ofQp(qp, 'receive'), opcode, status, length, sges: wr.sgList.length, isInline: false };
}

/** How many completions have gone into a CQ. */
const counts = new WeakMap<object, number>();

/** A completion goes into a CQ. */
export function count(cq: object): void {
  counts.set(cq, (counts.get(cq) ?? 0) + 1);
}

function ofQp(
  { init, mtu }: Qp,
  queue: 'send' | 'receive',
): Omit<Completed, 'opcode' | 'status' | 'length' | 'sges' | 'isInline'> {
  const { qpType, srq, sendCq, recvCq } = init;
  const cq = queue === 'send' ? sendCq : recvCq;
  return { queue, qpType, hasSrq: srq !== undefined, mtu, before: counts.get(cq) ?? 0, capacity: cq.cqe };
}
