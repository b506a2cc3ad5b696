type Table = Readonly<Record<string, string>>;

const eventTypes: Table = {
  IBV_EVENT_CQ_ERR: 'completion queue in error',
  IBV_EVENT_QP_FATAL: 'queue pair failed fatally',
  IBV_EVENT_QP_REQ_ERR: 'queue pair got an invalid request',
  IBV_EVENT_QP_ACCESS_ERR: 'queue pair got a forbidden access',
  IBV_EVENT_COMM_EST: 'communication established',
  IBV_EVENT_SQ_DRAINED: 'send queue drained',
  IBV_EVENT_PATH_MIG: 'path migrated',
  IBV_EVENT_PATH_MIG_ERR: 'path migration failed',
  IBV_EVENT_DEVICE_FATAL: 'device failed fatally',
  IBV_EVENT_PORT_ACTIVE: 'port became active',
  IBV_EVENT_PORT_ERR: 'port became unavailable',
  IBV_EVENT_LID_CHANGE: 'LID of the port changed',
  IBV_EVENT_PKEY_CHANGE: 'P_Key table of the port changed',
  IBV_EVENT_SM_CHANGE: 'subnet manager of the port changed',
  IBV_EVENT_SRQ_ERR: 'shared receive queue in error',
  IBV_EVENT_SRQ_LIMIT_REACHED: 'shared receive queue below its limit',
  IBV_EVENT_QP_LAST_WQE_REACHED: 'last receive of the queue pair reached',
  IBV_EVENT_CLIENT_REREGISTER: 'clients of the port have to register again',
  IBV_EVENT_GID_CHANGE: 'GID table of the port changed',
  IBV_EVENT_WQ_FATAL: 'work queue failed fatally',
};

const nodeTypes: Table = {
  IBV_NODE_UNKNOWN: 'node of unknown type',
  IBV_NODE_CA: 'InfiniBand channel adapter',
  IBV_NODE_SWITCH: 'InfiniBand switch',
  IBV_NODE_ROUTER: 'InfiniBand router',
  IBV_NODE_RNIC: 'iWARP NIC',
  IBV_NODE_USNIC: 'usNIC',
  IBV_NODE_USNIC_UDP: 'usNIC over UDP',
  IBV_NODE_UNSPECIFIED: 'node of unspecified type',
};

const portStates: Table = {
  IBV_PORT_NOP: 'port state unchanged',
  IBV_PORT_DOWN: 'port down',
  IBV_PORT_INIT: 'port initialized',
  IBV_PORT_ARMED: 'port armed',
  IBV_PORT_ACTIVE: 'port active',
  IBV_PORT_ACTIVE_DEFER: 'port active, deferred',
};

function textOf(table: Table, value: string): string {
  return table[value] ?? 'unknown';
}

/** Where the first text stands; the others follow, each at an address of its own. */
const firstAddress = 0x5000_0000n;
const addressStep = 0x40n;

/** The texts for enumerators: ibv_event_type_str(3). */
export class Texts {
  readonly #addresses = new Map<string, bigint>();

  /** Rule ibv_event_type_str.event-type-str. */
  ofEventType(value: string): string {
    return textOf(eventTypes, value);
  }

  /** Rule ibv_event_type_str.node-type-str. */
  ofNodeType(value: string): string {
    return textOf(nodeTypes, value);
  }

  /** Rule ibv_event_type_str.port-state-str. */
  ofPortState(value: string): string {
    return textOf(portStates, value);
  }

  /** Where a text stands. Rule ibv_event_type_str.constant-string: always at the same place. */
  addressOf(text: string): bigint {
    const known = this.#addresses.get(text);
    if (known !== undefined) return known;
    const address = firstAddress + BigInt(this.#addresses.size) * addressStep;
    this.#addresses.set(text, address);
    return address;
  }
}
