import type { RecvWr } from '../../../contract';
import type { WcStatus } from '../../cq/completions';
import type { Cqe } from '../../cq/cq';
import type { Parts } from '../../device/device';
import type { Message } from '../../qp/message';
import type { SendRequest } from '../../qp/work-request';
import {
  completedReceive,
  completedSend,
  count,
  failureKinds,
  successKinds,
  type Completed,
  type CompletionKind,
} from './completion-kinds';
import { registeredParts, Registry } from './registry';
import type { SystematicFault, Tell } from './systematic-fault';

/** What a faulty CQ can do with a completion. */
interface Delivering {
  /** As without the fault. */
  add(cqe: Cqe): void;
  /** The CQ makes an event of it, or none, whatever it was asked for. */
  addWith(cqe: Cqe, notifies: boolean): void;
  /** It counts as solicited, or does not. */
  addAs(cqe: Cqe, isSolicited: boolean): void;
  /** Adds another event. */
  fireAgain(): void;
  /** Another CQ of the scenario, if there is one. */
  readonly another: Delivering | undefined;
  readonly isArmed: boolean;
}

interface DeliveryOperator {
  readonly name: string;
  readonly piece: 'completion' | 'notification' | 'solicitation';
  deliver(cq: Delivering, cqe: Cqe, held: Cqe[]): void;
}

const operators: readonly DeliveryOperator[] = [
  { name: 'lost', piece: 'completion', deliver: () => undefined },
  {
    name: 'doubled',
    piece: 'completion',
    deliver: (cq, cqe) => {
      cq.add(cqe);
      cq.add(cqe);
    },
  },
  {
    name: 'given to another',
    piece: 'completion',
    deliver: (cq, cqe) => {
      (cq.another ?? cq).add(cqe);
    },
  },
  {
    name: 'after the next',
    piece: 'completion',
    deliver: (_cq, cqe, held) => {
      held.push(cqe);
    },
  },
  {
    name: 'lost',
    piece: 'notification',
    deliver: (cq, cqe) => {
      cq.addWith(cqe, false);
    },
  },
  {
    name: 'without a request',
    piece: 'notification',
    deliver: (cq, cqe) => {
      cq.addWith(cqe, true);
    },
  },
  {
    name: 'doubled',
    piece: 'notification',
    deliver: (cq, cqe) => {
      const wasArmed = cq.isArmed;
      cq.add(cqe);
      if (wasArmed) cq.fireAgain();
    },
  },
  {
    name: 'missing',
    piece: 'solicitation',
    deliver: (cq, cqe) => {
      cq.addAs(cqe, false);
    },
  },
  {
    name: 'out of nothing',
    piece: 'solicitation',
    deliver: (cq, cqe) => {
      cq.addAs(cqe, true);
    },
  },
];

/** A failure is solicited, and a successful send is not. */
function canGoWrong(kind: CompletionKind, { piece, name }: DeliveryOperator): boolean {
  if (piece !== 'solicitation') return true;
  return failureKinds.includes(kind) ? name === 'missing' : kind.name.includes('receive') || name !== 'missing';
}

/** Completions of one kind come in another way, or notify in another way. */
export function deliveryFaults(): readonly SystematicFault[] {
  return [...successKinds, ...failureKinds].flatMap((kind) =>
    operators
      .filter((operator) => canGoWrong(kind, operator))
      .map((operator) => ({
        name: `${kind.name} / ${operator.piece} / ${operator.name}`,
        piece: operator.piece,
        operator: operator.name,
        trigger: kind.name,
        mayBeIdle: false,
        parts: (tell) => partsWith(kind, operator, tell),
      })),
  );
}

function partsWith(kind: CompletionKind, operator: DeliveryOperator, tell: Tell): Parts {
  const registry = new Registry();
  const parts = registeredParts(registry);
  const completing = new Completing();
  const deliver = (cq: Delivering, cqe: Cqe, completed: Completed, held: Cqe[]): void => {
    if (kind.has(completed)) {
      tell();
      operator.deliver(cq, cqe, held);
    } else cq.add(cqe);
  };
  return { ...parts, Cq: deliveringCq(parts, registry, completing, deliver), Qp: tellingQp(parts, completing) };
}

/** What is being completed, from the QP that completes it to its CQ. */
class Completing {
  #now: Completed | undefined;

  begin(completed: Completed): void {
    this.#now = completed;
  }

  /** It is over with that. */
  take(): Completed | undefined {
    const now = this.#now;
    this.#now = undefined;
    return now;
  }
}

type Deliver = (cq: Delivering, cqe: Cqe, completed: Completed, held: Cqe[]) => void;

function deliveringCq(parts: Parts, registry: Registry, completing: Completing, deliver: Deliver): Parts['Cq'] {
  class DeliveringCq extends parts.Cq implements Delivering {
    #solicited: boolean | undefined;
    #notifies: boolean | undefined;
    /** What goes into the CQ after the next. */
    #held: Cqe[] = [];

    override add(cqe: Cqe): void {
      const completed = completing.take();
      if (completed === undefined) {
        super.add(cqe);
        return;
      }
      count(this);
      const late = this.#held;
      this.#held = [];
      deliver(this, cqe, completed, this.#held);
      for (const one of late) super.add(one);
    }

    addWith(cqe: Cqe, notifies: boolean): void {
      this.#notifies = notifies;
      super.add(cqe);
      this.#notifies = undefined;
    }

    addAs(cqe: Cqe, isSolicited: boolean): void {
      this.#solicited = isSolicited;
      super.add(cqe);
      this.#solicited = undefined;
    }

    fireAgain(): void {
      this.channel?.add(this);
    }

    get another(): Delivering | undefined {
      return registry.of('Cq').find((one): one is DeliveringCq => one !== this && one instanceof DeliveringCq);
    }

    get isArmed(): boolean {
      return this.request !== undefined;
    }

    protected override matchesRequest(cqe: Cqe): boolean {
      return this.#notifies ?? super.matchesRequest(cqe);
    }

    protected override isSolicited(cqe: Cqe): boolean {
      return this.#solicited ?? super.isSolicited(cqe);
    }
  }
  return DeliveringCq;
}

function tellingQp(parts: Parts, completing: Completing): Parts['Qp'] {
  return class extends parts.Qp {
    override completeSend(wr: SendRequest, status: WcStatus, byteLen?: number): void {
      completing.begin(completedSend(this, wr, status));
      super.completeSend(wr, status, byteLen);
    }

    override completeReceive(wr: RecvWr, message: Message): void {
      completing.begin(completedReceive(this, wr, 'IBV_WC_SUCCESS', message));
      super.completeReceive(wr, message);
    }

    override failReceive(wr: RecvWr, status: WcStatus): void {
      completing.begin(completedReceive(this, wr, status));
      super.failReceive(wr, status);
    }
  };
}
