import type { CqAttr, QpCap } from '../contract';
import { AsyncEvents } from './async-events';
import { Clock } from './clock';
import { CompChannel } from './comp-channel';
import { Cq } from './cq';
import { MemoryTable } from './memory';
import { Qp, type QpParts } from './qp';
import { demand } from './refusal';

/** Limits of the simulated device: ibv_query_device(3). */
const limits = { maxCqe: 65536, maxQpWr: 16384, maxSge: 32 } as const;

/** The classes that a device builds its objects from. A fault replaces one of them. */
export interface Parts {
  readonly Cq: typeof Cq;
  readonly CompChannel: typeof CompChannel;
}

export const soundParts: Parts = { Cq, CompChannel };

/** An opened device: ibv_open_device(3). */
export class Context {
  readonly asyncEvents = new AsyncEvents();
}

/** A device with one port, whose queue pairs reach each other in loopback. */
export class Device {
  readonly clock = new Clock();
  readonly memory = new MemoryTable();
  readonly numCompVectors = 1;
  readonly #qps = new Map<number, Qp>();
  #nextQpNum = 0x11;

  constructor(readonly parts: Parts) {}

  createCq(context: Context, attr: Required<CqAttr>, channel: CompChannel | undefined): Cq {
    demand(attr.cqe > 0 && attr.cqe <= limits.maxCqe, 'EINVAL');
    demand(attr.compVector >= 0 && attr.compVector < this.numCompVectors, 'EINVAL');
    return new this.parts.Cq(attr.cqe, attr.cqContext, context.asyncEvents, channel);
  }

  createQp(parts: QpParts): Qp {
    demand(withinLimits(parts.cap), 'EINVAL');
    const qp = new Qp(this, this.#nextQpNum, parts);
    this.#nextQpNum += 1;
    this.#qps.set(qp.qpNum, qp);
    return qp;
  }

  destroyQp(qp: Qp): void {
    qp.destroy();
    this.#qps.delete(qp.qpNum);
  }

  /** The QP at the other end: an RC pair names each other. */
  peerOf(qp: Qp): Qp | undefined {
    const peer = qp.destQpNum === undefined ? undefined : this.#qps.get(qp.destQpNum);
    return peer?.destQpNum === qp.qpNum ? peer : undefined;
  }
}

function withinLimits({ maxSendWr, maxRecvWr, maxSendSge, maxRecvSge }: QpCap): boolean {
  return Math.max(maxSendWr, maxRecvWr) <= limits.maxQpWr && Math.max(maxSendSge, maxRecvSge) <= limits.maxSge;
}
