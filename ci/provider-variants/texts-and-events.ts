import { callersOf } from '../provider-faults/fault';
import { asSimulated, type ProviderVariants } from './variant';

const texts = callersOf(['ibv_event_type_str', 'ibv_node_type_str', 'ibv_port_state_str']);
const asynchronous = callersOf(['ibv_get_async_event']);

/** The words for enumerators, and asynchronous events of the port that no scenario causes. */
export const textAndEventVariants: ProviderVariants = {
  ...asSimulated('texts-of-other-words', texts),
  ...asSimulated('texts-move', texts),
  ...asSimulated('port-event-when-a-context-opens', asynchronous),
  ...asSimulated('port-event-at-each-post', asynchronous),
  ...asSimulated('port-event-when-one-is-waited-for', asynchronous),
};
