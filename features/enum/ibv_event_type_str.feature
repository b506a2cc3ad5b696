@ibv_event_type_str
Feature: ibv_event_type_str(3), ibv_node_type_str(3), ibv_port_state_str(3) - texts for enumerators

  The page leaves the wording of the texts to libibverbs, and says nothing of numbers that are no enumerators. A text
  describes its enumerator if it is not empty, is that of no other enumerator, and does not call it unknown.

  @ibv_event_type_str.event-type-str
  Rule: Each event type has a text that describes it

    Scenario: Every event type of the header is told from the others
      Then ibv_event_type_str describes each of these values:
        | IBV_EVENT_CQ_ERR               |
        | IBV_EVENT_QP_FATAL             |
        | IBV_EVENT_QP_REQ_ERR           |
        | IBV_EVENT_QP_ACCESS_ERR        |
        | IBV_EVENT_COMM_EST             |
        | IBV_EVENT_SQ_DRAINED           |
        | IBV_EVENT_PATH_MIG             |
        | IBV_EVENT_PATH_MIG_ERR         |
        | IBV_EVENT_DEVICE_FATAL         |
        | IBV_EVENT_PORT_ACTIVE          |
        | IBV_EVENT_PORT_ERR             |
        | IBV_EVENT_LID_CHANGE           |
        | IBV_EVENT_PKEY_CHANGE          |
        | IBV_EVENT_SM_CHANGE            |
        | IBV_EVENT_SRQ_ERR              |
        | IBV_EVENT_SRQ_LIMIT_REACHED    |
        | IBV_EVENT_QP_LAST_WQE_REACHED  |
        | IBV_EVENT_CLIENT_REREGISTER    |
        | IBV_EVENT_GID_CHANGE           |
        | IBV_EVENT_WQ_FATAL             |
      And ibv_event_type_str gave no two texts that are the same

  @ibv_event_type_str.node-type-str
  Rule: Each node type has a text that describes it

    Scenario: Every node type of the header is told from the others
      Then ibv_node_type_str describes each of these values:
        | IBV_NODE_UNKNOWN     |
        | IBV_NODE_CA          |
        | IBV_NODE_SWITCH      |
        | IBV_NODE_ROUTER      |
        | IBV_NODE_RNIC        |
        | IBV_NODE_USNIC       |
        | IBV_NODE_USNIC_UDP   |
        | IBV_NODE_UNSPECIFIED |
      And ibv_node_type_str gave no two texts that are the same

  @ibv_event_type_str.port-state-str
  Rule: Each port state has a text that describes it

    Scenario: Every port state of the header is told from the others
      Then ibv_port_state_str describes each of these values:
        | IBV_PORT_NOP          |
        | IBV_PORT_DOWN         |
        | IBV_PORT_INIT         |
        | IBV_PORT_ARMED        |
        | IBV_PORT_ACTIVE       |
        | IBV_PORT_ACTIVE_DEFER |
      And ibv_port_state_str gave no two texts that are the same

  @ibv_event_type_str.constant-string
  Rule: The text of an enumerator is a constant, which no later call changes

    That it always stands at one address the page does not say.

    Scenario: The texts of event types stay as they are
      Then ibv_event_type_str gives the same texts again for these values:
        | IBV_EVENT_CQ_ERR     |
        | IBV_EVENT_QP_FATAL   |
        | IBV_EVENT_GID_CHANGE |

    Scenario: The texts of node types stay as they are
      Then ibv_node_type_str gives the same texts again for these values:
        | IBV_NODE_CA     |
        | IBV_NODE_SWITCH |
        | IBV_NODE_ROUTER |

    Scenario: The texts of port states stay as they are
      Then ibv_port_state_str gives the same texts again for these values:
        | IBV_PORT_DOWN   |
        | IBV_PORT_INIT   |
        | IBV_PORT_ACTIVE |
