/** A place where more than one outcome is allowed. */
export interface Looseness {
  /** What may differ from the simulator. */
  readonly allows: string;
  /** The clause that leaves it open, a capability that a device may lack, or `page silent`. */
  readonly clause: string;
}

const loose = (allows: string, clause: string): Looseness => ({ allows, clause });

/** The ledger: every branch by which a device may depart from the simulator and is right nevertheless. */
export const looseness = {
  'cq-size': loose('a CQ has more entries than were asked for', 'ibv_create_cq.size-may-exceed'),
  'cq-not-shrunk': loose('a CQ that is asked to be smaller keeps its size', 'ibv_resize_cq.shrink-may-noop'),
  'resize-below-backlog': loose(
    'a CQ that is asked to be smaller than its backlog says so with success and keeps its size',
    'ibv_resize_cq.not-below-backlog',
  ),
  'cq-spare-room': loose('a CQ takes more CQEs than its cqe member says', 'page silent'),
  'room-of-a-batch': loose('the CQEs of a batch take room in their CQ until the batch ends', 'page silent'),
  'overrun-cq': loose(
    'a CQ that was overrun refuses, is empty, or gives what it held',
    'ibv_poll_cq.overrun-cq-unusable',
  ),
  'event-of-each-lost-cqe': loose(
    'a CQ that was overrun raises IBV_EVENT_CQ_ERR again for a CQE that it loses later',
    'ibv_poll_cq.overrun-async-event',
  ),
  'qp-of-overrun-cq': loose(
    'a QP whose receive overruns its CQ fails, and answers its peer no more; or all QPs of that CQ fail',
    'page silent',
  ),
  'ignored-overrun': loose('which CQEs an overrun loses that is ignored', 'ibv_create_cq_ex.flag-ignore-overrun-loss'),
  'within-cqe': loose(
    'a small message is copied out of its CQE: no region is asked, and a receive that is too short fails alone',
    'page silent',
  ),
  'unreached-memory': loose('memory that a request names is not checked where its message is empty', 'page silent'),
  'peer-refuses-first': loose(
    'a request whose answer has no place that it may be written to is refused by the peer, or carried out, before that is seen',
    'page silent',
  ),
  'partial-message': loose(
    'a message that was not taken has put into memory what comes before its last packet, or before what its receive may not write',
    'page silent',
  ),
  'held-buffer': loose('what is in the memory of a receive that is done before its CQE is taken', 'ibv_post_recv'),
  'pending-answer': loose(
    'what is in the memory for the answer to a send before it is known that the send is done',
    'ibv_post_send',
  ),
  'order-across-queues': loose('the order of CQEs of different queues', 'page silent'),
  'late-cqe': loose('a CQE of work that is not known to be done is not there yet', 'page silent'),
  'late-event': loose('an event of work that is not known to be done is not there yet', 'page silent'),
  'late-work': loose('work that is not known to be done is done later', 'page silent'),
  'flush-at-once': loose('work that is under way when its QP is moved to IBV_QPS_ERR is flushed', 'page silent'),
  'flushed-though-done': loose(
    'a send that is flushed has reached its peer, of which its QP has not heard',
    'page silent',
  ),
  'unbegun-send': loose(
    'a send that is posted just before its QP is moved to IBV_QPS_SQD is not begun until the QP is in IBV_QPS_RTS again',
    'page silent',
  ),
  'send-too-early': loose(
    'a QP takes sends before it can send them, and what becomes of them is not known',
    'page silent',
  ),
  'foreign-operation': loose('an operation that is not one of the type of its QP is refused, or fails', 'page silent'),
  'flag-out-of-place': loose(
    'a send is refused for IBV_SEND_FENCE where its QP is not of RC, or for IBV_SEND_SOLICITED where it takes no receive',
    'page silent',
  ),
  'refused-at-once': loose(
    'a send of memory that its QP may not use is refused when it is posted, or fails',
    'page silent',
  ),
  'overtaken-send': loose(
    'a send is overtaken by what another QP has begun later, at which that QP fails, or its own',
    'page silent',
  ),
  'violation-of-uc': loose(
    'a QP of UC drops a message that names memory which it may not touch, and goes on',
    'page silent',
  ),
  'forbidden-operation': loose(
    'the status of a request that the QP of the peer does not let in: as for memory that it may not touch, or as for a request that is not valid',
    'page silent',
  ),
  'refused-immediate': loose(
    'the status of the receive that a refused message with immediate data would have taken: that the memory may not be touched, by either name, or flushed; and what comes of it where there is no receive, or that of an SRQ',
    'page silent',
  ),
  'high-limit': loose('an SRQ that holds less than its limit when that is set tells so at once', 'page silent'),
  'window-bound-already': loose(
    'what comes of a window that is bound again, of which no R_Key was invalidated since',
    'page silent',
  ),
  'other-qkey': loose('whether a QP takes datagrams that were sent with another Q_Key than its own', 'page silent'),
  'second-invalidation': loose('what comes of an R_Key that is invalidated and opens nothing', 'page silent'),
  'large-request': loose(
    'what becomes of a request that is larger than its queue takes, and is not refused',
    'page silent',
  ),
  'full-queue': loose('whether a queue is full of requests that have completed', 'page silent'),
  'late-try': loose('a send that waits for a receive is tried again after what others have sent', 'page silent'),
  'late-arm': loose('CQEs that are not known to be there come after a request', 'page silent'),
  'coalesced-event': loose('an event is not made for a CQ that has just made one', 'ibv_modify_cq'),
  'order-of-events': loose('the order of events of different objects', 'page silent'),
  'surplus-acks': loose(
    'a CQ of which more events were acknowledged than were taken is never destroyed',
    'ibv_get_cq_event.acks-match-gets',
  ),
  'foreign-event': loose(
    'events of the port come when something happens outside of the program',
    'ibv_get_async_event',
  ),
  'optional-event': loose('an event that a device may raise or not', 'ibv_get_async_event.event-comm-est'),
  'fatal-event': loose(
    'IBV_EVENT_QP_FATAL or IBV_EVENT_QP_REQ_ERR of a QP that has failed, beside or in place of its other events',
    'page silent',
  ),
  'violation-event': loose(
    'IBV_EVENT_QP_ACCESS_ERR of a QP whose own work has named memory that it may not use',
    'ibv_get_async_event.event-qp-access-err',
  ),
  'send-queue-error': loose('a QP without a connection is in IBV_QPS_SQE after a send that failed', 'page silent'),
  'cqe-of-ended-qp': loose('CQEs of a QP that was destroyed or reset are gone', 'page silent'),
  'errno-free': loose('errno of a refusal whose value no page names', 'ibv_create_cq.errno-on-null'),
  'may-refuse': loose('a request of which no page says whether it is refused', 'page silent'),
  'undefined-member': loose('a member of a CQE that no page makes valid', 'ibv_poll_cq.error-others-undefined'),
  'send-member': loose('byte_len and flags of a CQE of a send', 'ibv_poll_cq.field-byte-len'),
  'grh-flag': loose('IBV_WC_GRH on the CQE of a connected QP', 'ibv_poll_cq.flag-grh'),
  'checksum-flag': loose('IBV_WC_IP_CSUM_OK', 'ibv_poll_cq.wc-flags-zero-or-or'),
  'path-member': loose('slid, sl, dlid_path_bits and pkey_index', 'ibv_create_cq_ex.wcflag-slid'),
  'coarse-status': loose('another error status than that of the specification', 'ibv_poll_cq.error-valid-status'),
  'text-of-unknown': loose('a number that is no enumerator has the text of IBV_NODE_UNKNOWN', 'page silent'),
  'words-of-texts': loose('the words of the text for an enumerator', 'ibv_event_type_str'),
} as const satisfies Readonly<Record<string, Looseness>>;

export type LooseName = keyof typeof looseness;

/** How often each branch was taken. */
export class Ledger {
  readonly #taken = new Map<LooseName, number>();
  readonly #excused = new Map<string, number>();

  take(name: LooseName): void {
    this.#taken.set(name, (this.#taken.get(name) ?? 0) + 1);
  }

  taken(name: LooseName): number {
    return this.#taken.get(name) ?? 0;
  }

  /** What was taken or excused, however often. */
  get names(): readonly string[] {
    return [...this.#taken.keys(), ...this.#excused.keys()].sort();
  }

  /** The device did otherwise than a clause says that it is known not to keep. */
  excuse(clause: string): void {
    this.#excused.set(clause, (this.#excused.get(clause) ?? 0) + 1);
  }

  /** How often by clause, in the order of the clauses. */
  get excused(): readonly (readonly [string, number])[] {
    return [...this.#excused].sort(([one], [other]) => one.localeCompare(other));
  }

  add(other: Ledger): void {
    for (const [clause, count] of other.#excused) this.#excused.set(clause, (this.#excused.get(clause) ?? 0) + count);
    for (const [name, count] of other.#taken) this.#taken.set(name, this.taken(name) + count);
  }
}
