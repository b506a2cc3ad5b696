@ibv_create_cq
Feature: ibv_create_cq(3), ibv_destroy_cq(3) - create and destroy a CQ

  A CQ has entries for at least as many CQEs as its creator asked for, a user context that comes back with its events, and
  a completion channel or none. The page does not say what becomes of a request for 0 or fewer entries, so nothing is
  demanded of it.

  @ibv_create_cq.signature-create @needs.connection
  Rule: A CQ is created with all that one call says of it

    @needs.cq-notifications
    Scenario: Size, user context, channel and vector of one call all count
      When a CQ "recv_cq" is created with:
        | cqe         | 5                  |
        | cq_context  | 0x0123456789abcdef |
        | channel     | channel            |
        | comp_vector | 0                  |
      And connected RC QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And 1 receive posted on QP "server"
      And CQ "recv_cq" is armed for any CQE
      And QP "client" sends 1 unsolicited message
      Then CQ "recv_cq" has at least 5 entries
      And completion channel "channel" delivers an event for CQ "recv_cq" with user context 0x0123456789abcdef

  @ibv_create_cq.creates-on-context
  Rule: A CQ belongs to the device context that it was created on

    Scenario: The CQ names its device context
      Given a CQ "cq"
      Then CQ "cq" belongs to the device context

    @needs.cq-notifications
    Scenario: It names the same one when another context has been opened
      Given a CQ "cq"
      When the program uses other contexts
      Then CQ "cq" belongs to the device context

  @ibv_create_cq.min-size
  Rule: A CQ has room for at least as many CQEs as were asked for

    Scenario Outline: A CQ that was asked to have <cqe> entries says that it has no fewer
      Given a CQ "cq" of <cqe> entries
      Then CQ "cq" has at least <cqe> entries

      Examples:
        | cqe |
        | 1   |
        | 7   |
        | 8   |
        | 100 |
        | 300 |
        | 4000 |

    @needs.connection
    Scenario: As many CQEs as were asked for wait in the CQ at once
      Given a CQ "recv_cq" of 7 entries
      And a CQ "send_cq"
      And connected RC QPs:
        | QP     | send CQ | receive CQ |
        | client | send_cq |            |
        | server |         | recv_cq    |
      And 7 receives posted on QP "server"
      When QP "client" sends 7 unsolicited messages
      Then CQ "send_cq" gains 7 CQEs with status IBV_WC_SUCCESS
      And the device raises no IBV_EVENT_CQ_ERR
      And CQ "recv_cq" gains 7 CQEs with status IBV_WC_SUCCESS

    @needs.connection @needs.cq-notifications
    Scenario Outline: There is still room for as many CQEs after the use of <others>
      Given a CQ "recv_cq" of 7 entries
      And connected RC QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And 7 receives posted on QP "server"
      When the program uses <others>
      And QP "client" sends 7 unsolicited messages
      Then CQ "recv_cq" has at least 7 entries
      And CQ "recv_cq" gains 7 CQEs with status IBV_WC_SUCCESS

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

    @needs.connection
    Scenario Outline: A CQ of <cqe> entries takes <cqe> CQEs
      Given a CQ "deep_cq" of <cqe> entries
      And connected RC QPs "client" and "server", where "server" receives on CQ "deep_cq"
      And <cqe> receives posted on QP "server"
      When QP "client" sends <cqe> unsolicited messages
      And a moment passes
      Then the device raises no IBV_EVENT_CQ_ERR
      And CQ "deep_cq" gains <cqe> CQEs with status IBV_WC_SUCCESS

      Examples:
        | cqe |
        | 65  |
        | 128 |
        | 257 |

  @ibv_create_cq.cq-context-stored
  Rule: The user context of a CQ is read back as it was given

    @needs.cq-notifications
    Scenario Outline: The user context <cq_context> is kept unaltered
      Given a CQ "cq" with:
        | cqe        | 4            |
        | cq_context | <cq_context> |
        | channel    | channel      |
      Then the user context of CQ "cq" is <cq_context>
      When CQ "cq" is armed for any CQE
      Then the user context of CQ "cq" is <cq_context>

      Examples:
        | cq_context         |
        | 0x0                |
        | 0x0123456789abcdef |
        | 0xffffffffffffffff |

    Scenario: Each of two CQs keeps its own
      Given a CQ "one_cq" with:
        | cqe        | 4   |
        | cq_context | 0x1 |
      And a CQ "other_cq" with:
        | cqe        | 4   |
        | cq_context | 0x2 |
      Then the user context of CQ "one_cq" is 0x1
      And the user context of CQ "other_cq" is 0x2

  @ibv_create_cq.channel-optional @needs.connection
  Rule: A CQ without a completion channel is polled as any other

    Scenario: A CQ without a channel gives its CQEs
      When a CQ "silent_cq" is created with:
        | cqe | 4 |
      And connected RC QPs "client" and "server", where "server" receives on CQ "silent_cq"
      And 1 receive posted on QP "server"
      And QP "client" sends 1 unsolicited message
      Then CQ "silent_cq" gains 1 CQE with status IBV_WC_SUCCESS

    @needs.cq-notifications
    Scenario: A CQ without a channel that is armed gives its CQEs no less
      Given a CQ "silent_cq" with:
        | cqe | 4 |
      And connected RC QPs "client" and "server", where "server" receives on CQ "silent_cq"
      And 2 receives posted on QP "server"
      When arming CQ "silent_cq" succeeds or is refused with an errno number
      And QP "client" sends 2 unsolicited messages
      Then CQ "silent_cq" gains 2 CQEs with status IBV_WC_SUCCESS

  @ibv_create_cq.channel-used @needs.connection
  Rule: The events of a CQ come out of the completion channel it was created with

    @needs.cq-notifications
    Scenario: Of two channels the one of the CQ delivers
      Given a CQ "recv_cq" on completion channel "channel"
      And a CQ "other_cq" on completion channel "other_channel"
      And connected RC QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And 1 receive posted on QP "server"
      And CQ "recv_cq" is armed for any CQE
      And CQ "other_cq" is armed for any CQE
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more
      And completion channel "other_channel" delivers no event

    @needs.cq-notifications
    Scenario: A channel that two CQs share tells them apart
      Given a CQ "recv_cq" on completion channel "channel"
      And a CQ "other_cq" on completion channel "channel"
      And connected RC QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And 1 receive posted on QP "server"
      And CQ "recv_cq" is armed for any CQE
      And CQ "other_cq" is armed for any CQE
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

  @ibv_create_cq.vector-lower-bound
  Rule: The lowest completion vector is 0

    The page asks for at least 0; this suite reads it as a promise that another one is refused.

    Scenario: Vector -1 is refused, vector 0 is not
      Then creating a CQ with completion vector -1 is refused
      And creating a CQ with completion vector 0 succeeds

  @ibv_create_cq.vector-upper-bound
  Rule: The highest completion vector is num_comp_vectors - 1

    The page asks for less than num_comp_vectors; this suite reads it as a promise that another one is refused.

    Scenario: The number of vectors is refused as a vector, one less is not
      Then creating a CQ with completion vector num_comp_vectors is refused
      And creating a CQ with completion vector num_comp_vectors - 1 succeeds

    @needs.connection @needs.cq-notifications
    Scenario: A CQ on the highest vector delivers its events
      When a CQ "recv_cq" is created with:
        | cqe         | 4                    |
        | channel     | channel              |
        | comp_vector | num_comp_vectors - 1 |
      And connected RC QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And 1 receive posted on QP "server"
      And CQ "recv_cq" is armed for any CQE
      And QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

    @needs.connection @needs.cq-notifications
    Scenario: A CQ on any vector delivers its events
      Then a CQ on each completion vector delivers the event of a message to completion channel "channel"

  @ibv_create_cq.destroys
  Rule: A CQ that was destroyed is gone

    A CQ that is gone does not hold its channel any more, of which ibv_create_comp_channel(3) says that it is destroyed
    only after its CQs, and no event names it.

    @needs.cq-notifications
    Scenario: The channel of the CQ can be destroyed after it, and not before
      Given a CQ "cq" on completion channel "channel"
      Then destroying completion channel "channel" is refused
      And destroying CQ "cq" succeeds
      And destroying completion channel "channel" succeeds

    @needs.connection @needs.cq-notifications
    Scenario: CQEs that nobody polled go with the CQ
      Given a CQ "recv_cq" on completion channel "channel"
      And connected RC QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And 2 receives posted on QP "server"
      And 2 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      And 2 events of CQ "recv_cq" are acknowledged
      And QPs "client" and "server" are destroyed
      Then destroying CQ "recv_cq" succeeds
      And destroying completion channel "channel" succeeds

    @needs.connection @needs.cq-notifications
    Scenario: An event that nobody took goes with its CQ, and that of another CQ stays
      Given a CQ "send_cq" on completion channel "channel"
      And a CQ "recv_cq" on completion channel "channel"
      And connected RC QPs:
        | QP     | send CQ | receive CQ |
        | client | send_cq |            |
        | server |         | recv_cq    |
      And 1 receive posted on QP "server"
      And CQ "send_cq" is armed for any CQE
      And CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      And CQ "send_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS
      When QPs "client" and "server" are destroyed
      And destroying CQ "send_cq" succeeds
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

    @needs.connection @needs.cq-notifications @needs.cq-moderation
    Scenario: A moderated CQ that is destroyed makes no event any more
      Given a CQ "recv_cq" on completion channel "channel"
      And connected RC QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And 1 receive posted on QP "server"
      And modifying CQ "recv_cq" with attr_mask IBV_CQ_ATTR_MODERATE, cq_count 3 and cq_period 4095 succeeds
      And CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      And CQ "recv_cq" has been emptied of 1 CQE
      When QPs "client" and "server" are destroyed
      And destroying CQ "recv_cq" succeeds
      Then completion channel "channel" delivers no event

    @needs.connection @needs.cq-notifications @needs.arm-before-get
    Scenario: Two events that nobody took go with their CQ
      Given a CQ "recv_cq" on completion channel "channel"
      And connected RC QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And 2 receives posted on QP "server"
      And CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      And CQ "recv_cq" has been emptied of 1 CQE
      And an event waits on completion channel "channel"
      And CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      And CQ "recv_cq" has been emptied of 1 CQE
      When QPs "client" and "server" are destroyed
      And destroying CQ "recv_cq" succeeds
      Then completion channel "channel" delivers no event

  @ibv_create_cq.returns-pointer
  Rule: ibv_create_cq() returns a pointer when it has created the CQ

    Scenario: The result of a request that can be met is a pointer
      When creating a CQ of 4 entries returns
      Then ibv_create_cq returned a pointer

  @ibv_create_cq.returns-null
  Rule: ibv_create_cq() returns NULL when it has created no CQ

    Scenario: A vector that the device lacks
      When creating a CQ with completion vector num_comp_vectors returns
      Then ibv_create_cq returned NULL

    Scenario: More entries than the device has for a CQ
      When creating a CQ of more entries than the device allows returns
      Then ibv_create_cq returned NULL

  @ibv_create_cq.errno-on-null
  Rule: A request that failed leaves its cause in errno

    The page says so from rdma-core 65 on; older ones promise NULL and no more. None says which errno it is.

    @needs.rdma-core-65
    Scenario: A vector that the device lacks leaves an errno
      When creating a CQ with completion vector num_comp_vectors returns
      Then ibv_create_cq returned NULL and left an errno

    @needs.rdma-core-65
    Scenario: More entries than the device has for a CQ leave an errno
      When creating a CQ of more entries than the device allows returns
      Then ibv_create_cq returned NULL and left an errno

  @ibv_create_cq.signature-destroy @ibv_create_cq.destroy-returns-zero
  Rule: ibv_destroy_cq() takes the CQ and returns 0 when it has destroyed it

    Scenario: Destroying a CQ that nothing uses returns 0
      Given a CQ "cq"
      When destroying CQ "cq" returns
      Then ibv_destroy_cq returned 0

  @ibv_create_cq.destroy-returns-errno @needs.connection
  Rule: ibv_destroy_cq() returns the number of an errno when it refuses

    The page does not name the values.

    Scenario: A CQ that QPs use is refused with an errno number
      Given a CQ "cq"
      And connected RC QPs "client" and "server", where "server" receives on CQ "cq"
      When destroying CQ "cq" returns
      Then ibv_destroy_cq returned an errno number

  @ibv_create_cq.size-may-exceed @ibv_create_cq.cqe-holds-actual @needs.connection
  Rule: The cqe member tells how many CQEs a CQ has room for, which may be more than were asked for

    Scenario: A CQ takes as many CQEs as its cqe member says
      Given a CQ "send_cq" of 5 entries
      And connected RC QPs "client" and "server", where "client" sends on CQ "send_cq"
      And as many receives posted on QP "server" as it takes to overrun CQ "send_cq"
      When QP "client" sends as many messages as CQ "send_cq" has entries
      Then QP "server" receives as many messages as CQ "send_cq" has entries
      And the device raises no IBV_EVENT_CQ_ERR
      And CQ "send_cq" gains as many CQEs as it has entries, with status IBV_WC_SUCCESS
      And CQ "send_cq" has at least 5 entries

  @ibv_create_cq.destroy-busy-send-cq @needs.connection
  Rule: A CQ cannot be destroyed while a QP sends on it

    Scenario: Destroying is refused before the QP is destroyed, and succeeds after
      Given a CQ "send_cq"
      And connected RC QPs "client" and "server", where "client" sends on CQ "send_cq"
      Then destroying CQ "send_cq" is refused
      And destroying QP "client" succeeds
      And destroying CQ "send_cq" succeeds

    Scenario: The QP reports its sends there after the refusal as before
      Given a CQ "send_cq"
      And connected RC QPs "client" and "server", where "client" sends on CQ "send_cq"
      And 1 receive posted on QP "server"
      When destroying CQ "send_cq" is refused
      And QP "client" sends 1 unsolicited message
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_SUCCESS

    Scenario Outline: Destroying the CQ on which a <qp_type> QP sends is refused, however often
      Given a CQ "cq"
      And connected <qp_type> QPs "client" and "server", where "client" sends on CQ "cq"
      Then destroying CQ "cq" is refused
      And destroying CQ "cq" is refused
      And destroying QP "client" succeeds
      And destroying CQ "cq" succeeds

      Examples:
        | qp_type |
        | RC      |

      @needs.uc
      Examples: of UC QPs
        | qp_type |
        | UC      |

      @needs.ud
      Examples: of UD QPs
        | qp_type |
        | UD      |

    Scenario: Destroying is refused while the QP that sends is in the error state
      Given a CQ "cq"
      And connected RC QPs "client" and "server", where "client" sends on CQ "cq"
      And QP "client" is moved to IBV_QPS_ERR
      And a moment passes
      Then destroying CQ "cq" is refused
      And destroying QP "client" succeeds
      And destroying CQ "cq" succeeds

    @needs.cq-notifications
    Scenario: A CQ of sends is armed and notifies after each refusal as before
      Given a CQ "cq" on completion channel "channel"
      And connected RC QPs "client" and "server", where "client" sends on CQ "cq"
      And 2 receives posted on QP "server"
      When destroying CQ "cq" is refused
      And CQ "cq" is armed for any CQE
      And QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "cq" and no more
      And CQ "cq" gains 1 CQE with status IBV_WC_SUCCESS
      When destroying CQ "cq" is refused
      And CQ "cq" is armed for any CQE
      And QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "cq" and no more
      And CQ "cq" gains 1 CQE with status IBV_WC_SUCCESS

    @needs.arm-before-get @needs.arm-ignores-backlog @needs.cq-notifications
    Scenario: A CQ of sends keeps its CQE, its event and its request after the refusal
      Given a CQ "cq" on completion channel "channel"
      And connected RC QPs:
        | QP     | send CQ |
        | client | cq      |
        | server |         |
      And 2 receives posted on QP "server"
      And CQ "cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      And an event waits on completion channel "channel"
      And CQ "cq" is armed for any CQE
      When destroying CQ "cq" is refused
      Then completion channel "channel" delivers 1 event for CQ "cq" and no more
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "cq" and no more
      And CQ "cq" gains 2 CQEs with status IBV_WC_SUCCESS
      And destroying completion channel "channel" is refused

    Scenario: Destroying is refused for a QP that sends on it and was never brought up
      Given a CQ "cq"
      And connected RC QPs:
        | QP     | send CQ | state        |
        | client | cq      | IBV_QPS_RESET |
        | server |         |              |
      Then destroying CQ "cq" is refused
      And destroying QP "client" succeeds
      And destroying CQ "cq" succeeds

  @ibv_create_cq.destroy-busy-recv-cq @needs.connection
  Rule: A CQ cannot be destroyed while a QP receives on it

    Scenario: Destroying is refused before the QP is destroyed, and succeeds once it is gone
      Given a CQ "recv_cq"
      And connected RC QPs "client" and "server", where "server" receives on CQ "recv_cq"
      Then destroying CQ "recv_cq" is refused
      And destroying QP "server" succeeds
      And destroying CQ "recv_cq" succeeds

    Scenario: The QP reports its receives there after the refusal as before
      Given a CQ "recv_cq"
      And connected RC QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And 1 receive posted on QP "server"
      When destroying CQ "recv_cq" is refused
      And QP "client" sends 1 unsolicited message
      Then CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS

    @needs.cq-notifications
    Scenario Outline: Destroying is refused until the QP is gone, also after the use of <others>
      Given a CQ "recv_cq"
      And connected RC QPs "client" and "server", where "server" receives on CQ "recv_cq"
      When the program uses <others>
      Then destroying CQ "recv_cq" is refused
      And destroying QP "server" succeeds
      And destroying CQ "recv_cq" succeeds

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

    @needs.extended-cq @needs.standard-wc-flags @needs.cq-notifications
    Scenario Outline: Destroying is refused until the QP is gone, also after <batch>
      Given an extended CQ "lazy_cq" on completion channel "lazy_channel" that provides "IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_IMM | IBV_WC_EX_WITH_QP_NUM | IBV_WC_EX_WITH_SRC_QP | IBV_WC_EX_WITH_SLID | IBV_WC_EX_WITH_SL | IBV_WC_EX_WITH_DLID_PATH_BITS <flags>"
      And connected RC QPs "left" and "right", where "right" receives on CQ "lazy_cq"
      And 4 receives posted on QP "right"
      And 2 events of CQ "lazy_cq" for unsolicited messages have been taken from completion channel "lazy_channel"
      When the program uses <batch>
      Then destroying CQ "lazy_cq" is refused
      And destroying QP "right" succeeds
      When 2 events of CQ "lazy_cq" are acknowledged
      Then destroying CQ "lazy_cq" succeeds

      @needs.extended-cq
      Examples:
        | batch                   | flags |
        | a batch of CQ "lazy_cq" |       |

      @needs.extended-cq @needs.completion-timestamps
      Examples:
        | batch                                    | flags                                  |
        | a batch of CQ "lazy_cq" with time stamps | \| IBV_WC_EX_WITH_COMPLETION_TIMESTAMP |

    Scenario Outline: Destroying the CQ on which a <qp_type> QP receives is refused, however often
      Given a CQ "cq"
      And connected <qp_type> QPs "client" and "server", where "client" receives on CQ "cq"
      Then destroying CQ "cq" is refused
      And destroying CQ "cq" is refused
      And destroying QP "client" succeeds
      And destroying CQ "cq" succeeds

      Examples:
        | qp_type |
        | RC      |

      @needs.uc
      Examples: of UC QPs
        | qp_type |
        | UC      |

      @needs.ud
      Examples: of UD QPs
        | qp_type |
        | UD      |

    Scenario: Destroying is refused while the QP that receives is in the error state
      Given a CQ "cq"
      And connected RC QPs "client" and "server", where "client" receives on CQ "cq"
      And QP "client" is moved to IBV_QPS_ERR
      And a moment passes
      Then destroying CQ "cq" is refused
      And destroying QP "client" succeeds
      And destroying CQ "cq" succeeds

    @needs.cq-notifications
    Scenario: A CQ of receives is armed and notifies after each refusal as before
      Given a CQ "cq" on completion channel "channel"
      And connected RC QPs "client" and "server", where "server" receives on CQ "cq"
      And 2 receives posted on QP "server"
      When destroying CQ "cq" is refused
      And CQ "cq" is armed for any CQE
      And QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "cq" and no more
      And CQ "cq" gains 1 CQE with status IBV_WC_SUCCESS
      When destroying CQ "cq" is refused
      And CQ "cq" is armed for any CQE
      And QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "cq" and no more
      And CQ "cq" gains 1 CQE with status IBV_WC_SUCCESS

    @needs.arm-before-get @needs.arm-ignores-backlog @needs.cq-notifications
    Scenario: A CQ of receives keeps its CQE, its event and its request after the refusal
      Given a CQ "cq" on completion channel "channel"
      And connected RC QPs:
        | QP     | receive CQ |
        | client |            |
        | server | cq         |
      And 2 receives posted on QP "server"
      And CQ "cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      And an event waits on completion channel "channel"
      And CQ "cq" is armed for any CQE
      When destroying CQ "cq" is refused
      Then completion channel "channel" delivers 1 event for CQ "cq" and no more
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "cq" and no more
      And CQ "cq" gains 2 CQEs with status IBV_WC_SUCCESS
      And destroying completion channel "channel" is refused

    @needs.srq
    Scenario: Destroying is refused while a QP receives from an SRQ on it
      Given a CQ "recv_cq"
      And an SRQ "srq"
      And connected RC QPs:
        | QP     | receive CQ | SRQ |
        | client |            |     |
        | server | recv_cq    | srq |
      Then destroying CQ "recv_cq" is refused
      And destroying QP "server" succeeds
      And destroying CQ "recv_cq" succeeds

    Scenario: Destroying is refused for a QP that receives on it and was never brought up
      Given a CQ "cq"
      And connected RC QPs:
        | QP     | receive CQ | state        |
        | client | cq         | IBV_QPS_RESET |
        | server |            |              |
      Then destroying CQ "cq" is refused
      And destroying QP "client" succeeds
      And destroying CQ "cq" succeeds

  @ibv_create_cq.destroy-ok-after-qp @needs.connection
  Rule: A CQ can be destroyed when the last of its QPs is gone

    Scenario: Two QPs use the CQ, and the first of them to go does not free it
      Given a CQ "cq"
      And connected RC QPs:
        | QP     | send CQ | receive CQ |
        | client | cq      |            |
        | server |         | cq         |
      Then destroying QP "client" succeeds
      And destroying CQ "cq" is refused
      And destroying QP "server" succeeds
      And destroying CQ "cq" succeeds

    Scenario: One QP both sends and receives on the CQ
      Given a CQ "cq"
      And connected RC QPs:
        | QP     | send CQ | receive CQ |
        | client | cq      | cq         |
        | server |         |            |
      Then destroying CQ "cq" is refused
      And destroying QP "client" succeeds
      And destroying CQ "cq" succeeds
