import { nodeType, portState } from './device';
import { open, u64 } from './idl';
import { eventType } from './kinds';
import { verb } from './verb';

/** Where the text is, in the memory of the process that executes the verbs. */
const address = u64;

/** Texts for enumerators: ibv_event_type_str(3). */
export const enumVerbs = {
  /** ibv_event_type_str(3). */
  eventTypeStr: verb({
    c: 'ibv_event_type_str',
    page: 'ibv_event_type_str(3)',
    fails: 'null',
    returns: 'text',
    in: [{ eventType: open(eventType) }],
    out: { address },
  }),
  /** ibv_node_type_str(3). */
  nodeTypeStr: verb({
    c: 'ibv_node_type_str',
    page: 'ibv_event_type_str(3)',
    fails: 'null',
    returns: 'text',
    in: [{ nodeType: open(nodeType) }],
    out: { address },
  }),
  /** ibv_port_state_str(3). */
  portStateStr: verb({
    c: 'ibv_port_state_str',
    page: 'ibv_event_type_str(3)',
    fails: 'null',
    returns: 'text',
    in: [{ portState: open(portState) }],
    out: { address },
  }),
};
