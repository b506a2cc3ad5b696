import type { TraceStruct } from '../../contract';
import { SimBackend } from '../../sim/backend';
import { soundParts, type Parts } from '../../sim/device/device';
import type { VerbName } from '../../verbs';
import type { SeeCell, Situation } from '../coverage/cell';
import { observed, type Observing } from '../coverage/observed';

/** What a generator may know of a CQ. */
export interface CqView {
  readonly backlog: number;
  readonly isOverrun: boolean;
  readonly isArmed: boolean;
  /** Entries that it has room for. */
  readonly size: number;
}

const parts: Parts = {
  ...soundParts,
  Cq: class extends soundParts.Cq implements CqView {
    get backlog(): number {
      return this.cqes.length;
    }

    get isOverrun(): boolean {
      return this.overrun;
    }

    get isArmed(): boolean {
      return this.request !== undefined;
    }

    get size(): number {
      return this.capacity;
    }
  },
  CompChannel: class extends soundParts.CompChannel {
    get queued(): number {
      return this.events.length;
    }

    get queuedCqs(): number {
      return new Set(this.events).size;
    }
  },
  AsyncEvents: class extends soundParts.AsyncEvents {
    get next(): string | undefined {
      return this.events[0]?.eventType;
    }

    /** None where one of these is among them: a get of one that is not there would wait. */
    queuedWithout(optional: ReadonlySet<string>): number {
      return this.events.some(({ eventType }) => optional.has(eventType)) ? 0 : this.events.length;
    }
  },
};

interface Queued {
  readonly next: string | undefined;
  queuedWithout(optional: ReadonlySet<string>): number;
}

/** The sound simulator, into which a generator may look. */
export class PeekBackend extends SimBackend {
  /** @param see - hears which cells a program is in */
  constructor(see?: SeeCell) {
    super(see === undefined ? parts : observed(parts, see));
  }

  /** In which situation a call would be, for a backend whose cells somebody hears of. */
  situationOf(verb: VerbName, args: TraceStruct): Situation | undefined {
    const verbs = this.node.verbs as Partial<Observing>;
    return verbs.situationOf?.(verb, args);
  }

  isLiving(handle: string): boolean {
    return this.node.handles.find(handle) !== undefined;
  }

  cq(handle: string): CqView {
    return this.node.handles.get(handle, ['cq']) as unknown as CqView;
  }

  /** Receives that a QP has posted and not used, or that its SRQ has. */
  receives(qp: string): number {
    return (this.node.handles.get(qp, ['qp']) as unknown as { receives: { length: number } }).receives.length;
  }

  /** Whether a QP has come to IBV_QPS_ERR, by itself or not. */
  hasFailed(qp: string): boolean {
    const { state } = this.node.handles.get(qp, ['qp']) as unknown as { readonly state: string };
    return state === 'IBV_QPS_ERR';
  }

  /** Events that wait in a completion channel. */
  events(channel: string): number {
    return (this.node.handles.get(channel, ['channel']) as unknown as { queued: number }).queued;
  }

  /** Of how many CQs events wait in a completion channel. */
  cqsWithEvents(channel: string): number {
    return (this.node.handles.get(channel, ['channel']) as unknown as { queuedCqs: number }).queuedCqs;
  }

  /** The type of the asynchronous event that is taken next. */
  nextAsyncEvent(context: string): string | undefined {
    const found = this.node.handles.get(context, ['context']) as unknown as { asyncEvents: Queued };
    return found.asyncEvents.next;
  }

  /** Asynchronous events that wait in a context, unless one of them is among those that a device need not raise. */
  asyncEvents(context: string, optional: ReadonlySet<string>): number {
    const found = this.node.handles.get(context, ['context']) as unknown as { asyncEvents: Queued };
    return found.asyncEvents.queuedWithout(optional);
  }

  /** How many objects have not ended. */
  get living(): number {
    return this.node.handles.list().length;
  }

  /** Whether nothing is on its way. */
  get isQuiet(): boolean {
    return this.node.device.clock.pending === 0;
  }
}
