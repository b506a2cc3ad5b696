import type { RecvWr } from '../../contract';
import type { WcStatus } from '../cq/completions';
import type { RemoteAccess } from '../mr/memory';
import { ack, silence, type Answer, type Message, type Nak } from './message';
import type { Qp } from './qp';
import { joined, spread } from '../network/segments';
import { hasImmediate, isAtomic, isWrite, lengthOf, type Headers } from './work-request';

/** Bytes that an atomic operation changes. */
const atomicBytes = 8;

/** States in which a QP takes no message. */
const deaf: ReadonlySet<string> = new Set(['IBV_QPS_RESET', 'IBV_QPS_INIT', 'IBV_QPS_ERR']);

/** The half of a QP that takes what its peer sends. */
export class Responder {
  #hasTaken = false;

  constructor(protected readonly qp: Qp) {}

  /** Whether the QP neither takes nor answers anything. */
  get isDeaf(): boolean {
    return deaf.has(this.qp.state);
  }

  /** The QP has become ready to receive: its next message is the first one. */
  begin(): void {
    this.#hasTaken = false;
  }

  receive(message: Message): Answer {
    const { state } = this.qp;
    if (this.isDeaf || this.ignores(message)) return silence;
    if (state === 'IBV_QPS_RTR' && !this.#hasTaken) this.communicationEstablished();
    this.#hasTaken = true;
    if (isAtomic(message.wr)) return this.#change(message);
    if (message.wr.opcode === 'IBV_WR_RDMA_READ') return this.#read(message);
    return isWrite(message.wr) ? this.#write(message) : this.#takeReceive(message);
  }

  /** A QP drops datagrams that were sent with another Q_Key than its own. */
  protected ignores({ wr }: Message): boolean {
    return this.qp.isUd && wr.qkey !== this.qp.attr.qkey;
  }

  /** Rules ibv_get_async_event.event-comm-est, .element-qp. */
  protected communicationEstablished(): void {
    this.qp.raise('IBV_EVENT_COMM_EST');
  }

  #write(message: Message): Answer {
    const target = this.#reached(message, 'IBV_ACCESS_REMOTE_WRITE', message.payload.length);
    if (!(target instanceof Uint8Array)) return target;
    if (!hasImmediate(message.wr)) {
      spread(message.payload, [target]);
      return ack;
    }
    const wr = this.qp.receives.take();
    if (wr === undefined) return this.#notReady();
    spread(message.payload, [target]);
    this.qp.completeReceive(wr, message);
    return ack;
  }

  #read(message: Message): Answer {
    const source = this.#reached(message, 'IBV_ACCESS_REMOTE_READ', message.wr.length);
    return source instanceof Uint8Array ? { kind: 'ack', data: new Uint8Array(source) } : source;
  }

  /** An atomic operation on 64 bits; the answer is what was there before. */
  #change(message: Message): Answer {
    const target = this.#reached(message, 'IBV_ACCESS_REMOTE_ATOMIC', atomicBytes);
    if (!(target instanceof Uint8Array)) return target;
    const data = new Uint8Array(target);
    const value = new DataView(target.buffer, target.byteOffset, atomicBytes);
    value.setBigUint64(0, changed(message.wr, value.getBigUint64(0, true)), true);
    return { kind: 'ack', data };
  }

  /** The memory that a message names, or the answer if it may not be touched. */
  #reached({ wr }: Message, access: RemoteAccess, length: number): Uint8Array | Answer {
    if (!this.lets(access)) return this.refuseOperation();
    const { remoteAddr = 0n, rkey = 0 } = (isAtomic(wr) ? wr.atomic : wr.rdma) ?? {};
    const bytes = this.qp.device.memory.remote(this.qp, rkey, remoteAddr, length, access);
    return bytes ?? this.refuse();
  }

  /** Whether the QP lets its peer do this: qp_access_flags of ibv_modify_qp(3). */
  protected lets(access: RemoteAccess): boolean {
    return this.qp.attr.qpAccessFlags?.includes(access) === true;
  }

  /** A message asks for what the QP does not let its peer do. */
  protected refuseOperation(): Answer {
    return this.refuse();
  }

  /** A message names memory that it may not touch. */
  protected refuse(): Answer {
    this.violated();
    this.qp.enterError();
    return { kind: 'access-error' };
  }

  /** Rules ibv_get_async_event.event-qp-access-err, .element-qp. */
  protected violated(): void {
    this.qp.raise('IBV_EVENT_QP_ACCESS_ERR');
  }

  #takeReceive(message: Message): Answer {
    const wr = this.qp.receives.first;
    if (wr === undefined) return this.#notReady();
    const bytes = joined([message.grh, message.payload]);
    if (lengthOf(wr.sgList) < bytes.length) return this.tooLong(bytes.length, this.qp.isReliable);
    if (!this.#scatter(wr, bytes)) return this.fail('IBV_WC_LOC_PROT_ERR', 'operation-error');
    this.qp.receives.take();
    this.qp.device.memory.boundWindow(this.qp, message.wr.invalidateRkey)?.unbind();
    this.qp.completeReceive(wr, message);
    return ack;
  }

  /** A reliable QP answers its peer; an unreliable one drops what it has no receive for. */
  #notReady(): Answer {
    const { receives, attr } = this.qp;
    return { kind: 'rnr', timer: attr.minRnrTimer ?? 0, whenPosted: receives.whenPosted };
  }

  /** @returns whether the QP may write all that the receive names */
  #scatter({ sgList }: RecvWr, bytes: Uint8Array): boolean {
    const { device, pd } = this.qp;
    const targets = sgList.map((sge) => device.memory.local(pd, sge, 'IBV_ACCESS_LOCAL_WRITE'));
    if (!targets.every((target) => target !== undefined)) return false;
    spread(bytes, targets);
    return true;
  }

  /** A receive is too short for its message. */
  protected tooLong(_length: number, isReliable: boolean): Answer {
    return isReliable ? this.fail('IBV_WC_LOC_LEN_ERR', 'invalid-request') : silence;
  }

  /** A receive cannot hold its message. */
  protected fail(status: WcStatus, nak: Nak): Answer {
    const wr = this.qp.receives.take();
    if (wr !== undefined) this.qp.failReceive(wr, status);
    this.qp.enterError();
    return { kind: nak };
  }
}

function changed({ opcode, atomic }: Headers, before: bigint): bigint {
  const { compareAdd = 0n, swap = 0n } = atomic ?? {};
  if (opcode === 'IBV_WR_ATOMIC_FETCH_AND_ADD') return BigInt.asUintN(64, before + compareAdd);
  return before === compareAdd ? swap : before;
}
