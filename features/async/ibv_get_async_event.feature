@ibv_get_async_event
Feature: ibv_get_async_event(3), ibv_ack_async_event(3) - get and acknowledge asynchronous events

  An asynchronous event tells of what happened to a CQ, a QP, an SRQ, a port or the whole device. To get an event is to
  take it from the queue of its context; each one taken is owed an ack. A device may raise others in between; these
  scenarios look for those that they are about, and acknowledge the others.

  @ibv_get_async_event.waits-next
  @needs.srq @needs.connection
  Rule: A get gives the next event of its context

    Background:
      Given an SRQ "srq"
      And connected RC QPs:
        | QP       | SRQ |
        | sender   |     |
        | receiver | srq |
      And 4 receives posted on SRQ "srq"
      And the limit of SRQ "srq" is set to 2

    Scenario: An event that was there before
      Given QP "sender" has sent 3 unsolicited messages
      And an event waits on the asynchronous event queue
      When getting an asynchronous event begins
      Then getting an asynchronous event succeeds
      And the device has raised IBV_EVENT_SRQ_LIMIT_REACHED for SRQ "srq"

    Scenario: An event that comes while the get waits for it
      Given the asynchronous event queue has been emptied
      And getting an asynchronous event has begun and is blocked
      When QP "sender" sends 3 unsolicited messages
      Then getting an asynchronous event succeeds
      And the device has raised IBV_EVENT_SRQ_LIMIT_REACHED for SRQ "srq"

    @needs.cq-notifications
    Scenario Outline: An event that waits is taken once, also after the use of <others>
      Given QP "sender" has sent 3 unsolicited messages
      And an event waits on the asynchronous event queue
      When the program uses <others>
      Then the device raises IBV_EVENT_SRQ_LIMIT_REACHED for SRQ "srq"
      And the device raises no IBV_EVENT_SRQ_LIMIT_REACHED

      Examples:
        | others |
        | other contexts |
        | other memory |
        | other channels |
        | other CQs |
        | other QPs |
        | calls that are refused |
        | this context in other ways |

      @needs.memory-windows
      Examples: on a device that has them
        | others |
        | other memory windows |

      @needs.extended-cq @needs.standard-wc-flags
      Examples: on a device that has them
        | others |
        | other extended CQs |

      @needs.srq
      Examples: on a device that has them
        | others |
        | other SRQs |

    @needs.cq-notifications
    Scenario Outline: A get blocks, also after the use of <others>
      When the program uses <others>
      And the asynchronous event queue has been emptied
      And getting an asynchronous event begins
      Then getting an asynchronous event is blocked
      When QP "sender" sends 3 unsolicited messages
      Then getting an asynchronous event succeeds
      And the device has raised IBV_EVENT_SRQ_LIMIT_REACHED for SRQ "srq"

      Examples:
        | others |
        | other contexts |
        | other memory |
        | other channels |
        | other CQs |
        | other QPs |
        | calls that are refused |
        | this context in other ways |

      @needs.memory-windows
      Examples: on a device that has them
        | others |
        | other memory windows |

      @needs.extended-cq @needs.standard-wc-flags
      Examples: on a device that has them
        | others |
        | other extended CQs |

      @needs.srq
      Examples: on a device that has them
        | others |
        | other SRQs |

    Scenario Outline: Gets wait on two contexts, and each is given the event of its own: QP "<sender>" sends first
      Given the asynchronous event queue has been emptied
      And the program works on device context "other"
      And an SRQ "other_srq"
      And connected RC QPs:
        | QP         | SRQ       |
        | sender_2   |           |
        | receiver_2 | other_srq |
      And 4 receives posted on SRQ "other_srq"
      And the limit of SRQ "other_srq" is set to 2
      And the asynchronous event queue has been emptied
      And getting asynchronous events up to IBV_EVENT_SRQ_LIMIT_REACHED on the first device context has begun and is blocked
      And getting asynchronous events up to IBV_EVENT_SRQ_LIMIT_REACHED on device context "other" has begun and is blocked
      When QP "<sender>" sends 3 unsolicited messages
      Then getting asynchronous events up to IBV_EVENT_SRQ_LIMIT_REACHED on <place> succeeds
      And getting asynchronous events up to IBV_EVENT_SRQ_LIMIT_REACHED on <other place> is blocked
      When the program works on <place>
      Then the device has raised IBV_EVENT_SRQ_LIMIT_REACHED for SRQ "<srq>"
      When QP "<other sender>" sends 3 unsolicited messages
      Then getting asynchronous events up to IBV_EVENT_SRQ_LIMIT_REACHED on <other place> succeeds

      Examples:
        | sender   | place                    | srq       | other sender | other place              |
        | sender   | the first device context | srq       | sender_2     | device context "other"   |
        | sender_2 | device context "other"   | other_srq | sender       | the first device context |

  @ibv_get_async_event.element-by-type @needs.connection
  Rule: What an event names is of the kind that its type belongs to

    Background:
      Given a CQ "small_cq" of 4 entries
      And connected RC QPs "client" and "server", where "client" sends on CQ "small_cq"
      And as many receives posted on QP "server" as it takes to overrun CQ "small_cq"

    @needs.srq @needs.cq-overrun-event
    Scenario: An event of an SRQ and an event of a CQ
      Given an SRQ "srq"
      And connected RC QPs:
        | QP       | SRQ |
        | sender   |     |
        | receiver | srq |
      And 4 receives posted on SRQ "srq"
      And the limit of SRQ "srq" is set to 2
      When QP "sender" sends 3 unsolicited messages
      And QP "client" sends as many messages as it takes to overrun CQ "small_cq"
      Then the device raises IBV_EVENT_SRQ_LIMIT_REACHED for SRQ "srq"
      And the device raises IBV_EVENT_CQ_ERR for CQ "small_cq"

  @ibv_get_async_event.element-cq @needs.connection
  Rule: An event of a CQ names that CQ and no other

    Background:
      Given a CQ "small_cq" of 4 entries
      And a CQ "other_cq" of 4 entries
      And connected RC QPs "client" and "server", where "client" sends on CQ "small_cq"
      And as many receives posted on QP "server" as it takes to overrun CQ "small_cq"

    @needs.cq-overrun-event
    Scenario: The CQ that was created first overruns
      When QP "client" sends as many messages as it takes to overrun CQ "small_cq"
      Then the device raises IBV_EVENT_CQ_ERR for CQ "small_cq"
      And the device raises no IBV_EVENT_CQ_ERR except for CQ "small_cq"

    @needs.cq-overrun-event
    Scenario: The CQ that was created last overruns
      Given connected RC QPs "client_2" and "server_2", where "client_2" sends on CQ "other_cq"
      And as many receives posted on QP "server_2" as it takes to overrun CQ "other_cq"
      When QP "client_2" sends as many messages as it takes to overrun CQ "other_cq"
      Then the device raises IBV_EVENT_CQ_ERR for CQ "other_cq"
      And the device raises no IBV_EVENT_CQ_ERR except for CQ "other_cq"

    @needs.cq-overrun-event
    Scenario: Two CQs overrun before an event is taken, and each has one that names it
      Given connected RC QPs "client_2" and "server_2", where "client_2" sends on CQ "other_cq"
      And as many receives posted on QP "server_2" as it takes to overrun CQ "other_cq"
      When QP "client" sends as many messages as it takes to overrun CQ "small_cq"
      And QP "client_2" sends as many messages as it takes to overrun CQ "other_cq"
      And a moment passes
      Then the device raises IBV_EVENT_CQ_ERR for CQ "small_cq"
      And the device raises IBV_EVENT_CQ_ERR for CQ "other_cq"

  @ibv_get_async_event.element-qp @needs.connection
  Rule: An event of a QP names that QP and no other

    @needs.sq-drain
    Scenario: One of several QPs is drained
      Given connected RC QPs "sender" and "receiver"
      And connected RC QPs "sender_2" and "receiver_2"
      And QP "sender" has sent 1 unsolicited message
      And QP "sender" is moved to IBV_QPS_SQD with en_sqd_async_notify
      When 1 receive is posted on QP "receiver"
      Then the device raises IBV_EVENT_SQ_DRAINED for QP "sender"
      And the device raises no IBV_EVENT_SQ_DRAINED except for QP "sender"

  @ibv_get_async_event.element-srq @needs.connection
  Rule: An event of an SRQ names that SRQ and no other

    @needs.srq
    Scenario: One of two SRQs falls below its limit
      Given an SRQ "srq"
      And an SRQ "other_srq"
      And connected RC QPs:
        | QP       | SRQ |
        | sender   |     |
        | receiver | srq |
      And connected RC QPs:
        | QP         | SRQ       |
        | sender_2   |           |
        | receiver_2 | other_srq |
      And 4 receives posted on SRQ "srq"
      And 4 receives posted on SRQ "other_srq"
      And the limit of SRQ "srq" is set to 2
      And the limit of SRQ "other_srq" is set to 2
      When QP "sender_2" sends 3 unsolicited messages
      Then the device raises IBV_EVENT_SRQ_LIMIT_REACHED for SRQ "other_srq"
      And the device raises no IBV_EVENT_SRQ_LIMIT_REACHED except for SRQ "other_srq"

  @ibv_get_async_event.element-port
  @ibv_get_async_event.event-port-err
  Rule: A port whose link goes away raises IBV_EVENT_PORT_ERR, which gives the number of the port

    @needs.port-control
    Scenario: The link of the port is taken down
      When the link of the port is taken down
      Then the device raises IBV_EVENT_PORT_ERR for its port
      And the port is not IBV_PORT_ACTIVE

    @needs.port-control
    Scenario: The link of the port is taken down a second time
      Given the link of the port is taken down
      And the device has raised IBV_EVENT_PORT_ERR for its port
      And the link of the port is brought up
      And the device has raised IBV_EVENT_PORT_ACTIVE for its port
      When the link of the port is taken down
      Then the device raises IBV_EVENT_PORT_ERR for its port

  @ibv_get_async_event.event-qp-access-err @needs.connection
  Rule: IBV_EVENT_QP_ACCESS_ERR tells of a violation at the QP itself, not at its peer

    The page calls the error local, and does not say when a device has to raise the event. The InfiniBand specification,
    in its chapter on the transport layer, wants an asynchronous error at the responder whose memory was not to be
    accessed, for which the page has IBV_EVENT_QP_FATAL as well. So the responder may get this event or not; the
    requester, whose own memory nobody violated, may not.

    Scenario: An RDMA write into memory that grants no remote access
      Given a CQ "send_cq"
      And memory "closed" of 64 bytes with IBV_ACCESS_LOCAL_WRITE
      And connected RC QPs:
        | QP        | send CQ | access                  |
        | requester | send_cq |                         |
        | responder |         | IBV_ACCESS_REMOTE_WRITE |
      When QP "requester" posts these sends:
        | opcode            | bytes | remote |
        | IBV_WR_RDMA_WRITE | 16    | closed |
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_REM_ACCESS_ERR
      And the device raises no IBV_EVENT_QP_ACCESS_ERR except for QP "responder"

  @ibv_get_async_event.event-comm-est @needs.connection
  Rule: IBV_EVENT_COMM_EST names no other QP than one with which communication was established

    The page gives the meaning of the event and does not say when a device has to raise it. A QP in IBV_QPS_RTR that takes
    its first message has cause for one, and may get it or not; the QP that sent the message, in IBV_QPS_RTS, has none.

    Scenario: A message arrives before the QP is ready to send
      Given a CQ "send_cq"
      And connected RC QPs:
        | QP       | send CQ | state       |
        | sender   | send_cq | IBV_QPS_RTS |
        | receiver |         | IBV_QPS_RTR |
      And 1 receive posted on QP "receiver"
      When QP "sender" sends 1 unsolicited message
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And the device raises no IBV_EVENT_COMM_EST except for QP "receiver"

  @ibv_get_async_event.event-sq-drained @needs.connection
  Rule: A send queue that is being drained raises IBV_EVENT_SQ_DRAINED when its message in progress has finished

    @needs.sq-drain
    Scenario: The message waits for its receive until the QP is in IBV_QPS_SQD
      Given a CQ "send_cq"
      And connected RC QPs "sender" and "receiver", where "sender" sends on CQ "send_cq"
      And QP "sender" has sent 1 unsolicited message
      And CQ "send_cq" is empty
      When QP "sender" is moved to IBV_QPS_SQD with en_sqd_async_notify
      Then the device raises no IBV_EVENT_SQ_DRAINED
      When 1 receive is posted on QP "receiver"
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And the device raises IBV_EVENT_SQ_DRAINED for QP "sender"

    # en_sqd_async_notify of ibv_modify_qp(3) enables the event.
    @needs.sq-drain
    Scenario: The QP is moved to IBV_QPS_SQD without en_sqd_async_notify
      Given a CQ "send_cq"
      And connected RC QPs "sender" and "receiver", where "sender" sends on CQ "send_cq"
      And 1 receive posted on QP "receiver"
      And QP "sender" has sent 1 unsolicited message
      And CQ "send_cq" gains 1 CQE with status IBV_WC_SUCCESS
      When QP "sender" is moved to IBV_QPS_SQD
      Then the device raises no IBV_EVENT_SQ_DRAINED

    @needs.sq-drain
    Scenario: A QP that was drained goes back to IBV_QPS_RTS and sends again
      Given a CQ "send_cq"
      And connected RC QPs "sender" and "receiver", where "sender" sends on CQ "send_cq"
      And 1 receive posted on QP "receiver"
      And QP "sender" is moved to IBV_QPS_SQD with en_sqd_async_notify
      And the asynchronous event queue has been emptied
      And QP "sender" is moved back to IBV_QPS_RTS
      When QP "sender" sends 1 unsolicited message
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And the device raises no IBV_EVENT_SQ_DRAINED

  @ibv_get_async_event.event-last-wqe @needs.connection
  Rule: A QP that takes nothing more from its SRQ raises IBV_EVENT_QP_LAST_WQE_REACHED

    The page names the moment. That the event shall be raised then is in the InfiniBand specification, o11-5.2.5: a QP in
    the error state has no more receives of its SRQ to complete.

    @needs.srq
    Scenario: One of two QPs on an SRQ is moved to the error state
      Given an SRQ "srq"
      And connected RC QPs:
        | QP       | SRQ |
        | sender   |     |
        | receiver | srq |
      And connected RC QPs:
        | QP         | SRQ |
        | sender_2   |     |
        | receiver_2 | srq |
      And 2 receives posted on SRQ "srq"
      When QP "receiver" is moved to IBV_QPS_ERR
      Then the device raises IBV_EVENT_QP_LAST_WQE_REACHED for QP "receiver"
      And the device raises no IBV_EVENT_QP_LAST_WQE_REACHED except for QP "receiver"

    Scenario: A QP without an SRQ is moved to the error state
      Given connected RC QPs "client" and "server"
      And 2 receives posted on QP "server"
      When QP "server" is moved to IBV_QPS_ERR
      Then the device raises no IBV_EVENT_QP_LAST_WQE_REACHED

    @needs.srq
    Scenario: Each of two QPs on an SRQ is moved to the error state
      Given an SRQ "srq"
      And connected RC QPs:
        | QP       | SRQ |
        | sender   |     |
        | receiver | srq |
      And connected RC QPs:
        | QP         | SRQ |
        | sender_2   |     |
        | receiver_2 | srq |
      When QP "receiver" is moved to IBV_QPS_ERR
      Then the device raises IBV_EVENT_QP_LAST_WQE_REACHED for QP "receiver"
      When QP "receiver_2" is moved to IBV_QPS_ERR
      Then the device raises IBV_EVENT_QP_LAST_WQE_REACHED for QP "receiver_2"

  @ibv_get_async_event.event-cq-err @needs.connection
  Rule: A CQ that overruns raises IBV_EVENT_CQ_ERR

    Background:
      Given a CQ "small_cq" of 4 entries
      And connected RC QPs "client" and "server", where "client" sends on CQ "small_cq"
      And as many receives posted on QP "server" as it takes to overrun CQ "small_cq"

    Scenario: More CQEs than the CQ has room for
      When QP "client" sends as many messages as it takes to overrun CQ "small_cq"
      Then the device raises IBV_EVENT_CQ_ERR for CQ "small_cq"

    Scenario: As many CQEs as the CQ has entries
      When QP "client" sends as many messages as CQ "small_cq" has entries
      Then QP "server" receives as many messages as CQ "small_cq" has entries
      And the device raises no IBV_EVENT_CQ_ERR

    Scenario: More receives than the CQ has room for
      Given a CQ "far_cq" of 4 entries
      And connected RC QPs "left" and "right", where "right" receives on CQ "far_cq"
      And as many receives posted on QP "right" as it takes to overrun CQ "far_cq"
      When QP "left" sends as many messages as it takes to overrun CQ "far_cq"
      Then the device raises IBV_EVENT_CQ_ERR for CQ "far_cq"

    @needs.resize-cq
    Scenario: More CQEs than a CQ has room for that was resized
      Given a CQ "near_cq" of 4 entries
      And connected RC QPs "left" and "right", where "left" sends on CQ "near_cq"
      And resizing CQ "near_cq" to 9 entries succeeds
      And as many receives posted on QP "right" as it takes to overrun CQ "near_cq"
      When QP "left" sends as many messages as it takes to overrun CQ "near_cq"
      Then the device raises IBV_EVENT_CQ_ERR for CQ "near_cq"

  @ibv_get_async_event.event-srq-limit @needs.connection
  Rule: An SRQ that falls below its limit raises IBV_EVENT_SRQ_LIMIT_REACHED

    @needs.srq
    Scenario: Fewer receives are left than the limit
      Given an SRQ "srq"
      And connected RC QPs:
        | QP       | SRQ |
        | sender   |     |
        | receiver | srq |
      And 4 receives posted on SRQ "srq"
      And the limit of SRQ "srq" is set to 2
      When QP "sender" sends 3 unsolicited messages
      Then the device raises IBV_EVENT_SRQ_LIMIT_REACHED for SRQ "srq"

    @needs.srq
    Scenario: More receives are left than the limit
      Given a CQ "recv_cq"
      And an SRQ "srq"
      And connected RC QPs:
        | QP       | receive CQ | SRQ |
        | sender   |            |     |
        | receiver | recv_cq    | srq |
      And 4 receives posted on SRQ "srq"
      And the limit of SRQ "srq" is set to 2
      When QP "sender" sends 1 unsolicited message
      Then CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And the device raises no IBV_EVENT_SRQ_LIMIT_REACHED

    @needs.srq
    Scenario: Receives that are posted later leave the limit alone
      Given a CQ "recv_cq"
      And an SRQ "srq"
      And connected RC QPs:
        | QP       | receive CQ | SRQ |
        | sender   |            |     |
        | receiver | recv_cq    | srq |
      And 2 receives posted on SRQ "srq"
      And the limit of SRQ "srq" is set to 2
      When 2 receives are posted on SRQ "srq"
      And QP "sender" sends 2 unsolicited messages
      Then CQ "recv_cq" gains 2 CQEs with status IBV_WC_SUCCESS
      And the device raises no IBV_EVENT_SRQ_LIMIT_REACHED
      When QP "sender" sends 1 unsolicited message
      Then the device raises IBV_EVENT_SRQ_LIMIT_REACHED for SRQ "srq"

    @needs.srq @needs.cq-notifications
    Scenario Outline: The limit and the receives of an SRQ outlast the use of <others>
      Given a CQ "recv_cq"
      And an SRQ "srq"
      And connected RC QPs:
        | QP       | receive CQ | SRQ |
        | sender   |            |     |
        | receiver | recv_cq    | srq |
      And these receives are posted on SRQ "srq":
        | wr_id              |
        | 0x0123456789abcdef |
        | 0xfedcba9876543210 |
        | 0x8000000000000001 |
      And the limit of SRQ "srq" is set to 2
      When the program uses <others>
      Then the device raises no IBV_EVENT_SRQ_LIMIT_REACHED
      When QP "sender" sends 1 unsolicited message
      Then CQ "recv_cq" gains these CQEs:
        | wr_id              |
        | 0x0123456789abcdef |
      And the device raises no IBV_EVENT_SRQ_LIMIT_REACHED
      When QP "sender" sends 2 unsolicited messages
      Then the device raises IBV_EVENT_SRQ_LIMIT_REACHED for SRQ "srq"
      And CQ "recv_cq" gains these CQEs:
        | wr_id              |
        | 0xfedcba9876543210 |
        | 0x8000000000000001 |

      Examples:
        | others |
        | other contexts |
        | other memory |
        | other channels |
        | other CQs |
        | other QPs |
        | calls that are refused |
        | this context in other ways |
        | CQ "recv_cq" in other ways |

      @needs.memory-windows
      Examples: on a device that has them
        | others |
        | other memory windows |

      @needs.extended-cq @needs.standard-wc-flags
      Examples: on a device that has them
        | others |
        | other extended CQs |

      @needs.srq
      Examples: on a device that has them
        | others |
        | other SRQs |

    @needs.srq
    Scenario: A further QP leaves limit and receives of an SRQ alone
      Given a CQ "recv_cq"
      And an SRQ "srq"
      And connected RC QPs:
        | QP       | receive CQ | SRQ |
        | sender   |            |     |
        | receiver | recv_cq    | srq |
      And these receives are posted on SRQ "srq":
        | wr_id              |
        | 0x0123456789abcdef |
        | 0xfedcba9876543210 |
        | 0x8000000000000001 |
      And the limit of SRQ "srq" is set to 2
      When connected RC QPs:
        | QP    | SRQ |
        | left  |     |
        | right | srq |
      And QP "sender" sends 1 unsolicited message
      Then CQ "recv_cq" gains these CQEs:
        | wr_id              |
        | 0x0123456789abcdef |
      And the device raises no IBV_EVENT_SRQ_LIMIT_REACHED
      When QP "sender" sends 1 unsolicited message
      Then CQ "recv_cq" gains these CQEs:
        | wr_id              |
        | 0xfedcba9876543210 |
      And the device raises IBV_EVENT_SRQ_LIMIT_REACHED for SRQ "srq"

    @needs.srq
    Scenario: A limit that is set again after its event
      Given an SRQ "srq"
      And connected RC QPs:
        | QP       | SRQ | access                  |
        | sender   |     |                         |
        | receiver | srq | IBV_ACCESS_REMOTE_WRITE |
      And 4 receives posted on SRQ "srq"
      And the limit of SRQ "srq" is set to 2
      And QP "sender" has sent 3 unsolicited messages
      And the device has raised IBV_EVENT_SRQ_LIMIT_REACHED for SRQ "srq"
      And 3 receives posted on SRQ "srq"
      And the limit of SRQ "srq" is set to 2
      When QP "sender" sends 3 unsolicited messages
      Then the device raises IBV_EVENT_SRQ_LIMIT_REACHED for SRQ "srq"

    @needs.srq
    Scenario: RDMA writes with immediate take the receives
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE
      And an SRQ "srq"
      And connected RC QPs:
        | QP       | SRQ | access                  |
        | sender   |     |                         |
        | receiver | srq | IBV_ACCESS_REMOTE_WRITE |
      And 4 receives posted on SRQ "srq"
      And the limit of SRQ "srq" is set to 2
      When QP "sender" posts these sends:
        | opcode                     | remote | imm_data |
        | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x1      |
        | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x2      |
        | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x3      |
      Then the device raises IBV_EVENT_SRQ_LIMIT_REACHED for SRQ "srq"

  @ibv_get_async_event.event-port-active
  Rule: A port whose link comes back raises IBV_EVENT_PORT_ACTIVE

    @needs.port-control
    Scenario: The link of the port is brought up
      Given the link of the port is taken down
      And the device has raised IBV_EVENT_PORT_ERR for its port
      Then the device raises no IBV_EVENT_PORT_ACTIVE
      When the link of the port is brought up
      Then the device raises IBV_EVENT_PORT_ACTIVE for its port
      And the port is IBV_PORT_ACTIVE

  @ibv_get_async_event.ack @needs.connection
  Rule: An ack settles its event

    Background:
      Given a CQ "small_cq" of 4 entries
      And connected RC QPs "client" and "server", where "client" sends on CQ "small_cq"
      And as many receives posted on QP "server" as it takes to overrun CQ "small_cq"

    @needs.cq-overrun-event
    Scenario: Nothing is owed after an event was acknowledged
      Given QP "client" has sent as many messages as it takes to overrun CQ "small_cq"
      And the device has raised IBV_EVENT_CQ_ERR for CQ "small_cq"
      And the IBV_EVENT_CQ_ERR is acknowledged
      And QPs "client" and "server" are destroyed
      When destroying CQ "small_cq" begins
      Then destroying CQ "small_cq" succeeds

    @needs.sq-drain
    Scenario: Nothing is owed of a QP after its event was acknowledged
      Given connected RC QPs "sender" and "receiver"
      And QP "sender" has sent 1 unsolicited message
      And QP "sender" is moved to IBV_QPS_SQD with en_sqd_async_notify
      And 1 receive is posted on QP "receiver"
      And the device has raised IBV_EVENT_SQ_DRAINED for QP "sender"
      And the IBV_EVENT_SQ_DRAINED is acknowledged
      When destroying QP "sender" begins
      Then destroying QP "sender" succeeds

  @ibv_get_async_event.get-returns-zero
  @needs.srq @needs.connection
  Rule: A get that gives an event returns 0

    Background:
      Given an SRQ "srq"
      And connected RC QPs:
        | QP       | SRQ |
        | sender   |     |
        | receiver | srq |
      And 4 receives posted on SRQ "srq"
      And the limit of SRQ "srq" is set to 2

    Scenario: An event is there
      Given QP "sender" has sent 3 unsolicited messages
      And an event waits on the asynchronous event queue
      When getting an asynchronous event returns
      Then ibv_get_async_event returned 0

  @ibv_get_async_event.get-returns-minus-one
  Rule: A get that fails returns -1

    Scenario: There is nothing to get, and the get must not wait
      Given the asynchronous event queue is non-blocking
      And the asynchronous event queue has been emptied
      When getting an asynchronous event returns
      Then ibv_get_async_event returned -1

  @ibv_get_async_event.ack-returns-nothing @needs.connection
  Rule: An ack returns nothing; that it counted shows in the destruction of its object

    @needs.srq
    Scenario: The ack of an event of an SRQ says nothing, and nothing is owed after it
      Given an SRQ "srq"
      And connected RC QPs:
        | QP       | SRQ |
        | sender   |     |
        | receiver | srq |
      And 4 receives posted on SRQ "srq"
      And the limit of SRQ "srq" is set to 2
      And QP "sender" has sent 3 unsolicited messages
      And the device has raised IBV_EVENT_SRQ_LIMIT_REACHED for SRQ "srq"
      And QPs "sender" and "receiver" are destroyed
      When the IBV_EVENT_SRQ_LIMIT_REACHED is acknowledged
      Then ibv_ack_async_event returned nothing
      And destroying SRQ "srq" succeeds

  @ibv_get_async_event.every-event-acked @needs.connection
  Rule: Each event that was taken is owed an ack of its own

    @needs.srq
    Scenario: Two events of an SRQ, acknowledged one by one
      Given an SRQ "srq"
      And connected RC QPs:
        | QP       | SRQ |
        | sender   |     |
        | receiver | srq |
      And 8 receives posted on SRQ "srq"
      And the limit of SRQ "srq" is set to 6
      And QP "sender" has sent 3 unsolicited messages
      And the device has raised IBV_EVENT_SRQ_LIMIT_REACHED for SRQ "srq"
      And the limit of SRQ "srq" is set to 3
      And QP "sender" has sent 3 unsolicited messages
      And the device has raised IBV_EVENT_SRQ_LIMIT_REACHED for SRQ "srq"
      And QPs "sender" and "receiver" are destroyed
      When destroying SRQ "srq" begins
      Then destroying SRQ "srq" is blocked
      When the IBV_EVENT_SRQ_LIMIT_REACHED is acknowledged
      Then destroying SRQ "srq" is blocked
      When the IBV_EVENT_SRQ_LIMIT_REACHED is acknowledged
      Then destroying SRQ "srq" succeeds

  @ibv_get_async_event.destroy-cq-waits @needs.connection
  Rule: Destroying a CQ blocks until its events that were taken are acknowledged

    Background:
      Given a CQ "small_cq" of 4 entries
      And a CQ "other_cq" of 4 entries
      And connected RC QPs "client" and "server", where "client" sends on CQ "small_cq"
      And as many receives posted on QP "server" as it takes to overrun CQ "small_cq"

    @needs.cq-overrun-event
    Scenario: The event of a CQ was taken and not acknowledged
      Given QP "client" has sent as many messages as it takes to overrun CQ "small_cq"
      And the device has raised IBV_EVENT_CQ_ERR for CQ "small_cq"
      And QPs "client" and "server" are destroyed
      When destroying CQ "small_cq" begins
      Then destroying CQ "small_cq" is blocked
      When the IBV_EVENT_CQ_ERR is acknowledged
      Then destroying CQ "small_cq" succeeds

    @needs.cq-overrun-event
    Scenario: The event of a CQ was not taken
      Given QP "client" has sent as many messages as it takes to overrun CQ "small_cq"
      And an event waits on the asynchronous event queue
      And QPs "client" and "server" are destroyed
      When destroying CQ "small_cq" begins
      Then destroying CQ "small_cq" succeeds

    @needs.cq-overrun-event
    Scenario: The event that was taken is of another CQ
      Given QP "client" has sent as many messages as it takes to overrun CQ "small_cq"
      And the device has raised IBV_EVENT_CQ_ERR for CQ "small_cq"
      When destroying CQ "other_cq" begins
      Then destroying CQ "other_cq" succeeds

    @needs.cq-overrun-event @needs.cq-notifications
    Scenario Outline: The ack of a CQ's event is owed, also after the use of <others>
      Given QP "client" has sent as many messages as it takes to overrun CQ "small_cq"
      And the device has raised IBV_EVENT_CQ_ERR for CQ "small_cq"
      When the program uses <others>
      And QPs "client" and "server" are destroyed
      And destroying CQ "small_cq" has begun and is blocked
      And the IBV_EVENT_CQ_ERR is acknowledged
      Then destroying CQ "small_cq" succeeds

      Examples:
        | others |
        | other contexts |
        | other memory |
        | other channels |
        | other CQs |
        | other QPs |
        | calls that are refused |
        | this context in other ways |

      @needs.memory-windows
      Examples: on a device that has them
        | others |
        | other memory windows |

      @needs.extended-cq @needs.standard-wc-flags
      Examples: on a device that has them
        | others |
        | other extended CQs |

      @needs.srq
      Examples: on a device that has them
        | others |
        | other SRQs |

    @needs.cq-overrun-event
    Scenario: Polling the CQ does not stand for the ack
      Given QP "client" has sent as many messages as it takes to overrun CQ "small_cq"
      And the device has raised IBV_EVENT_CQ_ERR for CQ "small_cq"
      And CQ "small_cq" has been emptied as far as it can be polled
      And QPs "client" and "server" are destroyed
      When destroying CQ "small_cq" begins
      Then destroying CQ "small_cq" is blocked
      When the IBV_EVENT_CQ_ERR is acknowledged
      Then destroying CQ "small_cq" succeeds

  @ibv_get_async_event.destroy-qp-waits @needs.connection
  Rule: Destroying a QP blocks until its events that were taken are acknowledged

    The event of these scenarios is IBV_EVENT_SQ_DRAINED, which a program can provoke on a device that lets it drain a
    send queue.

    @needs.sq-drain
    Scenario: The event of a QP was taken and not acknowledged
      Given connected RC QPs "sender" and "receiver"
      And QP "sender" has sent 1 unsolicited message
      And QP "sender" is moved to IBV_QPS_SQD with en_sqd_async_notify
      And 1 receive is posted on QP "receiver"
      And the device has raised IBV_EVENT_SQ_DRAINED for QP "sender"
      When destroying QP "sender" begins
      Then destroying QP "sender" is blocked
      When the IBV_EVENT_SQ_DRAINED is acknowledged
      Then destroying QP "sender" succeeds

    @needs.sq-drain
    Scenario: The event of a QP was not taken
      Given connected RC QPs "sender" and "receiver"
      And the asynchronous event queue has been emptied
      And QP "sender" has sent 1 unsolicited message
      And QP "sender" is moved to IBV_QPS_SQD with en_sqd_async_notify
      And 1 receive is posted on QP "receiver"
      And an event waits on the asynchronous event queue
      When destroying QP "sender" begins
      Then destroying QP "sender" succeeds

    @needs.sq-drain
    Scenario: Two events of a QP are owed an ack each
      Given a CQ "send_cq"
      And connected RC QPs "sender" and "receiver", where "sender" sends on CQ "send_cq"
      And 1 receive posted on QP "receiver"
      And QP "sender" has sent 1 unsolicited message
      And CQ "send_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And QP "sender" is moved to IBV_QPS_SQD with en_sqd_async_notify
      And the device has raised IBV_EVENT_SQ_DRAINED for QP "sender"
      And QP "sender" is moved back to IBV_QPS_RTS
      And QP "sender" is moved to IBV_QPS_SQD with en_sqd_async_notify
      And the device has raised IBV_EVENT_SQ_DRAINED for QP "sender"
      When destroying QP "sender" begins
      Then destroying QP "sender" is blocked
      When the IBV_EVENT_SQ_DRAINED is acknowledged
      Then destroying QP "sender" is blocked
      When the IBV_EVENT_SQ_DRAINED is acknowledged
      Then destroying QP "sender" succeeds

    @needs.sq-drain @needs.cq-notifications
    Scenario Outline: The ack of a QP's event is owed, also after the use of <others>
      Given connected RC QPs "sender" and "receiver"
      And QP "sender" has sent 1 unsolicited message
      And QP "sender" is moved to IBV_QPS_SQD with en_sqd_async_notify
      And 1 receive is posted on QP "receiver"
      And the device has raised IBV_EVENT_SQ_DRAINED for QP "sender"
      When the program uses <others>
      And destroying QP "sender" has begun and is blocked
      And the IBV_EVENT_SQ_DRAINED is acknowledged
      Then destroying QP "sender" succeeds

      Examples:
        | others |
        | other contexts |
        | other memory |
        | other channels |
        | other CQs |
        | other QPs |
        | calls that are refused |
        | this context in other ways |

      @needs.memory-windows
      Examples: on a device that has them
        | others |
        | other memory windows |

      @needs.extended-cq @needs.standard-wc-flags
      Examples: on a device that has them
        | others |
        | other extended CQs |

      @needs.srq
      Examples: on a device that has them
        | others |
        | other SRQs |

    @needs.sq-drain
    Scenario: Neither further work nor another state stands for the ack
      Given connected RC QPs "sender" and "receiver"
      And QP "sender" has sent 1 unsolicited message
      And QP "sender" is moved to IBV_QPS_SQD with en_sqd_async_notify
      And 1 receive is posted on QP "receiver"
      And the device has raised IBV_EVENT_SQ_DRAINED for QP "sender"
      And QP "sender" is moved back to IBV_QPS_RTS
      And 1 receive posted on QP "sender"
      And 1 receive posted on QP "receiver"
      And QP "sender" has sent 1 unsolicited message
      When destroying QP "sender" begins
      Then destroying QP "sender" is blocked
      When the IBV_EVENT_SQ_DRAINED is acknowledged
      Then destroying QP "sender" succeeds

  @ibv_get_async_event.destroy-srq-waits @needs.connection
  Rule: Destroying an SRQ blocks until its events that were taken are acknowledged

    @needs.srq
    Scenario: The event of an SRQ was taken and not acknowledged
      Given an SRQ "srq"
      And connected RC QPs:
        | QP       | SRQ |
        | sender   |     |
        | receiver | srq |
      And 4 receives posted on SRQ "srq"
      And the limit of SRQ "srq" is set to 2
      And QP "sender" has sent 3 unsolicited messages
      And the device has raised IBV_EVENT_SRQ_LIMIT_REACHED for SRQ "srq"
      And QPs "sender" and "receiver" are destroyed
      When destroying SRQ "srq" begins
      Then destroying SRQ "srq" is blocked
      When the IBV_EVENT_SRQ_LIMIT_REACHED is acknowledged
      Then destroying SRQ "srq" succeeds

    @needs.srq
    Scenario: The event of an SRQ was not taken
      Given an SRQ "srq"
      And connected RC QPs:
        | QP       | SRQ |
        | sender   |     |
        | receiver | srq |
      And 4 receives posted on SRQ "srq"
      And the limit of SRQ "srq" is set to 2
      And QP "sender" has sent 3 unsolicited messages
      And an event waits on the asynchronous event queue
      And QPs "sender" and "receiver" are destroyed
      When destroying SRQ "srq" begins
      Then destroying SRQ "srq" succeeds

    @needs.srq
    Scenario: The ack of an event of another device context does not count
      Given an SRQ "srq"
      And connected RC QPs:
        | QP       | SRQ |
        | sender   |     |
        | receiver | srq |
      And 4 receives posted on SRQ "srq"
      And the limit of SRQ "srq" is set to 2
      And QP "sender" has sent 3 unsolicited messages
      And the device has raised IBV_EVENT_SRQ_LIMIT_REACHED for SRQ "srq"
      And the program works on device context "other"
      And an SRQ "other_srq"
      And connected RC QPs:
        | QP         | SRQ       |
        | sender_2   |           |
        | receiver_2 | other_srq |
      And 4 receives posted on SRQ "other_srq"
      And the limit of SRQ "other_srq" is set to 2
      And QP "sender_2" has sent 3 unsolicited messages
      And the device has raised IBV_EVENT_SRQ_LIMIT_REACHED for SRQ "other_srq"
      And QPs "sender" and "receiver" are destroyed
      And QPs "sender_2" and "receiver_2" are destroyed
      And destroying SRQ "srq" has begun and is blocked
      When the IBV_EVENT_SRQ_LIMIT_REACHED for SRQ "other_srq" is acknowledged
      And destroying SRQ "other_srq" succeeds
      Then destroying SRQ "srq" is blocked

    @needs.srq @needs.cq-notifications
    Scenario Outline: The ack of an SRQ's event is owed, also after the use of <others>
      Given an SRQ "srq"
      And connected RC QPs:
        | QP       | SRQ |
        | sender   |     |
        | receiver | srq |
      And 4 receives posted on SRQ "srq"
      And the limit of SRQ "srq" is set to 2
      And QP "sender" has sent 3 unsolicited messages
      And the device has raised IBV_EVENT_SRQ_LIMIT_REACHED for SRQ "srq"
      When the program uses <others>
      And QPs "sender" and "receiver" are destroyed
      And destroying SRQ "srq" has begun and is blocked
      And the IBV_EVENT_SRQ_LIMIT_REACHED is acknowledged
      Then destroying SRQ "srq" succeeds

      Examples:
        | others |
        | other contexts |
        | other memory |
        | other channels |
        | other CQs |
        | other QPs |
        | calls that are refused |
        | this context in other ways |

      @needs.memory-windows
      Examples: on a device that has them
        | others |
        | other memory windows |

      @needs.extended-cq @needs.standard-wc-flags
      Examples: on a device that has them
        | others |
        | other extended CQs |

      @needs.srq
      Examples: on a device that has them
        | others |
        | other SRQs |

    @needs.srq
    Scenario: Neither further receives, nor a further limit, nor a further QP stand for the ack
      Given an SRQ "srq"
      And connected RC QPs:
        | QP       | SRQ |
        | sender   |     |
        | receiver | srq |
      And 4 receives posted on SRQ "srq"
      And the limit of SRQ "srq" is set to 2
      And QP "sender" has sent 3 unsolicited messages
      And the device has raised IBV_EVENT_SRQ_LIMIT_REACHED for SRQ "srq"
      And 1 receive posted on SRQ "srq"
      And the limit of SRQ "srq" is set to 1
      And connected RC QPs:
        | QP    | SRQ |
        | left  |     |
        | right | srq |
      And QPs "sender" and "receiver" are destroyed
      And QPs "left" and "right" are destroyed
      When destroying SRQ "srq" begins
      Then destroying SRQ "srq" is blocked
      When the IBV_EVENT_SRQ_LIMIT_REACHED is acknowledged
      Then destroying SRQ "srq" succeeds

  @ibv_get_async_event.no-event-after-destroy @needs.connection
  Rule: An event that was not taken goes with its object, and those of other objects stay

    @needs.cq-overrun-event
    Scenario: One of two CQs that overran is destroyed
      Given a CQ "small_cq" of 4 entries
      And a CQ "other_cq" of 4 entries
      And connected RC QPs "client" and "server", where "client" sends on CQ "small_cq"
      And as many receives posted on QP "server" as it takes to overrun CQ "small_cq"
      And connected RC QPs "client_2" and "server_2", where "client_2" sends on CQ "other_cq"
      And as many receives posted on QP "server_2" as it takes to overrun CQ "other_cq"
      And QP "client" has sent as many messages as it takes to overrun CQ "small_cq"
      And QP "client_2" has sent as many messages as it takes to overrun CQ "other_cq"
      And an event waits on the asynchronous event queue
      And QPs "client" and "server" are destroyed
      When destroying CQ "small_cq" succeeds
      Then the device raises IBV_EVENT_CQ_ERR for CQ "other_cq"
      And the device raises no IBV_EVENT_CQ_ERR except for CQ "other_cq"

    @needs.sq-drain
    Scenario: One of two QPs that were drained is destroyed
      Given connected RC QPs "sender" and "receiver"
      And connected RC QPs "sender_2" and "receiver_2"
      And QP "sender" has sent 1 unsolicited message
      And QP "sender_2" has sent 1 unsolicited message
      And QP "sender" is moved to IBV_QPS_SQD with en_sqd_async_notify
      And 1 receive is posted on QP "receiver"
      And an event waits on the asynchronous event queue
      And QP "sender_2" is moved to IBV_QPS_SQD with en_sqd_async_notify
      And 1 receive is posted on QP "receiver_2"
      When destroying QP "sender" succeeds
      Then the device raises IBV_EVENT_SQ_DRAINED for QP "sender_2"
      And the device raises no IBV_EVENT_SQ_DRAINED except for QP "sender_2"

    @needs.srq
    Scenario: A QP on an SRQ is destroyed as soon as it is in the error state
      Given an SRQ "srq"
      And connected RC QPs:
        | QP       | SRQ |
        | sender   |     |
        | receiver | srq |
      And QP "receiver" is moved to IBV_QPS_ERR
      When destroying QP "receiver" succeeds
      Then the device raises no IBV_EVENT_QP_LAST_WQE_REACHED

    @needs.srq
    Scenario: One of two SRQs that fell below their limits is destroyed
      Given an SRQ "srq"
      And an SRQ "other_srq"
      And connected RC QPs:
        | QP       | SRQ |
        | sender   |     |
        | receiver | srq |
      And connected RC QPs:
        | QP         | SRQ       |
        | sender_2   |           |
        | receiver_2 | other_srq |
      And 4 receives posted on SRQ "srq"
      And 4 receives posted on SRQ "other_srq"
      And the limit of SRQ "srq" is set to 2
      And the limit of SRQ "other_srq" is set to 2
      And QP "sender" has sent 3 unsolicited messages
      And an event waits on the asynchronous event queue
      And QP "sender_2" has sent 3 unsolicited messages
      And QPs "sender" and "receiver" are destroyed
      When destroying SRQ "srq" succeeds
      Then the device raises IBV_EVENT_SRQ_LIMIT_REACHED for SRQ "other_srq"
      And the device raises no IBV_EVENT_SRQ_LIMIT_REACHED except for SRQ "other_srq"

  @ibv_get_async_event.blocking
  @needs.srq @needs.connection
  Rule: A get blocks as long as there is no event

    Background:
      Given an SRQ "srq"
      And connected RC QPs:
        | QP       | SRQ |
        | sender   |     |
        | receiver | srq |
      And 4 receives posted on SRQ "srq"
      And the limit of SRQ "srq" is set to 2

    Scenario: The first event lets the get go on
      Given the asynchronous event queue has been emptied
      When getting an asynchronous event begins
      Then getting an asynchronous event is blocked
      When QP "sender" sends 3 unsolicited messages
      Then getting an asynchronous event succeeds

    Scenario: After the first event has been taken, a get blocks until the second
      Given QP "sender" has sent 3 unsolicited messages
      And the device has raised IBV_EVENT_SRQ_LIMIT_REACHED for SRQ "srq"
      When getting an asynchronous event begins
      Then getting an asynchronous event is blocked
      When 4 receives are posted on SRQ "srq"
      And the limit of SRQ "srq" is set to 3
      And QP "sender" sends 3 unsolicited messages
      Then getting an asynchronous event succeeds
      And the device has raised IBV_EVENT_SRQ_LIMIT_REACHED for SRQ "srq"

    Scenario: A get blocks again when the queue has been non-blocking for a while
      Given the asynchronous event queue is non-blocking
      And the asynchronous event queue has been emptied
      And getting an asynchronous event is refused
      And the asynchronous event queue is blocking
      When getting an asynchronous event begins
      Then getting an asynchronous event is blocked
      When QP "sender" sends 3 unsolicited messages
      Then getting an asynchronous event succeeds

    @needs.cq-notifications
    Scenario: A get blocks, also where a completion channel does not
      Given a CQ "cq" on completion channel "channel"
      And completion channel "channel" is non-blocking
      And the asynchronous event queue has been emptied
      When getting an asynchronous event begins
      Then getting an asynchronous event is blocked
      When QP "sender" sends 3 unsolicited messages
      Then getting an asynchronous event succeeds

  @ibv_get_async_event.one-thread-receives @needs.connection
  Rule: One event goes to one of several gets

    Each thread gets events until one is an IBV_EVENT_SRQ_LIMIT_REACHED, so that no event of another type takes its place.

    @needs.srq
    Scenario: Two threads wait, and two events come one after the other
      Given an SRQ "srq"
      And connected RC QPs:
        | QP       | SRQ |
        | sender   |     |
        | receiver | srq |
      And 8 receives posted on SRQ "srq"
      And the limit of SRQ "srq" is set to 6
      And getting asynchronous events up to IBV_EVENT_SRQ_LIMIT_REACHED has begun in 2 threads and is blocked
      When QP "sender" sends 3 unsolicited messages
      Then getting asynchronous events up to IBV_EVENT_SRQ_LIMIT_REACHED has returned in 1 of 2 threads
      And the device has raised IBV_EVENT_SRQ_LIMIT_REACHED for SRQ "srq"
      When the limit of SRQ "srq" is set to 3
      And QP "sender" sends 3 unsolicited messages
      Then getting asynchronous events up to IBV_EVENT_SRQ_LIMIT_REACHED has returned in 2 of 2 threads
      And the device has raised IBV_EVENT_SRQ_LIMIT_REACHED for SRQ "srq"

  @ibv_get_async_event.fd-nonblock
  Rule: O_NONBLOCK on the file descriptor of the queue keeps a get from waiting, and nothing else

    Scenario: A get that would have waited
      Given the asynchronous event queue is non-blocking
      And the asynchronous event queue has been emptied
      When getting an asynchronous event begins
      Then getting an asynchronous event is refused

    @needs.srq @needs.connection
    Scenario: A get that finds an event
      Given an SRQ "srq"
      And connected RC QPs:
        | QP       | SRQ |
        | sender   |     |
        | receiver | srq |
      And 4 receives posted on SRQ "srq"
      And the limit of SRQ "srq" is set to 2
      And the asynchronous event queue is non-blocking
      And QP "sender" has sent 3 unsolicited messages
      And an event waits on the asynchronous event queue
      When getting an asynchronous event begins
      Then getting an asynchronous event succeeds
      And the device has raised IBV_EVENT_SRQ_LIMIT_REACHED for SRQ "srq"

  @ibv_get_async_event.fd-nonblock-empty-get
  Rule: In non-blocking mode a get from an empty queue fails with EAGAIN

    The page does not name errno; fcntl(2) and open(2) say that a call on a descriptor with O_NONBLOCK fails with EAGAIN
    where it would have to wait.

    Scenario: No event has come
      Given the asynchronous event queue is non-blocking
      And the asynchronous event queue has been emptied
      When getting an asynchronous event returns
      Then ibv_get_async_event returned -1 and left EAGAIN in errno

    Scenario: A second get fails as the first did
      Given the asynchronous event queue is non-blocking
      And the asynchronous event queue has been emptied
      Then getting an asynchronous event fails with EAGAIN
      And getting an asynchronous event fails with EAGAIN

    @needs.srq @needs.connection
    Scenario: An event comes, and is taken
      Given an SRQ "srq"
      And connected RC QPs:
        | QP       | SRQ |
        | sender   |     |
        | receiver | srq |
      And 4 receives posted on SRQ "srq"
      And the limit of SRQ "srq" is set to 2
      And the asynchronous event queue is non-blocking
      And QP "sender" has sent 3 unsolicited messages
      And an event waits on the asynchronous event queue
      Then the device raises IBV_EVENT_SRQ_LIMIT_REACHED for SRQ "srq"
      And getting an asynchronous event fails with EAGAIN

    @needs.cq-notifications
    Scenario Outline: The queue stays non-blocking with the use of <others>
      Given the asynchronous event queue is non-blocking
      When the program uses <others>
      And the asynchronous event queue has been emptied
      Then getting an asynchronous event fails with EAGAIN

      Examples:
        | others |
        | other contexts |
        | other memory |
        | other channels |
        | other CQs |
        | calls that are refused |
        | this context in other ways |

      @needs.memory-windows
      Examples: on a device that has them
        | others |
        | other memory windows |

      @needs.extended-cq @needs.standard-wc-flags @needs.connection
      Examples: on a device that has them
        | others |
        | other extended CQs |

      @needs.srq @needs.connection
      Examples: on a device that has them
        | others |
        | other SRQs |

      @needs.connection
      Examples: on a device that connects QPs
        | others |
        | other QPs |

    @needs.connection @needs.cq-overrun-event
    Scenario: The event that comes after a refused get is there to be taken
      Given a CQ "small_cq" of 4 entries
      And connected RC QPs "client" and "server", where "client" sends on CQ "small_cq"
      And as many receives posted on QP "server" as it takes to overrun CQ "small_cq"
      And the asynchronous event queue is non-blocking
      And the asynchronous event queue has been emptied
      And getting an asynchronous event is refused
      When QP "client" sends as many messages as it takes to overrun CQ "small_cq"
      Then the device raises IBV_EVENT_CQ_ERR for CQ "small_cq"

  @ibv_get_async_event.fd-pollin-on-event
  @needs.srq @needs.connection
  Rule: poll() reports the file descriptor of the queue as readable when there is an event

    Background:
      Given an SRQ "srq"
      And connected RC QPs:
        | QP       | SRQ |
        | sender   |     |
        | receiver | srq |
      And 4 receives posted on SRQ "srq"
      And the limit of SRQ "srq" is set to 2

    Scenario: An event has come and nobody has taken it
      Given QP "sender" has sent 3 unsolicited messages
      When waiting with poll for an event on the asynchronous event queue returns
      Then poll returned 1

    Scenario: An event comes while poll() waits for it
      Given the asynchronous event queue has been emptied
      And waiting with poll for an event on the asynchronous event queue has begun and is blocked
      When QP "sender" sends 3 unsolicited messages
      When waiting with poll for an event on the asynchronous event queue returns
      Then poll returned 1

  @ibv_get_async_event.fd-poll-timeout
  Rule: poll() returns 0 when its time has elapsed and there is no event, and not before

    Scenario: No event has come before the end
      Given the asynchronous event queue has been emptied
      When waiting a moment with poll for an event on the asynchronous event queue returns
      Then poll returned 0

    @needs.srq @needs.connection
    Scenario: The one event has been taken
      Given an SRQ "srq"
      And connected RC QPs:
        | QP       | SRQ |
        | sender   |     |
        | receiver | srq |
      And 4 receives posted on SRQ "srq"
      And the limit of SRQ "srq" is set to 2
      And QP "sender" has sent 3 unsolicited messages
      And the device has raised IBV_EVENT_SRQ_LIMIT_REACHED for SRQ "srq"
      When waiting a moment with poll for an event on the asynchronous event queue returns
      Then poll returned 0

  @ibv_get_async_event.fd-get-after-pollin
  @needs.srq @needs.connection
  Rule: A get after poll() gives the event, which is owed an ack

    Background:
      Given an SRQ "srq"
      And connected RC QPs:
        | QP       | SRQ |
        | sender   |     |
        | receiver | srq |
      And 4 receives posted on SRQ "srq"
      And the limit of SRQ "srq" is set to 2

    Scenario: The steps of the example, up to the destruction of the SRQ
      Given the asynchronous event queue is non-blocking
      And QP "sender" has sent 3 unsolicited messages
      When waiting with poll for an event on the asynchronous event queue returns
      Then poll returned 1
      When getting an asynchronous event returns
      Then ibv_get_async_event returned 0
      And the device has raised IBV_EVENT_SRQ_LIMIT_REACHED for SRQ "srq"
      Given QPs "sender" and "receiver" are destroyed
      When destroying SRQ "srq" begins
      Then destroying SRQ "srq" is blocked
      When the IBV_EVENT_SRQ_LIMIT_REACHED is acknowledged
      Then destroying SRQ "srq" succeeds
