import { AsyncEvents, type AsyncEvent, type AsyncEventType } from '../../async/async-events';
import { Cq, type Cqe } from '../../cq/cq';
import { Device } from '../../device/device';
import type { Answer, Message } from '../../qp/message';
import { Qp } from '../../qp/qp';
import { Responder } from '../../qp/responder';
import { Srq } from '../../srq/srq';
import type { Fault } from '../fault';

const page = 'ibv_get_async_event';

/** An SRQ of which receives can be taken without an event. */
class SilentSrq extends Srq {
  protected isSilent = false;

  silently<T>(run: () => T): T {
    this.isSilent = true;
    try {
      return run();
    } finally {
      this.isSilent = false;
    }
  }

  protected override reachLimit(): void {
    if (!this.isSilent) super.reachLimit();
  }
}

/** Asynchronous events that come once, of the first object, or for the first kind of work only. */
export const faults: Readonly<Record<string, Fault>> = {
  'events-of-one-type-merge': {
    rules: [`${page}.element-cq`],
    effect: 'no event is added while one of its type waits',
    parts: {
      AsyncEvents: class extends AsyncEvents {
        override add(event: AsyncEvent): void {
          if (!this.events.some(({ eventType }) => eventType === event.eventType)) super.add(event);
        }
      },
    },
  },
  'receives-overrun-in-silence': {
    rules: [`${page}.event-cq-err`],
    effect: 'a CQ that receives overrun raises no event',
    parts: {
      Cq: class extends Cq {
        protected override overflow(cqe: Cqe): void {
          if (cqe.queue === 'receive' && this.init.ignoreOverrun !== true) this.overrun = true;
          else super.overflow(cqe);
        }
      },
    },
  },
  'srq-limit-raises-once': {
    rules: [`${page}.event-srq-limit`],
    effect: 'a limit that is set again raises no event',
    parts: {
      Srq: class extends Srq {
        #hasRaised = false;

        protected override reachLimit(): void {
          if (this.#hasRaised) this.limit = 0;
          else super.reachLimit();
          this.#hasRaised = true;
        }
      },
    },
  },
  'srq-limit-leaves-out-writes': {
    rules: [`${page}.event-srq-limit`],
    effect: 'RDMA writes with immediate take receives of an SRQ without an event',
    parts: {
      Srq: SilentSrq,
      Responder: class extends Responder {
        override receive(message: Message): Answer {
          const { srq } = this.qp.init;
          const isWrite = message.wr.opcode === 'IBV_WR_RDMA_WRITE_WITH_IMM';
          if (isWrite && srq instanceof SilentSrq) return srq.silently(() => super.receive(message));
          return super.receive(message);
        }
      },
    },
  },
  'last-wqe-once-per-srq': {
    rules: [`${page}.event-last-wqe`],
    effect: 'of the QPs of an SRQ only the first raises IBV_EVENT_QP_LAST_WQE_REACHED',
    parts: {
      Srq: class extends Srq {
        hasRaised = false;
      },
      Qp: class extends Qp {
        protected override reachLastWqe(): void {
          const srq = this.init.srq as (Srq & { hasRaised?: boolean }) | undefined;
          if (srq?.hasRaised === true) return;
          if (srq !== undefined) srq.hasRaised = true;
          super.reachLastWqe();
        }
      },
    },
  },
  'port-err-once': {
    rules: [`${page}.event-port-err`],
    effect: 'a port whose link goes away a second time raises no event',
    parts: {
      Device: class extends Device {
        #hasRaised = false;

        override portChanged(eventType: AsyncEventType): void {
          if (eventType === 'IBV_EVENT_PORT_ERR' && this.#hasRaised) return;
          this.#hasRaised ||= eventType === 'IBV_EVENT_PORT_ERR';
          super.portChanged(eventType);
        }
      },
    },
  },
};
