import type { WcStatus } from '../cq/completions';
import {
  ack,
  globalRoutingHeader,
  noBytes,
  silence,
  type Answer,
  type Message,
  type Nak,
  type NoReceive,
} from './message';
import type { Qp } from './qp';
import { lengthOf, operations, type SendRequest } from './work-request';

/** How an attempt at a send WR ended: done with a status, or to be tried again. */
export type Attempt =
  | { readonly kind: 'done'; readonly status: WcStatus; readonly byteLen: number }
  | { readonly kind: 'none' }
  | NoReceive;

const statusOfNak: Readonly<Record<Nak, WcStatus>> = {
  'invalid-request': 'IBV_WC_REM_INV_REQ_ERR',
  'access-error': 'IBV_WC_REM_ACCESS_ERR',
  'operation-error': 'IBV_WC_REM_OP_ERR',
};

function done(status: WcStatus, byteLen = 0): Attempt {
  return { kind: 'done', status, byteLen };
}

/** Carries out send WRs of a QP: takes bytes out of memory, sends them, and puts answers into memory. */
export class Transmitter {
  constructor(protected readonly qp: Qp) {}

  /** @param inlineData - the bytes, if IBV_SEND_INLINE took them out of memory before */
  attempt(wr: SendRequest, inlineData: Buffer | undefined): Attempt {
    switch (operations[wr.opcode].data) {
      case 'sent':
        return this.#send(wr, inlineData ?? this.gathered(wr));
      case 'answered':
        return this.#ask(wr);
      case 'none':
        return done(this.performLocally(wr));
    }
  }

  /** The bytes of the scatter/gather list, or `undefined` if it names memory that the QP may not read. */
  protected gathered({ sgList }: SendRequest): Buffer | undefined {
    const { memory } = this.qp.device;
    const pieces = sgList.map((sge) => memory.local(this.qp.pd, sge));
    return pieces.every((piece) => piece !== undefined) ? Buffer.concat(pieces) : undefined;
  }

  #send(wr: SendRequest, payload: Buffer | undefined): Attempt {
    if (payload === undefined) return done('IBV_WC_LOC_PROT_ERR');
    return this.qp.isUd ? this.#sendDatagram(wr, payload) : this.#exchange(wr, payload, payload.length);
  }

  #sendDatagram(wr: SendRequest, payload: Buffer): Attempt {
    this.deliver({ wr, payload, srcQpNum: this.qp.qpNum, grh: globalRoutingHeader });
    return done('IBV_WC_SUCCESS', payload.length);
  }

  /** An RDMA read or an atomic operation, whose answer goes to local memory. */
  #ask(wr: SendRequest): Attempt {
    const { memory } = this.qp.device;
    const length = lengthOf(wr.sgList);
    const targets = wr.sgList.map((sge) => memory.local(this.qp.pd, sge, 'IBV_ACCESS_LOCAL_WRITE'));
    if (!targets.every((target) => target !== undefined)) return done('IBV_WC_LOC_PROT_ERR');
    return this.#exchange(wr, noBytes, length, (data) => {
      let rest = data;
      for (const target of targets) rest = rest.subarray(rest.copy(target));
    });
  }

  /** Sends a message of a connected QP. An unreliable one hears no answer: its message is done when it has left. */
  #exchange(wr: SendRequest, payload: Buffer, byteLen: number, store?: (data: Buffer) => void): Attempt {
    const heard = this.deliver({ wr, payload, srcQpNum: this.qp.qpNum, grh: noBytes });
    const answer = this.qp.isReliable ? heard : ack;
    switch (answer.kind) {
      case 'ack':
        store?.(answer.data);
        return done('IBV_WC_SUCCESS', byteLen);
      case 'rnr':
      case 'none':
        return answer;
      case 'invalid-request':
      case 'access-error':
      case 'operation-error':
        return done(statusOfNak[answer.kind]);
    }
  }

  protected deliver(message: Message): Answer {
    return this.qp.device.route(this.qp, message.wr)?.responder.receive(message) ?? silence;
  }

  /** IBV_WR_BIND_MW and IBV_WR_LOCAL_INV stay within the device. */
  protected performLocally({ bindMw, invalidateRkey }: SendRequest): WcStatus {
    if (bindMw === undefined) {
      this.qp.device.memory.boundWindow(this.qp, invalidateRkey)?.unbind();
      return 'IBV_WC_SUCCESS';
    }
    const { mw, rkey, ...shown } = bindMw;
    if (!shown.mr.access.has('IBV_ACCESS_MW_BIND')) return 'IBV_WC_MW_BIND_ERR';
    mw.bind({ qp: this.qp, ...shown }, rkey);
    return 'IBV_WC_SUCCESS';
  }
}
