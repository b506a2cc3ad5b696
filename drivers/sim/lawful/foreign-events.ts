import type { TraceStruct } from '../../contract';
import type { VerbName } from '../../verbs';
import { AsyncEvent, type AsyncEventType } from '../async/async-events';
import type { Context } from '../device/context';
import type { Parts } from '../device/device';
import type { Success } from '../return-values';
import type { Variant, Variants } from './variant';

const because = 'events of ports come when something happens outside of the program';
const uses = ['ibv_get_async_event'];

/** Events of the port that come at the calls of some C functions. */
function at(does: string, eventType: AsyncEventType, isMeant: (verb: VerbName) => boolean, count = 1): Variant {
  return {
    does,
    because,
    uses,
    parts: (of: Parts) => ({
      Verbs: class extends of.Verbs {
        override call(name: VerbName, args: TraceStruct): Success | Promise<Success> {
          if (isMeant(name)) for (let n = 0; n < count; n += 1) this.model.device.portChanged(eventType);
          return super.call(name, args);
        }
      },
    }),
  };
}

export const variants: Variants = {
  'port-event-when-a-context-opens': {
    does: 'a context has an event of its port from the beginning',
    because,
    uses,
    parts: (of) => ({
      Device: class extends of.Device {
        override open(): Context {
          const context = super.open();
          context.raise('IBV_EVENT_CLIENT_REREGISTER', this.port.portNum);
          return context;
        }
      },
    }),
  },
  'port-event-at-each-post': at(
    'the GID table of the port changes whenever sends are posted',
    'IBV_EVENT_GID_CHANGE',
    (verb) => verb === 'ibv_post_send',
  ),
  'many-port-events-at-each-post': at(
    'eight entries of the GID table of the port change whenever sends are posted',
    'IBV_EVENT_GID_CHANGE',
    (verb) => verb === 'ibv_post_send',
    8,
  ),
  'port-event-when-one-is-waited-for': {
    does: 'an event of the port comes when a program first waits for one',
    because,
    uses,
    parts: (of) => ({
      AsyncEvents: class extends of.AsyncEvents {
        #isWaitedFor = false;

        override beginGet(): void {
          if (!this.#isWaitedFor && !this.readable) this.add(new AsyncEvent('IBV_EVENT_GID_CHANGE', 1));
          this.#isWaitedFor = true;
          super.beginGet();
        }
      },
    }),
  },
  'other-port-goes-down-and-up': {
    does: 'the second of two ports goes down and comes up, whenever a program first waits for an event',
    because,
    uses,
    parts: (of) => ({
      Device: class extends of.Device {
        override get attr(): TraceStruct {
          return { ...super.attr, physPortCnt: 2 };
        }
      },
      AsyncEvents: class extends of.AsyncEvents {
        #isWaitedFor = false;

        override beginGet(): void {
          if (!this.#isWaitedFor && !this.readable) {
            this.add(new AsyncEvent('IBV_EVENT_PORT_ERR', 2));
            this.add(new AsyncEvent('IBV_EVENT_PORT_ACTIVE', 2));
          }
          this.#isWaitedFor = true;
          super.beginGet();
        }
      },
    }),
  },
  'link-changes-tell-more': {
    does: 'with the link of the port its GID table changes, and the program is to register anew',
    because,
    uses,
    parts: (of) => ({
      Device: class extends of.Device {
        override portChanged(eventType: AsyncEventType): void {
          super.portChanged('IBV_EVENT_GID_CHANGE');
          super.portChanged(eventType);
          super.portChanged('IBV_EVENT_CLIENT_REREGISTER');
        }
      },
    }),
  },
  'qp-fatal-beside-cq-err': {
    does: 'the QPs of a CQ that was overrun go to the error state and raise IBV_EVENT_QP_FATAL',
    because: 'a QP whose work cannot complete has failed; mlx5 says so',
    uses,
    parts: (of) => ({
      Cq: class extends of.Cq {
        protected override fail(): void {
          super.fail();
          for (const qp of this.context.device.qpsOf(this)) {
            if (qp.state === 'IBV_QPS_RESET') continue;
            qp.enterError();
            qp.raise('IBV_EVENT_QP_FATAL');
          }
        }
      },
    }),
  },
};
