import type { Fault } from '../fault';
import { Texts } from '../../enum/texts';

const page = 'ibv_event_type_str';

/** Planted faults of the rules of ibv_event_type_str(3), ibv_node_type_str(3), ibv_port_state_str(3). */
export const faults: Readonly<Record<string, Fault>> = {
  'newest-event-type-unknown': {
    rules: [`${page}.event-type-str`],
    effect: 'the last event type of the header is called unknown',
    parts: {
      Texts: class extends Texts {
        override ofEventType(value: string): string {
          return value === 'IBV_EVENT_WQ_FATAL' ? 'unknown' : super.ofEventType(value);
        }
      },
    },
  },
  'node-types-alike': {
    rules: [`${page}.node-type-str`],
    effect: 'two node types have one text',
    parts: {
      Texts: class extends Texts {
        override ofNodeType(value: string): string {
          return super.ofNodeType(value === 'IBV_NODE_ROUTER' ? 'IBV_NODE_SWITCH' : value);
        }
      },
    },
  },
  'port-state-empty': {
    rules: [`${page}.port-state-str`],
    effect: 'the last port state has an empty text',
    parts: {
      Texts: class extends Texts {
        override ofPortState(value: string): string {
          return value === 'IBV_PORT_ACTIVE_DEFER' ? '' : super.ofPortState(value);
        }
      },
    },
  },
  'event-types-alike': {
    rules: [`${page}.event-type-str`],
    effect: 'two event types have one text',
    parts: {
      Texts: class extends Texts {
        override ofEventType(value: string): string {
          return super.ofEventType(value === 'IBV_EVENT_PATH_MIG_ERR' ? 'IBV_EVENT_PATH_MIG' : value);
        }
      },
    },
  },
  'unspecified-node-type-empty': {
    rules: [`${page}.node-type-str`],
    effect: 'the last node type has an empty text',
    parts: {
      Texts: class extends Texts {
        override ofNodeType(value: string): string {
          return value === 'IBV_NODE_UNSPECIFIED' ? '' : super.ofNodeType(value);
        }
      },
    },
  },
  'port-states-alike': {
    rules: [`${page}.port-state-str`],
    effect: 'two port states have one text',
    parts: {
      Texts: class extends Texts {
        override ofPortState(value: string): string {
          return super.ofPortState(value === 'IBV_PORT_ARMED' ? 'IBV_PORT_INIT' : value);
        }
      },
    },
  },
  'texts-numbered': {
    rules: [`${page}.constant-string`],
    effect: 'a text is another at each call',
    parts: {
      /** Each text tells how many were made. */
      Texts: class extends Texts {
        #made = 0;

        override ofEventType(value: string): string {
          return this.#numbered(super.ofEventType(value));
        }

        override ofNodeType(value: string): string {
          return this.#numbered(super.ofNodeType(value));
        }

        override ofPortState(value: string): string {
          return this.#numbered(super.ofPortState(value));
        }

        #numbered(text: string): string {
          this.#made += 1;
          return `${text} (${this.#made})`;
        }
      },
    },
  },
  'texts-overwritten': {
    rules: [`${page}.constant-string`],
    effect: 'all texts are put into one buffer',
    parts: {
      Texts: class extends Texts {
        override addressOf(): bigint {
          return super.addressOf('');
        }
      },
    },
  },
};
