import type { AccessFlag } from '../../contract';
import type { WcStatus } from '../cq/completions';
import { globalRoutingHeader, noBytes, type Message } from './message';
import { Departures, type Reply } from '../network/departures';
import type { Address, ResponsePacket } from '../network/packet';
import { joined, spread } from '../network/segments';
import type { Qp } from './qp';
import { headersOf, isOfType, lengthOf, operations, type SendRequest } from './work-request';

/** How an attempt at a send WR ended: done with a status, or to be tried again. */
export type Attempt =
  | { readonly kind: 'done'; readonly status: WcStatus; readonly byteLen: number }
  | Extract<Reply, { kind: 'none' | 'gap' | 'rnr' }>;

/** Hears how an attempt has ended: at once, or when the peer has answered or its time is up. */
export type Conclude = (attempt: Attempt) => void;

/** Rights of a window that the region needs to be locally writable for: ibv_bind_mw(3). */
const writing: ReadonlySet<AccessFlag> = new Set(['IBV_ACCESS_REMOTE_WRITE', 'IBV_ACCESS_REMOTE_ATOMIC']);

function done(status: WcStatus, byteLen = 0): Attempt {
  return { kind: 'done', status, byteLen };
}

/** Carries out send WRs of a QP: takes bytes out of memory, sends them, and puts answers into memory. */
export class Transmitter {
  readonly #departures: Departures;

  constructor(protected readonly qp: Qp) {
    this.#departures = new Departures(qp);
  }

  /** Numbers packets from here on: sq_psn of ibv_modify_qp(3). */
  startAt(psn: number): void {
    this.#departures.startAt(psn);
  }

  /** The attempts that follow are at another send WR. The one that is under way is given up. */
  begin(): void {
    this.#departures.begin();
  }

  /** @param inlineData - the bytes, if IBV_SEND_INLINE took them out of memory before */
  attempt(wr: SendRequest, inlineData: Uint8Array | undefined, conclude: Conclude): void {
    if (isOfType(this.qp.init.qpType, wr)) this.#perform(wr, inlineData, conclude);
    else conclude(done('IBV_WC_LOC_QP_OP_ERR'));
  }

  #perform(wr: SendRequest, inlineData: Uint8Array | undefined, conclude: Conclude): void {
    switch (operations[wr.opcode].data) {
      case 'sent':
        this.#send(wr, inlineData ?? this.gathered(wr), conclude);
        break;
      case 'answered':
        this.#ask(wr, conclude);
        break;
      case 'none':
        conclude(done(this.performLocally(wr)));
        break;
    }
  }

  /** The bytes of the scatter/gather list, or `undefined` if it names memory that the QP may not read. */
  protected gathered({ sgList }: SendRequest): Uint8Array | undefined {
    const { memory } = this.qp.device;
    const pieces = sgList.map((sge) => memory.local(this.qp.pd, sge));
    return pieces.every((piece) => piece !== undefined) ? joined(pieces) : undefined;
  }

  #send(wr: SendRequest, payload: Uint8Array | undefined, conclude: Conclude): void {
    if (payload === undefined) conclude(done('IBV_WC_LOC_PROT_ERR'));
    else this.#exchange(wr, payload, payload.length, conclude);
  }

  /** An RDMA read or an atomic operation, whose answer goes to local memory. */
  #ask(wr: SendRequest, conclude: Conclude): void {
    const { memory } = this.qp.device;
    const targets = wr.sgList.map((sge) => memory.local(this.qp.pd, sge, 'IBV_ACCESS_LOCAL_WRITE'));
    if (targets.every((target) => target !== undefined)) this.request(wr, targets, conclude);
    else this.refuseTarget(wr, conclude);
  }

  /** The scatter/gather list names memory that the QP may not write. */
  protected refuseTarget(_wr: SendRequest, conclude: Conclude): void {
    conclude(done('IBV_WC_LOC_PROT_ERR'));
  }

  /** Asks the peer for bytes, which go to the targets. */
  protected request(wr: SendRequest, targets: readonly Uint8Array[], conclude: Conclude): void {
    this.#exchange(wr, noBytes, lengthOf(wr.sgList), conclude, targets);
  }

  #exchange(
    wr: SendRequest,
    payload: Uint8Array,
    byteLen: number,
    conclude: Conclude,
    targets: readonly Uint8Array[] = [],
  ): void {
    const { qpNum, isUd } = this.qp;
    const grh = isUd ? globalRoutingHeader : noBytes;
    const message = { wr: headersOf(wr, byteLen), payload, srcQpNum: qpNum, grh };
    this.deliver(message, this.#peerOf(wr), (reply) => {
      if (reply.kind === 'acknowledged') spread(reply.data, targets);
      conclude(attemptOf(reply, byteLen));
    });
  }

  protected deliver(message: Message, to: Address, conclude: (reply: Reply) => void): void {
    this.#departures.send(message, to, conclude);
  }

  /** A UD message names its peer, that of a connected QP goes to the QP at the other end. */
  #peerOf({ ud }: SendRequest): Address {
    if (ud !== undefined) return { gid: ud.ah.attr.grh.dgid, qpNum: ud.remoteQpn };
    const { ahAttr, destQpNum = 0 } = this.qp.attr;
    return { gid: ahAttr?.grh.dgid ?? '', qpNum: destQpNum };
  }

  /** Takes an answer from the network. */
  hear(response: ResponsePacket): void {
    this.#departures.hear(response);
  }

  /** IBV_WR_BIND_MW and IBV_WR_LOCAL_INV stay within the device. */
  protected performLocally({ bindMw, invalidateRkey }: SendRequest): WcStatus {
    if (bindMw === undefined) {
      this.qp.device.memory.boundWindow(this.qp, invalidateRkey)?.unbind();
      return 'IBV_WC_SUCCESS';
    }
    const { mw, rkey, ...shown } = bindMw;
    if (!canBind(shown)) return 'IBV_WC_MW_BIND_ERR';
    mw.bind({ qp: this.qp, ...shown }, rkey);
    return 'IBV_WC_SUCCESS';
  }
}

/** Whether a region lets a window be bound that grants so much. */
export function canBind({ mr, access }: Pick<NonNullable<SendRequest['bindMw']>, 'mr' | 'access'>): boolean {
  const needsLocalWrite = access.some((right) => writing.has(right));
  return mr.access.has('IBV_ACCESS_MW_BIND') && (!needsLocalWrite || mr.access.has('IBV_ACCESS_LOCAL_WRITE'));
}

function attemptOf(reply: Reply, byteLen: number): Attempt {
  if (reply.kind === 'acknowledged') return done('IBV_WC_SUCCESS', byteLen);
  return reply.kind === 'refused' ? done(reply.status) : reply;
}
