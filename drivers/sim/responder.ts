import type { RecvWr } from '../contract';
import type { QpEventType } from './async-events';
import type { WcStatus } from './completions';
import type { RemoteAccess } from './memory';
import type { MemoryWindow } from './memory-window';
import { ack, silence, type Answer, type Message, type Nak } from './message';
import type { Qp } from './qp';
import { rnrWaitUs } from './qp-timers';
import { isAtomic, isWrite, lengthOf, operations, type SendRequest } from './work-request';

/** Bytes that an atomic operation changes; they lie at a multiple of that. */
const atomicBytes = 8;

/** The half of a QP that takes what its peer sends. */
export class Responder {
  #established = false;

  constructor(protected readonly qp: Qp) {}

  reset(): void {
    this.#established = false;
  }

  receive(message: Message): Answer {
    if (!this.#hears(message)) return silence;
    this.#establish();
    if (isAtomic(message.wr)) return this.#change(message);
    if (message.wr.opcode === 'IBV_WR_RDMA_READ') return this.#read(message);
    return isWrite(message.wr) ? this.#write(message) : this.#takeReceive(message);
  }

  #hears({ qkey }: Message): boolean {
    const { state, attr, isUd } = this.qp;
    const listens = ['IBV_QPS_RTR', 'IBV_QPS_RTS', 'IBV_QPS_SQD', 'IBV_QPS_SQE'].includes(state);
    return listens && (!isUd || qkey === attr.qkey);
  }

  #establish(): void {
    if (this.#established || this.qp.isUd) return;
    this.#established = true;
    if (this.qp.state === 'IBV_QPS_RTR') this.communicationEstablished();
  }

  /** Rules ibv_get_async_event.event-comm-est, .element-qp. */
  protected communicationEstablished(): void {
    this.qp.raise('IBV_EVENT_COMM_EST');
  }

  #write(message: Message): Answer {
    const target = this.#reached(message, 'IBV_ACCESS_REMOTE_WRITE', message.payload.length);
    if (!Buffer.isBuffer(target)) return target;
    if (!operations[message.wr.opcode].takesReceive) {
      message.payload.copy(target);
      return ack;
    }
    const wr = this.qp.receives.take();
    if (wr === undefined) return this.#notReady();
    message.payload.copy(target);
    this.qp.completeReceive(wr, message);
    return ack;
  }

  #read(message: Message): Answer {
    const source = this.#reached(message, 'IBV_ACCESS_REMOTE_READ', lengthOf(message.wr.sgList));
    return Buffer.isBuffer(source) ? { kind: 'ack', data: Buffer.from(source) } : source;
  }

  /** An atomic operation on 64 bits; the answer is what was there before. */
  #change(message: Message): Answer {
    const target = this.#reached(message, 'IBV_ACCESS_REMOTE_ATOMIC', atomicBytes);
    if (!Buffer.isBuffer(target)) return target;
    const data = Buffer.from(target);
    target.writeBigUInt64LE(changed(message.wr, target.readBigUInt64LE()));
    return { kind: 'ack', data };
  }

  /** The memory that a message names, or the answer if it may not be touched. */
  #reached({ wr }: Message, access: RemoteAccess, length: number): Buffer | Answer {
    const { remoteAddr = 0n, rkey = 0 } = (isAtomic(wr) ? wr.atomic : wr.rdma) ?? {};
    if (!this.#allows(access) || (isAtomic(wr) && remoteAddr % BigInt(atomicBytes) !== 0n)) {
      return this.#refuse('invalid-request', 'IBV_EVENT_QP_REQ_ERR');
    }
    const bytes = this.qp.device.memory.remote(this.qp, rkey, remoteAddr, length, access);
    return bytes ?? this.#refuse('access-error', 'IBV_EVENT_QP_ACCESS_ERR');
  }

  /** Whether the QP lets its peer do this at all. */
  #allows(access: RemoteAccess): boolean {
    const { qpAccessFlags = [], maxDestRdAtomic = 0 } = this.qp.attr;
    return qpAccessFlags.includes(access) && (access === 'IBV_ACCESS_REMOTE_WRITE' || maxDestRdAtomic > 0);
  }

  /** A message that takes no receive is refused; an unreliable QP drops it and nobody hears of it. */
  #refuse(nak: Nak, eventType: QpEventType): Answer {
    if (!this.qp.isReliable) return silence;
    this.violated(eventType);
    this.qp.enterError();
    return { kind: nak };
  }

  /** Rules ibv_get_async_event.event-qp-access-err, .event-qp-req-err, .element-qp. */
  protected violated(eventType: QpEventType): void {
    this.qp.raise(eventType);
  }

  #takeReceive(message: Message): Answer {
    const window = this.#invalidated(message.wr);
    if (window === 'unknown') return this.#refuse('access-error', 'IBV_EVENT_QP_ACCESS_ERR');
    const wr = this.qp.receives.first;
    if (wr === undefined) return this.#notReady();
    const bytes = Buffer.concat([message.grh, message.payload]);
    if (lengthOf(wr.sgList) < bytes.length) return this.#fail('IBV_WC_LOC_LEN_ERR', 'invalid-request');
    if (!this.#scatter(wr, bytes)) return this.#fail('IBV_WC_LOC_PROT_ERR', 'operation-error');
    this.qp.receives.take();
    window?.unbind();
    this.qp.completeReceive(wr, message);
    return ack;
  }

  /** The window whose R_Key a message invalidates, if it does. */
  #invalidated({ opcode, invalidateRkey = 0 }: SendRequest): MemoryWindow | 'unknown' | undefined {
    if (opcode !== 'IBV_WR_SEND_WITH_INV') return undefined;
    return this.qp.device.memory.boundWindow(this.qp, invalidateRkey) ?? 'unknown';
  }

  /** A reliable QP tells its peer; an unreliable one drops what it has no receive for. */
  #notReady(): Answer {
    const { attr, receives } = this.qp;
    const whenPosted = (wake: () => void): void => {
      receives.whenPosted(wake);
    };
    return { kind: 'rnr', waitUs: rnrWaitUs(attr.minRnrTimer ?? 0), whenPosted };
  }

  /** @returns whether the QP may write all that the receive names */
  #scatter({ sgList }: RecvWr, bytes: Buffer): boolean {
    const { device, pd } = this.qp;
    let rest = bytes;
    for (const sge of sgList) {
      const target = device.memory.local(pd, sge, 'IBV_ACCESS_LOCAL_WRITE');
      if (target === undefined) return false;
      rest = rest.subarray(rest.copy(target));
    }
    return true;
  }

  /** A receive cannot hold its message. An unreliable QP drops a message that is too long and keeps the receive. */
  #fail(status: WcStatus, nak: Nak): Answer {
    if (!this.qp.isReliable && status === 'IBV_WC_LOC_LEN_ERR') return silence;
    const wr = this.qp.receives.take();
    if (wr !== undefined) this.qp.failReceive(wr, status);
    this.qp.enterError();
    return { kind: nak };
  }
}

function changed({ opcode, atomic }: SendRequest, before: bigint): bigint {
  const { compareAdd = 0n, swap = 0n } = atomic ?? {};
  if (opcode === 'IBV_WR_ATOMIC_FETCH_AND_ADD') return BigInt.asUintN(64, before + compareAdd);
  return before === compareAdd ? swap : before;
}
