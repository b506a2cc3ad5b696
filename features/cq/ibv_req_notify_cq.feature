@ibv_req_notify_cq @needs.connection @needs.cq-notifications
Feature: ibv_req_notify_cq(3) - request completion notification on a CQ

  A CQ makes a completion event only when it was armed before, and only for a CQE that matches what was asked for: any
  CQE, or a solicited one. A receive is solicited when its sender set IBV_SEND_SOLICITED; so is whatever has failed.
  "Armed for any CQE" is solicited_only 0, "for solicited CQEs only" is 1.

  Background:
    Given a CQ "recv_cq" on completion channel "channel"
    And a CQ "send_cq" on completion channel "channel"
    And connected RC QPs:
      | QP     | send CQ | receive CQ | access                  |
      | client | send_cq |            |                         |
      | server |         | recv_cq    | IBV_ACCESS_REMOTE_WRITE |
    And 4 receives posted on QP "server"

  @ibv_req_notify_cq.signature @ibv_req_notify_cq.returns-zero
  Rule: It takes a CQ and a number, and returns 0 when it has armed the CQ

    Scenario: Arming for any CQE returns 0
      When arming CQ "recv_cq" with solicited_only 0 returns
      Then ibv_req_notify_cq returned 0
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

    @needs.solicited-events
    Scenario: Arming for solicited CQEs returns 0
      When arming CQ "recv_cq" with solicited_only 1 returns
      Then ibv_req_notify_cq returned 0

    Scenario: Arming a CQ that is armed already returns 0
      Given CQ "recv_cq" is armed for any CQE
      When arming CQ "recv_cq" returns
      Then ibv_req_notify_cq returned 0
      And completion channel "channel" delivers no event

  @ibv_req_notify_cq.returns-errno
  Rule: When it fails, it returns the number of an errno

    The page names no request that every device refuses. Some know nothing of solicited CQEs and refuse to be armed for
    them: then the number says so, and it is not negative.

    Scenario: Arming for solicited CQEs, which a device may not know
      Then arming CQ "recv_cq" with solicited_only 1 succeeds or is refused with an errno number

    Scenario: Arming for solicited CQEs what is armed for any CQE
      Given CQ "recv_cq" is armed for any CQE
      Then arming CQ "recv_cq" with solicited_only -1 succeeds or is refused with an errno number

    @needs.solicited-events
    Scenario: Arming for solicited CQEs what is armed for them
      Given CQ "recv_cq" is armed for solicited CQEs only
      Then arming CQ "recv_cq" with solicited_only 2 succeeds or is refused with an errno number

  @ibv_req_notify_cq.arms-cq
  Rule: It is the call that makes a later CQE notify

    Scenario: A CQE of an armed CQ adds an event
      Given CQ "recv_cq" is armed for any CQE
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

    Scenario: No CQE of a CQ that was never armed adds an event
      When QP "client" sends 1 unsolicited message
      And QP "client" sends 1 solicited message
      Then CQ "recv_cq" gains 2 CQEs with status IBV_WC_SUCCESS
      And CQ "send_cq" gains 2 CQEs with status IBV_WC_SUCCESS
      And completion channel "channel" delivers no event

    Scenario Outline: A request for any CQE outlives the use of <others>
      Given CQ "recv_cq" is armed for any CQE
      When the program uses <others>
      And QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more
      And CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS

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

    @needs.extended-cq @needs.standard-wc-flags
    Scenario Outline: A request for any CQE outlives <batch>
      Given an extended CQ "lazy_cq" on completion channel "lazy_channel" that provides "IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_IMM | IBV_WC_EX_WITH_QP_NUM | IBV_WC_EX_WITH_SRC_QP | IBV_WC_EX_WITH_SLID | IBV_WC_EX_WITH_SL | IBV_WC_EX_WITH_DLID_PATH_BITS <flags>"
      And connected RC QPs "left" and "right", where "right" receives on CQ "lazy_cq"
      And 4 receives posted on QP "right"
      And 2 events of CQ "lazy_cq" for unsolicited messages have been taken from completion channel "lazy_channel"
      And CQ "lazy_cq" is armed for any CQE
      When the program uses <batch>
      And QP "left" sends 1 unsolicited message
      Then completion channel "lazy_channel" delivers 1 event for CQ "lazy_cq" and no more

      @needs.extended-cq
      Examples:
        | batch                   | flags |
        | a batch of CQ "lazy_cq" |       |

      @needs.extended-cq @needs.completion-timestamps
      Examples:
        | batch                                    | flags                                  |
        | a batch of CQ "lazy_cq" with time stamps | \| IBV_WC_EX_WITH_COMPLETION_TIMESTAMP |

    @needs.resize-cq @needs.arm-ignores-backlog
    Scenario Outline: A request outlives a resize from 40 to <cqe> entries, which makes no event of its own
      Given 2 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      And resizing CQ "recv_cq" to 40 entries succeeds
      And CQ "recv_cq" is armed for any CQE
      When resizing CQ "recv_cq" to <cqe> entries succeeds
      Then completion channel "channel" delivers no event
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

      Examples:
        | cqe |
        | 4   |
        | 80  |

    @needs.resize-cq
    Scenario: A request outlives a resize that is refused
      Given CQ "recv_cq" is armed for any CQE
      When resizing CQ "recv_cq" to more entries than the device allows is refused
      And QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

    @needs.extended-cq
    Scenario: A request that is made while a batch is open counts
      Given an extended CQ "lazy_cq" on completion channel "lazy_channel" that provides "0"
      And connected RC QPs "left" and "right", where "right" receives on CQ "lazy_cq"
      And 2 receives posted on QP "right"
      And 1 event of CQ "lazy_cq" for an unsolicited message has been taken from completion channel "lazy_channel"
      And a batch of CQ "lazy_cq" is open
      When arming CQ "lazy_cq" succeeds
      And the batch of CQ "lazy_cq" is closed
      And QP "left" sends 1 unsolicited message
      Then completion channel "lazy_channel" delivers 1 event for CQ "lazy_cq" and no more

    Scenario: A CQ does not take over the request of one that was destroyed
      Given a CQ "first_cq" on completion channel "other_channel"
      And CQ "first_cq" is armed for any CQE
      And destroying CQ "first_cq" succeeds
      When a CQ "second_cq" is created with:
        | cqe     | 4             |
        | channel | other_channel |
      And connected RC QPs "left" and "right", where "right" receives on CQ "second_cq"
      And 1 receive posted on QP "right"
      And QP "left" sends 1 unsolicited message
      Then CQ "second_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And completion channel "other_channel" delivers no event

    Scenario Outline: A request for <wanted> stands, whatever is asked for of a CQ of another device context
      Given CQ "recv_cq" is armed for <wanted>
      And the program works on device context "other"
      And a CQ "other_cq" on completion channel "other_channel"
      When CQ "other_cq" is armed for <other>
      And QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers <first> event for CQ "recv_cq" and no more
      When QP "client" sends 1 solicited message
      Then completion channel "channel" delivers <second> event for CQ "recv_cq" and no more

      @needs.solicited-events
      Examples:
        | wanted              | other               | first | second |
        | any CQE             | solicited CQEs only | 1     | 0      |
        | solicited CQEs only | any CQE             | 0     | 1      |

    Scenario: A CQ that was not armed stays silent beside one of another device context that was
      Given the program works on device context "other"
      And a CQ "other_cq" on completion channel "other_channel"
      When CQ "other_cq" is armed for any CQE
      And QP "client" sends 1 solicited message
      And CQ "recv_cq" has been emptied of 1 CQE
      Then completion channel "channel" delivers no event

    @needs.arm-ignores-backlog
    Scenario: A CQ that is full is armed as any other
      Given a CQ "small_cq" of 4 entries on completion channel "channel"
      And connected RC QPs "left" and "right", where "left" sends on CQ "small_cq"
      And as many receives posted on QP "right" as it takes to overrun CQ "small_cq"
      And QP "left" has sent as many messages as CQ "small_cq" has entries
      And QP "right" receives as many messages as CQ "small_cq" has entries
      And a moment passes
      And CQ "small_cq" is armed for any CQE
      And CQ "small_cq" gains as many CQEs as it has entries, with status IBV_WC_SUCCESS
      When QP "left" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "small_cq" and no more

    Scenario: A CQ stays armed when another of its QPs goes to the error state
      Given connected RC QPs "left" and "right", where "right" receives on CQ "recv_cq"
      And CQ "recv_cq" is armed for any CQE
      When QP "right" is moved to IBV_QPS_ERR
      And QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

  @ibv_req_notify_cq.marks-only
  Rule: Arming returns although no CQE comes

    Scenario: Arming an empty CQ for any CQE
      When arming CQ "recv_cq" begins
      Then arming CQ "recv_cq" succeeds
      And CQ "recv_cq" is empty

    @needs.solicited-events
    Scenario: Arming for solicited CQEs a CQ that holds an unsolicited one
      Given 1 event of CQ "recv_cq" for an unsolicited message has been taken from completion channel "channel"
      When arming CQ "recv_cq" with solicited_only 1 begins
      Then arming CQ "recv_cq" with solicited_only 1 succeeds
      And CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS

  @ibv_req_notify_cq.event-on-bound-channel
  Rule: The event comes out of the channel that the CQ was created with, and of no other

    Scenario: Another channel with an armed CQ of its own gets nothing
      Given a CQ "other_cq" on completion channel "other_channel"
      And CQ "other_cq" is armed for any CQE
      And CQ "recv_cq" is armed for any CQE
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more
      And completion channel "other_channel" delivers no event

    Scenario: The two ends of a connection notify on two channels
      Given a CQ "left_cq" on completion channel "left_channel"
      And a CQ "right_cq" on completion channel "right_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | left_cq |            |
        | right |         | right_cq   |
      And 1 receive posted on QP "right"
      And CQ "left_cq" is armed for any CQE
      And CQ "right_cq" is armed for any CQE
      When QP "left" sends 1 unsolicited message
      Then completion channel "left_channel" delivers 1 event for CQ "left_cq" and no more
      And completion channel "right_channel" delivers 1 event for CQ "right_cq" and no more
      And completion channel "channel" delivers no event

  @ibv_req_notify_cq.event-follows-cqe
  Rule: Once the event can be taken, the CQE can be polled

    Scenario: One poll after the event finds the receive
      Given CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      When the event of CQ "recv_cq" on completion channel "channel" is taken
      Then polling CQ "recv_cq" for 1 entry gives 1 CQE

    Scenario: One poll after the event finds the send
      Given CQ "send_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      When the event of CQ "send_cq" on completion channel "channel" is taken
      Then polling CQ "send_cq" for 1 entry gives 1 CQE

    Scenario: One message makes an event of the CQ of its sender and one of that of its receiver
      Given CQ "send_cq" is armed for any CQE
      And CQ "recv_cq" is armed for any CQE
      When QP "client" sends 1 unsolicited message
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And getting an event from completion channel "channel" succeeds
      And getting an event from completion channel "channel" succeeds
      And completion channel "channel" delivers no event

  @ibv_req_notify_cq.fetched-by-get-event
  Rule: The notification is taken with ibv_get_cq_event()

    Scenario: A get gives the notification
      Given CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      When getting an event from completion channel "channel" begins
      Then getting an event from completion channel "channel" gives an event of CQ "recv_cq"

  @ibv_req_notify_cq.zero-any-cqe
  Rule: With solicited_only 0 the next CQE notifies, whichever it is

    Scenario: On one CQ a receive notifies, and once armed again a send
      Given a CQ "both_cq" on completion channel "channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | both_cq | both_cq    |
        | right |         |            |
      And 1 receive posted on QP "left"
      And 1 receive posted on QP "right"
      And CQ "both_cq" is armed for any CQE
      When QP "right" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "both_cq" and no more
      When CQ "both_cq" has been emptied of 1 CQE
      And CQ "both_cq" is armed for any CQE
      And QP "left" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "both_cq" and no more
      And CQ "both_cq" gains 1 CQE with status IBV_WC_SUCCESS

    Scenario Outline: <opcode> of <qp_type> QPs notifies its sender once, and its receiver once if it takes a receive
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected <qp_type> QPs:
        | QP    | send CQ | receive CQ | access                                            |
        | left  | near_cq |            |                                                   |
        | right |         | far_cq     | IBV_ACCESS_REMOTE_WRITE \| IBV_ACCESS_REMOTE_READ |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ
      And 1 receive posted on QP "right"
      And CQ "near_cq" is armed for any CQE
      And CQ "far_cq" is armed for any CQE
      When QP "left" posts these sends:
        | opcode   | remote   | imm_data   |
        | <opcode> | <remote> | <imm_data> |
      Then completion channel "near_channel" delivers 1 event for CQ "near_cq" and no more
      And completion channel "far_channel" delivers <receives> event for CQ "far_cq" and no more
      And CQ "near_cq" gains 1 CQE with status IBV_WC_SUCCESS

      Examples: of RC QPs
        | qp_type | opcode                     | remote | imm_data | receives |
        | RC      | IBV_WR_SEND                |        |          | 1        |
        | RC      | IBV_WR_SEND_WITH_IMM       |        | 0x1      | 1        |
        | RC      | IBV_WR_RDMA_WRITE          | target |          | 0        |
        | RC      | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x1      | 1        |
        | RC      | IBV_WR_RDMA_READ           | target |          | 0        |

      @needs.uc
      Examples: of UC QPs
        | qp_type | opcode                     | remote | imm_data | receives |
        | UC      | IBV_WR_SEND                |        |          | 1        |
        | UC      | IBV_WR_SEND_WITH_IMM       |        | 0x1      | 1        |
        | UC      | IBV_WR_RDMA_WRITE          | target |          | 0        |
        | UC      | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x1      | 1        |

      @needs.ud
      Examples: of UD QPs
        | qp_type | opcode               | remote | imm_data | receives |
        | UD      | IBV_WR_SEND          |        |          | 1        |
        | UD      | IBV_WR_SEND_WITH_IMM |        | 0x1      | 1        |

    @needs.srq
    Scenario Outline: <opcode> to an SRQ notifies sender and receiver once each
      Given an SRQ "srq"
      And a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ | SRQ | access                                            |
        | left  | near_cq |            |     |                                                   |
        | right |         | far_cq     | srq | IBV_ACCESS_REMOTE_WRITE \| IBV_ACCESS_REMOTE_READ |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ
      And 1 receive posted on SRQ "srq"
      And CQ "near_cq" is armed for any CQE
      And CQ "far_cq" is armed for any CQE
      When QP "left" posts these sends:
        | opcode   | remote   | imm_data   |
        | <opcode> | <remote> | <imm_data> |
      Then completion channel "near_channel" delivers 1 event for CQ "near_cq" and no more
      And completion channel "far_channel" delivers 1 event for CQ "far_cq" and no more

      Examples:
        | opcode                     | remote | imm_data |
        | IBV_WR_SEND                |        |          |
        | IBV_WR_SEND_WITH_IMM       |        | 0x1      |
        | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x1      |

    @needs.atomics
    Scenario Outline: <opcode> notifies its sender once
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ | access                   |
        | left  | near_cq |            |                          |
        | right |         | far_cq     | IBV_ACCESS_REMOTE_ATOMIC |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_ATOMIC
      And CQ "near_cq" is armed for any CQE
      And CQ "far_cq" is armed for any CQE
      When QP "left" posts these sends:
        | opcode   | remote | bytes | compare_add |
        | <opcode> | target | 8     | 0x1         |
      Then completion channel "near_channel" delivers 1 event for CQ "near_cq" and no more
      And completion channel "far_channel" delivers 0 events for CQ "far_cq" and no more

      Examples:
        | opcode                      |
        | IBV_WR_ATOMIC_CMP_AND_SWP   |
        | IBV_WR_ATOMIC_FETCH_AND_ADD |

    @needs.memory-windows @needs.send-with-invalidate
    Scenario: A bind, an invalidation and the receive that brings one notify
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And memory window "theirs" onto memory "target", bound by QP "server" with IBV_ACCESS_REMOTE_WRITE
      And CQ "recv_cq" is armed for any CQE
      When QP "client" posts these sends:
        | opcode               | invalidates |
        | IBV_WR_SEND_WITH_INV | theirs      |
      Then CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And completion channel "channel" delivers 1 event for CQ "recv_cq" and no more
      When CQ "send_cq" has been emptied of 1 CQE
      And CQ "send_cq" is armed for any CQE
      And binding memory window "own" onto memory "target" by QP "client" with IBV_ACCESS_REMOTE_WRITE succeeds
      Then completion channel "channel" delivers 1 event for CQ "send_cq" and no more
      When CQ "send_cq" is armed for any CQE
      And QP "client" posts these sends:
        | opcode           | invalidates |
        | IBV_WR_LOCAL_INV | own         |
      Then completion channel "channel" delivers 1 event for CQ "send_cq" and no more
      And CQ "send_cq" gains 2 CQEs with status IBV_WC_SUCCESS

    @needs.inline
    Scenario Outline: A message of <what> notifies sender and receiver once each
      Given a CQ "near_cq" of 24 entries on completion channel "near_channel"
      And a CQ "far_cq" of 24 entries on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ | SGEs | inline |
        | left  | near_cq |            | 2    | 16     |
        | right |         | far_cq     | 2    |        |
      And memory "short" of 16 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "long" of 9000 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "front" of 8 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "room" of 9100 bytes with IBV_ACCESS_LOCAL_WRITE
      And these receives are posted on QP "right":
        | memory       |
        | front + room |
      And CQ "near_cq" is armed for any CQE
      And CQ "far_cq" is armed for any CQE
      When QP "left" posts these sends:
        | memory   | send_flags |
        | <memory> | <flags>    |
      Then completion channel "near_channel" delivers 1 event for CQ "near_cq" and no more
      And completion channel "far_channel" delivers 1 event for CQ "far_cq" and no more

      Examples:
        | what                 | memory       | flags                                |
        | no bytes             | none         | IBV_SEND_SIGNALED                    |
        | several packets      | long         | IBV_SEND_SIGNALED                    |
        | several SGEs         | short + long | IBV_SEND_SIGNALED                    |
        | inline data          | short        | IBV_SEND_SIGNALED \| IBV_SEND_INLINE |

    @needs.memory-windows @needs.srq @needs.send-with-invalidate
    Scenario: A message that invalidates notifies sender and receiver once each, also on an SRQ
      Given an SRQ "srq"
      And a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ | SRQ |
        | left  | near_cq |            |     |
        | right |         | far_cq     | srq |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And memory window "window" onto memory "target", bound by QP "right" with IBV_ACCESS_REMOTE_WRITE
      And 1 receive posted on SRQ "srq"
      And CQ "near_cq" is armed for any CQE
      And CQ "far_cq" is armed for any CQE
      When QP "left" posts these sends:
        | opcode               | invalidates | send_flags |
        | IBV_WR_SEND_WITH_INV | window      | IBV_SEND_SIGNALED |
      Then CQ "far_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And completion channel "far_channel" delivers 1 event for CQ "far_cq" and no more
      And completion channel "near_channel" delivers 1 event for CQ "near_cq" and no more

  @ibv_req_notify_cq.zero-send-success
  Rule: With solicited_only 0 a successful send notifies

    Scenario: A send notifies the CQ of its sender
      Given CQ "send_cq" is armed for any CQE
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "send_cq" and no more
      And CQ "send_cq" gains 1 CQE with status IBV_WC_SUCCESS

  @ibv_req_notify_cq.zero-recv-success
  Rule: With solicited_only 0 the receive of an unsolicited message notifies

    Scenario: The receive of an unsolicited message, armed for any CQE
      Given CQ "recv_cq" is armed for any CQE
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more
      And CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS

  @ibv_req_notify_cq.zero-recv-solicited
  Rule: With solicited_only 0 the receive of a solicited message notifies

    Scenario: The receive of a solicited message, armed for any CQE
      Given CQ "recv_cq" is armed for any CQE
      When QP "client" sends 1 solicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more
      And CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS

  @ibv_req_notify_cq.zero-send-error
  Rule: With solicited_only 0 a failed send notifies

    Scenario: A send from memory that is not its own, armed for any CQE
      Given CQ "send_cq" is armed for any CQE
      When QP "client" sends 1 unsolicited message from memory of another PD
      Then completion channel "channel" delivers 1 event for CQ "send_cq" and no more
      And CQ "send_cq" gains 1 failed CQE

    Scenario: The CQEs of a send from memory of another PD notify who asked for any
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | near_cq |            |
        | right |         | far_cq     |
      And memory "foreign" of 64 bytes in another PD, with IBV_ACCESS_LOCAL_WRITE
      And CQ "near_cq" is armed for any CQE
      And CQ "far_cq" is armed for any CQE
      When QP "left" posts these sends:
        | wr_id              | memory  |
        | 0xfedcba9876543210 | foreign |
      Then completion channel "near_channel" delivers 1 event for CQ "near_cq" and no more

    Scenario: The CQEs of a message that is too long, and of its receive notify who asked for any
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | near_cq |            |
        | right |         | far_cq     |
      And these receives are posted on QP "right":
        | wr_id              | bytes |
        | 0x0123456789abcdef | 255   |
      And CQ "near_cq" is armed for any CQE
      And CQ "far_cq" is armed for any CQE
      When QP "left" posts these sends:
        | wr_id              | bytes |
        | 0xfedcba9876543210 | 256   |
      Then completion channel "near_channel" delivers 1 event for CQ "near_cq" and no more

    Scenario: The CQEs of a message whose receive must not be written, and of that receive notify who asked for any
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | near_cq |            |
        | right |         | far_cq     |
      And memory "read_only" of 512 bytes with IBV_ACCESS_REMOTE_READ
      And these receives are posted on QP "right":
        | wr_id              | memory    |
        | 0x0123456789abcdef | read_only |
      And CQ "near_cq" is armed for any CQE
      And CQ "far_cq" is armed for any CQE
      When QP "left" posts these sends:
        | wr_id              | bytes |
        | 0xfedcba9876543210 | 256   |
      Then completion channel "near_channel" delivers 1 event for CQ "near_cq" and no more

    Scenario: The CQEs of a write that the peer does not allow notify who asked for any
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | near_cq |            |
        | right |         | far_cq     |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE
      And CQ "near_cq" is armed for any CQE
      And CQ "far_cq" is armed for any CQE
      When QP "left" posts these sends:
        | wr_id              | opcode            | remote |
        | 0xfedcba9876543210 | IBV_WR_RDMA_WRITE | target |
      Then completion channel "near_channel" delivers 1 event for CQ "near_cq" and no more

    Scenario: The CQEs of a send whose peer does not answer notify who asked for any
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ | timeout | retry_cnt |
        | left  | near_cq |            | 14      | 2         |
        | right |         | far_cq     |         |           |
      And QP "right" is moved to IBV_QPS_RESET
      And CQ "near_cq" is armed for any CQE
      And CQ "far_cq" is armed for any CQE
      When QP "left" posts these sends:
        | wr_id              | bytes |
        | 0xfedcba9876543210 | 16    |
      Then completion channel "near_channel" delivers 1 event for CQ "near_cq" and no more

    Scenario: The CQEs of a send for which its peer has no receive notify who asked for any
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ | rnr_retry |
        | left  | near_cq |            | 1         |
        | right |         | far_cq     |           |
      And CQ "near_cq" is armed for any CQE
      And CQ "far_cq" is armed for any CQE
      When QP "left" posts these sends:
        | wr_id              | bytes |
        | 0xfedcba9876543210 | 16    |
      Then completion channel "near_channel" delivers 1 event for CQ "near_cq" and no more

    Scenario: The CQEs of sends and receives that are flushed notify who asked for any
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | near_cq |            |
        | right |         | far_cq     |
      And these receives are posted on QP "right":
        | wr_id              |
        | 0x0123456789abcdef |
      And CQ "near_cq" is armed for any CQE
      And CQ "far_cq" is armed for any CQE
      And QP "left" is moved to IBV_QPS_ERR
      And QP "right" is moved to IBV_QPS_ERR
      When QP "left" posts these sends:
        | wr_id              | bytes |
        | 0xfedcba9876543210 | 16    |
      Then completion channel "near_channel" delivers 1 event for CQ "near_cq" and no more

    Scenario Outline: <opcode> that the peer does not allow notifies who asked for any
      Given a CQ "near_cq" on completion channel "near_channel"
      And memory "closed" of 64 bytes with IBV_ACCESS_LOCAL_WRITE
      And connected RC QPs:
        | QP    | send CQ | access                                            |
        | left  | near_cq |                                                   |
        | right |         | IBV_ACCESS_REMOTE_WRITE \| IBV_ACCESS_REMOTE_READ |
      And CQ "near_cq" is armed for any CQE
      When QP "left" posts these sends:
        | wr_id              | opcode   | bytes   | remote | compare_add   |
        | 0xfedcba9876543210 | <opcode> | <bytes> | closed | <compare_add> |
      Then completion channel "near_channel" delivers 1 event for CQ "near_cq" and no more

      Examples:
        | opcode                     | bytes | compare_add |
        | IBV_WR_RDMA_WRITE          | 16    |             |
        | IBV_WR_RDMA_READ           | 16    |             |

      @needs.atomics
      Examples: on a device that has atomics
        | opcode                      | bytes | compare_add |
        | IBV_WR_ATOMIC_FETCH_AND_ADD | 8     | 0x1         |
        | IBV_WR_ATOMIC_CMP_AND_SWP   | 8     | 0x1         |

    Scenario Outline: A failed send of <qp_type> QPs notifies who asked for any
      Given a CQ "near_cq" on completion channel "near_channel"
      And connected <qp_type> QPs "left" and "right", where "left" sends on CQ "near_cq"
      And CQ "near_cq" is armed for any CQE
      When QP "left" sends 1 unsolicited message from memory of another PD
      Then completion channel "near_channel" delivers 1 event for CQ "near_cq" and no more

      @needs.uc
      Examples: of UC QPs
        | qp_type |
        | UC      |

      @needs.ud
      Examples: of UD QPs
        | qp_type |
        | UD      |

  @ibv_req_notify_cq.zero-recv-error
  Rule: With solicited_only 0 a failed receive notifies

    Scenario: Receives that are flushed, armed for any CQE
      Given CQ "recv_cq" is armed for any CQE
      When QP "server" is moved to IBV_QPS_ERR
      Then CQ "recv_cq" gains 4 CQEs with status IBV_WC_WR_FLUSH_ERR
      And completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

    Scenario: The CQE of a receive that is too short notifies who asked for any
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | near_cq |            |
        | right |         | far_cq     |
      And these receives are posted on QP "right":
        | wr_id              | bytes |
        | 0x0123456789abcdef | 255   |
      And CQ "near_cq" is armed for any CQE
      And CQ "far_cq" is armed for any CQE
      When QP "left" posts these sends:
        | wr_id              | bytes |
        | 0xfedcba9876543210 | 256   |
      Then completion channel "far_channel" delivers 1 event for CQ "far_cq" and no more

    Scenario: The CQE of a receive that must not be written notifies who asked for any
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | near_cq |            |
        | right |         | far_cq     |
      And memory "read_only" of 512 bytes with IBV_ACCESS_REMOTE_READ
      And these receives are posted on QP "right":
        | wr_id              | memory    |
        | 0x0123456789abcdef | read_only |
      And CQ "near_cq" is armed for any CQE
      And CQ "far_cq" is armed for any CQE
      When QP "left" posts these sends:
        | wr_id              | bytes |
        | 0xfedcba9876543210 | 256   |
      Then completion channel "far_channel" delivers 1 event for CQ "far_cq" and no more

    Scenario: The CQE of a receive that is flushed notifies who asked for any
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | near_cq |            |
        | right |         | far_cq     |
      And these receives are posted on QP "right":
        | wr_id              |
        | 0x0123456789abcdef |
      And CQ "near_cq" is armed for any CQE
      And CQ "far_cq" is armed for any CQE
      And QP "left" is moved to IBV_QPS_ERR
      And QP "right" is moved to IBV_QPS_ERR
      When QP "left" posts these sends:
        | wr_id              | bytes |
        | 0xfedcba9876543210 | 16    |
      Then completion channel "far_channel" delivers 1 event for CQ "far_cq" and no more

    Scenario Outline: Flushed receives of <qp_type> QPs notify who asked for any
      Given a CQ "far_cq" on completion channel "far_channel"
      And connected <qp_type> QPs "left" and "right", where "right" receives on CQ "far_cq"
      And 2 receives posted on QP "right"
      And CQ "far_cq" is armed for any CQE
      When QP "right" is moved to IBV_QPS_ERR
      Then completion channel "far_channel" delivers 1 event for CQ "far_cq" and no more

      @needs.uc
      Examples: of UC QPs
        | qp_type |
        | UC      |

      @needs.ud
      Examples: of UD QPs
        | qp_type |
        | UD      |

    @needs.srq
    Scenario: A receive of an SRQ that is too short notifies who asked for any
      Given a CQ "far_cq" on completion channel "far_channel"
      And an SRQ "srq"
      And connected RC QPs:
        | QP    | receive CQ | SRQ |
        | left  |            |     |
        | right | far_cq     | srq |
      And these receives are posted on SRQ "srq":
        | wr_id              | bytes |
        | 0x0123456789abcdef | 255   |
      And CQ "far_cq" is armed for any CQE
      When QP "left" posts these sends:
        | bytes |
        | 256   |
      Then completion channel "far_channel" delivers 1 event for CQ "far_cq" and no more

    @needs.extended-cq
    Scenario: Flushed receives of an extended CQ notify who asked for any
      Given an extended CQ "lazy_cq" on completion channel "lazy_channel" that provides "0"
      And connected RC QPs "left" and "right", where "right" receives on CQ "lazy_cq"
      And 2 receives posted on QP "right"
      And CQ "lazy_cq" is armed for any CQE
      When QP "right" is moved to IBV_QPS_ERR
      Then completion channel "lazy_channel" delivers 1 event for CQ "lazy_cq" and no more

  @ibv_req_notify_cq.nonzero-solicited-only
  Rule: With solicited_only other than 0 only a solicited CQE notifies

    @needs.solicited-events
    Scenario: Of four receives the solicited one notifies
      Given CQ "recv_cq" is armed for solicited CQEs only
      When QP "client" sends 3 unsolicited messages
      Then CQ "recv_cq" gains 3 CQEs with status IBV_WC_SUCCESS
      And completion channel "channel" delivers no event
      When QP "client" sends 1 solicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more
      And CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS

    @needs.solicited-events
    Scenario Outline: A request for solicited CQEs outlives the use of <others>, and stays one
      Given CQ "recv_cq" is armed for solicited CQEs only
      When the program uses <others>
      And QP "client" sends 1 unsolicited message
      Then CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And completion channel "channel" delivers no event
      When QP "client" sends 1 solicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

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

    @needs.extended-cq @needs.solicited-events @needs.standard-wc-flags
    Scenario Outline: A request for solicited CQEs outlives <batch>, and stays one
      Given an extended CQ "lazy_cq" on completion channel "lazy_channel" that provides "IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_IMM | IBV_WC_EX_WITH_QP_NUM | IBV_WC_EX_WITH_SRC_QP | IBV_WC_EX_WITH_SLID | IBV_WC_EX_WITH_SL | IBV_WC_EX_WITH_DLID_PATH_BITS <flags>"
      And connected RC QPs "left" and "right", where "right" receives on CQ "lazy_cq"
      And 4 receives posted on QP "right"
      And 2 events of CQ "lazy_cq" for unsolicited messages have been taken from completion channel "lazy_channel"
      And CQ "lazy_cq" is armed for solicited CQEs only
      When the program uses <batch>
      And QP "left" sends 1 unsolicited message
      Then CQ "lazy_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And completion channel "lazy_channel" delivers no event
      When QP "left" sends 1 solicited message
      Then completion channel "lazy_channel" delivers 1 event for CQ "lazy_cq" and no more

      @needs.extended-cq
      Examples:
        | batch                   | flags |
        | a batch of CQ "lazy_cq" |       |

      @needs.extended-cq @needs.completion-timestamps
      Examples:
        | batch                                    | flags                                  |
        | a batch of CQ "lazy_cq" with time stamps | \| IBV_WC_EX_WITH_COMPLETION_TIMESTAMP |

    @needs.solicited-events @needs.cq-moderation
    Scenario: Unsolicited CQEs do not count for a moderated CQ that was armed for solicited ones
      Given modifying CQ "recv_cq" with attr_mask IBV_CQ_ATTR_MODERATE, cq_count 2 and cq_period 4095 succeeds
      And CQ "recv_cq" is armed for solicited CQEs only
      When QP "client" sends 2 unsolicited messages
      Then CQ "recv_cq" gains 2 CQEs with status IBV_WC_SUCCESS
      And completion channel "channel" delivers no event

  @ibv_req_notify_cq.nonzero-any-value
  Rule: Every number but 0 asks for solicited CQEs only

    Scenario Outline: solicited_only <solicited_only> leaves unsolicited CQEs out and lets a solicited one notify
      When arming CQ "recv_cq" with solicited_only <solicited_only> succeeds
      And QP "client" sends 1 unsolicited message
      Then CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And completion channel "channel" delivers no event
      When QP "client" sends 1 solicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

      @needs.solicited-events
      Examples: both signs, and numbers whose lowest or highest bits alone are set
        | solicited_only |
        | 2              |
        | 256            |
        | -1             |
        | 2147483647     |
        | -2147483648    |

  @ibv_req_notify_cq.nonzero-survives-unsolicited
  Rule: An unsolicited CQE does not spend a request for solicited CQEs

    @needs.solicited-events
    Scenario: The solicited CQE after an unsolicited one adds the event
      Given CQ "recv_cq" is armed for solicited CQEs only
      When QP "client" sends 1 unsolicited message
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And completion channel "channel" delivers no event
      When QP "client" sends 1 solicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more
      And CQ "recv_cq" gains 2 CQEs with status IBV_WC_SUCCESS

    @needs.solicited-events
    Scenario: The request outlasts unsolicited CQEs that are polled meanwhile
      Given CQ "recv_cq" is armed for solicited CQEs only
      When QP "client" sends 2 unsolicited messages
      Then CQ "recv_cq" gains 2 CQEs with status IBV_WC_SUCCESS
      And completion channel "channel" delivers no event
      When QP "client" sends 1 solicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

  @ibv_req_notify_cq.solicited-recv-send
  Rule: The receive CQE of a Send with IBV_SEND_SOLICITED is solicited

    @needs.solicited-events
    Scenario: A solicited message notifies a CQ that is armed for solicited CQEs
      Given CQ "recv_cq" is armed for solicited CQEs only
      When QP "client" sends 1 solicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more
      And CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS

    @needs.ud @needs.solicited-events
    Scenario: A solicited datagram notifies a CQ that is armed for solicited CQEs
      Given a CQ "datagram_cq" on completion channel "channel"
      And connected UD QPs "left" and "right", where "right" receives on CQ "datagram_cq"
      And 1 receive posted on QP "right"
      And CQ "datagram_cq" is armed for solicited CQEs only
      When QP "left" sends 1 solicited message
      Then completion channel "channel" delivers 1 event for CQ "datagram_cq" and no more
      And CQ "datagram_cq" gains 1 CQE with status IBV_WC_SUCCESS

    @needs.memory-windows @needs.send-with-invalidate @needs.solicited-events
    Scenario: A solicited Send with invalidate notifies a CQ that is armed for solicited CQEs
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And memory window "window" onto memory "target", bound by QP "server" with IBV_ACCESS_REMOTE_WRITE
      And CQ "recv_cq" is armed for solicited CQEs only
      When QP "client" posts these sends:
        | opcode               | send_flags                              | invalidates |
        | IBV_WR_SEND_WITH_INV | IBV_SEND_SIGNALED \| IBV_SEND_SOLICITED | window      |
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more
      And CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS

  @ibv_req_notify_cq.solicited-recv-send-imm
  Rule: The receive CQE of a Send with immediate and IBV_SEND_SOLICITED is solicited

    @needs.solicited-events
    Scenario: A solicited Send with immediate notifies a CQ that is armed for solicited CQEs
      Given CQ "recv_cq" is armed for solicited CQEs only
      When QP "client" posts these sends:
        | opcode               | send_flags                              | imm_data |
        | IBV_WR_SEND_WITH_IMM | IBV_SEND_SIGNALED \| IBV_SEND_SOLICITED | 0x1      |
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more
      And CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS

  @ibv_req_notify_cq.solicited-recv-write-imm
  Rule: The receive CQE of an RDMA Write with immediate and IBV_SEND_SOLICITED is solicited

    @needs.solicited-events
    Scenario: A solicited RDMA Write with immediate notifies a CQ that is armed for solicited CQEs
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE
      And CQ "recv_cq" is armed for solicited CQEs only
      When QP "client" posts these sends:
        | opcode                     | send_flags                              | remote | imm_data |
        | IBV_WR_RDMA_WRITE_WITH_IMM | IBV_SEND_SIGNALED \| IBV_SEND_SOLICITED | target | 0x1      |
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more
      And CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS

  @ibv_req_notify_cq.solicited-origin-flag
  Rule: IBV_SEND_SOLICITED of the sender is what makes a successful receive solicited

    @needs.solicited-events
    Scenario: No other flag and no immediate makes a receive solicited
      Given CQ "recv_cq" is armed for solicited CQEs only
      When QP "client" posts these sends:
        | opcode               | send_flags                           | imm_data |
        | IBV_WR_SEND          | IBV_SEND_SIGNALED                    |          |
        | IBV_WR_SEND          | IBV_SEND_SIGNALED \| IBV_SEND_FENCE  |          |
        | IBV_WR_SEND_WITH_IMM | IBV_SEND_SIGNALED                    | 0x1      |
      Then CQ "recv_cq" gains 3 CQEs with status IBV_WC_SUCCESS
      And completion channel "channel" delivers no event

    @needs.inline @needs.solicited-events
    Scenario: Sending inline does not make a receive solicited
      Given connected RC QPs:
        | QP       | receive CQ | inline |
        | sender   |            | 16     |
        | receiver | recv_cq    |        |
      And 2 receives posted on QP "receiver"
      And CQ "recv_cq" is armed for solicited CQEs only
      When QP "sender" posts these sends:
        | opcode               | send_flags                           | imm_data |
        | IBV_WR_SEND          | IBV_SEND_SIGNALED \| IBV_SEND_INLINE |          |
        | IBV_WR_SEND_WITH_IMM | IBV_SEND_SIGNALED \| IBV_SEND_INLINE | 0x1      |
      Then CQ "recv_cq" gains 2 CQEs with status IBV_WC_SUCCESS
      And completion channel "channel" delivers no event

    @needs.solicited-events
    Scenario: A send that makes no CQE for its sender can be solicited
      Given CQ "recv_cq" is armed for solicited CQEs only
      When QP "client" posts these sends:
        | send_flags         |
        | IBV_SEND_SOLICITED |
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more
      And CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS

    @needs.solicited-events
    Scenario: The flag counts for its own message alone
      Given CQ "recv_cq" is armed for solicited CQEs only
      And QP "client" has sent 1 solicited message
      And the event of CQ "recv_cq" on completion channel "channel" is taken and acknowledged
      And CQ "recv_cq" has been emptied of 1 CQE
      And CQ "recv_cq" is armed for solicited CQEs only
      When QP "client" sends 1 unsolicited message
      Then CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And completion channel "channel" delivers no event

    @needs.solicited-events
    Scenario Outline: The receive of a solicited <opcode> of <qp_type> QPs is solicited, and the send is not
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected <qp_type> QPs:
        | QP    | send CQ | receive CQ | access                                            |
        | left  | near_cq |            |                                                   |
        | right |         | far_cq     | IBV_ACCESS_REMOTE_WRITE \| IBV_ACCESS_REMOTE_READ |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ
      And 1 receive posted on QP "right"
      And CQ "near_cq" is armed for solicited CQEs only
      And CQ "far_cq" is armed for solicited CQEs only
      When QP "left" posts these sends:
        | opcode   | remote   | imm_data   | send_flags                              |
        | <opcode> | <remote> | <imm_data> | IBV_SEND_SIGNALED \| IBV_SEND_SOLICITED |
      Then completion channel "near_channel" delivers 0 events for CQ "near_cq" and no more
      And completion channel "far_channel" delivers 1 event for CQ "far_cq" and no more
      And CQ "near_cq" gains 1 CQE with status IBV_WC_SUCCESS

      Examples: of RC QPs
        | qp_type | opcode                     | remote | imm_data |
        | RC      | IBV_WR_SEND                |        |          |
        | RC      | IBV_WR_SEND_WITH_IMM       |        | 0x1      |
        | RC      | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x1      |

      @needs.uc
      Examples: of UC QPs
        | qp_type | opcode                     | remote | imm_data |
        | UC      | IBV_WR_SEND                |        |          |
        | UC      | IBV_WR_SEND_WITH_IMM       |        | 0x1      |
        | UC      | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x1      |

      @needs.ud
      Examples: of UD QPs
        | qp_type | opcode               | remote | imm_data |
        | UD      | IBV_WR_SEND          |        |          |
        | UD      | IBV_WR_SEND_WITH_IMM |        | 0x1      |

    @needs.srq @needs.solicited-events
    Scenario Outline: The receive of a solicited <opcode> is solicited, also on an SRQ
      Given an SRQ "srq"
      And a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ | SRQ | access                                            |
        | left  | near_cq |            |     |                                                   |
        | right |         | far_cq     | srq | IBV_ACCESS_REMOTE_WRITE \| IBV_ACCESS_REMOTE_READ |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ
      And 1 receive posted on SRQ "srq"
      And CQ "near_cq" is armed for solicited CQEs only
      And CQ "far_cq" is armed for solicited CQEs only
      When QP "left" posts these sends:
        | opcode   | remote   | imm_data   | send_flags                              |
        | <opcode> | <remote> | <imm_data> | IBV_SEND_SIGNALED \| IBV_SEND_SOLICITED |
      Then completion channel "near_channel" delivers 0 events for CQ "near_cq" and no more
      And completion channel "far_channel" delivers 1 event for CQ "far_cq" and no more

      Examples:
        | opcode                     | remote | imm_data |
        | IBV_WR_SEND                |        |          |
        | IBV_WR_SEND_WITH_IMM       |        | 0x1      |
        | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x1      |

    @needs.memory-windows @needs.srq @needs.send-with-invalidate @needs.solicited-events
    Scenario: The receive of a solicited message that invalidates is solicited, also on an SRQ
      Given an SRQ "srq"
      And a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ | SRQ |
        | left  | near_cq |            |     |
        | right |         | far_cq     | srq |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And memory window "window" onto memory "target", bound by QP "right" with IBV_ACCESS_REMOTE_WRITE
      And 1 receive posted on SRQ "srq"
      And CQ "near_cq" is armed for solicited CQEs only
      And CQ "far_cq" is armed for solicited CQEs only
      When QP "left" posts these sends:
        | opcode               | invalidates | send_flags |
        | IBV_WR_SEND_WITH_INV | window      | IBV_SEND_SIGNALED \| IBV_SEND_SOLICITED |
      Then CQ "far_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And completion channel "far_channel" delivers 1 event for CQ "far_cq" and no more
      And completion channel "near_channel" delivers 0 events for CQ "near_cq" and no more

    @needs.solicited-events
    Scenario Outline: A message with <opcode> and <send_flags> is solicited
      Given connected RC QPs:
        | QP       | receive CQ | inline   |
        | sender   |            | <inline> |
        | receiver | recv_cq    |          |
      And 1 receive posted on QP "receiver"
      And CQ "recv_cq" is armed for solicited CQEs only
      When QP "sender" posts these sends:
        | opcode   | send_flags   | imm_data   |
        | <opcode> | <send_flags> | <imm_data> |
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

      Examples:
        | opcode               | imm_data | inline | send_flags                                                  |
        | IBV_WR_SEND          |          | 0      | IBV_SEND_SIGNALED \| IBV_SEND_FENCE \| IBV_SEND_SOLICITED |
        | IBV_WR_SEND_WITH_IMM | 0x0      | 0      | IBV_SEND_SIGNALED \| IBV_SEND_SOLICITED                    |

      @needs.inline
      Examples: on a device that takes inline data
        | opcode               | imm_data | inline | send_flags                                                   |
        | IBV_WR_SEND          |          | 16     | IBV_SEND_SIGNALED \| IBV_SEND_INLINE \| IBV_SEND_SOLICITED |
        | IBV_WR_SEND_WITH_IMM | 0x1      | 16     | IBV_SEND_SIGNALED \| IBV_SEND_INLINE \| IBV_SEND_SOLICITED |

    @needs.solicited-events
    Scenario: Of messages that are posted together the last can be solicited
      Given CQ "recv_cq" is armed for solicited CQEs only
      When QP "client" posts these sends:
        | send_flags                               |
        | IBV_SEND_SIGNALED                        |
        | IBV_SEND_SIGNALED                        |
        | IBV_SEND_SIGNALED \| IBV_SEND_SOLICITED |
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

    @needs.solicited-events
    Scenario: A solicited message that waits for its receive is solicited
      Given connected RC QPs "left" and "right", where "right" receives on CQ "recv_cq"
      And CQ "recv_cq" is armed for solicited CQEs only
      And QP "left" has sent 1 solicited message
      And a moment passes
      When 1 receive is posted on QP "right"
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

  @ibv_req_notify_cq.solicited-recv-error
  Rule: The CQE of a failed receive is solicited

    @needs.solicited-events
    Scenario: Receives that are flushed, armed for solicited CQEs
      Given CQ "recv_cq" is armed for solicited CQEs only
      When QP "server" is moved to IBV_QPS_ERR
      Then CQ "recv_cq" gains 4 CQEs with status IBV_WC_WR_FLUSH_ERR
      And completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

    @needs.solicited-events
    Scenario: A receive that is too short for an unsolicited message, armed for solicited CQEs
      Given connected RC QPs "sender" and "receiver", where "receiver" receives on CQ "recv_cq"
      And these receives are posted on QP "receiver":
        | bytes |
        | 8     |
      And CQ "recv_cq" is armed for solicited CQEs only
      When QP "sender" posts these sends:
        | send_flags        | bytes |
        | IBV_SEND_SIGNALED | 16    |
      Then CQ "recv_cq" gains 1 failed CQE
      And completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

    @needs.solicited-events
    Scenario: The CQE of a receive that is too short notifies who asked for solicited ones
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | near_cq |            |
        | right |         | far_cq     |
      And these receives are posted on QP "right":
        | wr_id              | bytes |
        | 0x0123456789abcdef | 255   |
      And CQ "near_cq" is armed for solicited CQEs only
      And CQ "far_cq" is armed for solicited CQEs only
      When QP "left" posts these sends:
        | wr_id              | bytes |
        | 0xfedcba9876543210 | 256   |
      Then completion channel "far_channel" delivers 1 event for CQ "far_cq" and no more

    @needs.solicited-events
    Scenario: The CQE of a receive that must not be written notifies who asked for solicited ones
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | near_cq |            |
        | right |         | far_cq     |
      And memory "read_only" of 512 bytes with IBV_ACCESS_REMOTE_READ
      And these receives are posted on QP "right":
        | wr_id              | memory    |
        | 0x0123456789abcdef | read_only |
      And CQ "near_cq" is armed for solicited CQEs only
      And CQ "far_cq" is armed for solicited CQEs only
      When QP "left" posts these sends:
        | wr_id              | bytes |
        | 0xfedcba9876543210 | 256   |
      Then completion channel "far_channel" delivers 1 event for CQ "far_cq" and no more

    @needs.solicited-events
    Scenario: The CQE of a receive that is flushed notifies who asked for solicited ones
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | near_cq |            |
        | right |         | far_cq     |
      And these receives are posted on QP "right":
        | wr_id              |
        | 0x0123456789abcdef |
      And CQ "near_cq" is armed for solicited CQEs only
      And CQ "far_cq" is armed for solicited CQEs only
      And QP "left" is moved to IBV_QPS_ERR
      And QP "right" is moved to IBV_QPS_ERR
      When QP "left" posts these sends:
        | wr_id              | bytes |
        | 0xfedcba9876543210 | 16    |
      Then completion channel "far_channel" delivers 1 event for CQ "far_cq" and no more

    @needs.solicited-events
    Scenario Outline: Flushed receives of <qp_type> QPs notify who asked for solicited ones
      Given a CQ "far_cq" on completion channel "far_channel"
      And connected <qp_type> QPs "left" and "right", where "right" receives on CQ "far_cq"
      And 2 receives posted on QP "right"
      And CQ "far_cq" is armed for solicited CQEs only
      When QP "right" is moved to IBV_QPS_ERR
      Then completion channel "far_channel" delivers 1 event for CQ "far_cq" and no more

      @needs.uc
      Examples: of UC QPs
        | qp_type |
        | UC      |

      @needs.ud
      Examples: of UD QPs
        | qp_type |
        | UD      |

    @needs.srq @needs.solicited-events
    Scenario: A receive of an SRQ that is too short notifies who asked for solicited ones
      Given a CQ "far_cq" on completion channel "far_channel"
      And an SRQ "srq"
      And connected RC QPs:
        | QP    | receive CQ | SRQ |
        | left  |            |     |
        | right | far_cq     | srq |
      And these receives are posted on SRQ "srq":
        | wr_id              | bytes |
        | 0x0123456789abcdef | 255   |
      And CQ "far_cq" is armed for solicited CQEs only
      When QP "left" posts these sends:
        | bytes |
        | 256   |
      Then completion channel "far_channel" delivers 1 event for CQ "far_cq" and no more

    @needs.extended-cq @needs.solicited-events
    Scenario: Flushed receives of an extended CQ notify who asked for solicited ones
      Given an extended CQ "lazy_cq" on completion channel "lazy_channel" that provides "0"
      And connected RC QPs "left" and "right", where "right" receives on CQ "lazy_cq"
      And 2 receives posted on QP "right"
      And CQ "lazy_cq" is armed for solicited CQEs only
      When QP "right" is moved to IBV_QPS_ERR
      Then completion channel "lazy_channel" delivers 1 event for CQ "lazy_cq" and no more

  @ibv_req_notify_cq.solicited-send-error
  Rule: The CQE of a failed send is solicited

    @needs.solicited-events
    Scenario: A send from memory that is not its own, armed for solicited CQEs
      Given CQ "send_cq" is armed for solicited CQEs only
      When QP "client" sends 1 unsolicited message from memory of another PD
      Then CQ "send_cq" gains 1 failed CQE
      And completion channel "channel" delivers 1 event for CQ "send_cq" and no more

    @needs.solicited-events
    Scenario: A send that is flushed, armed for solicited CQEs
      Given connected RC QPs "sender" and "receiver", where "sender" sends on CQ "send_cq"
      And QP "sender" has sent 1 unsolicited message
      And CQ "send_cq" is empty
      And CQ "send_cq" is armed for solicited CQEs only
      When QP "sender" is moved to IBV_QPS_ERR
      Then CQ "send_cq" gains 1 failed CQE
      And completion channel "channel" delivers 1 event for CQ "send_cq" and no more

    @needs.solicited-events
    Scenario: The CQEs of a send from memory of another PD notify who asked for solicited ones
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | near_cq |            |
        | right |         | far_cq     |
      And memory "foreign" of 64 bytes in another PD, with IBV_ACCESS_LOCAL_WRITE
      And CQ "near_cq" is armed for solicited CQEs only
      And CQ "far_cq" is armed for solicited CQEs only
      When QP "left" posts these sends:
        | wr_id              | memory  |
        | 0xfedcba9876543210 | foreign |
      Then completion channel "near_channel" delivers 1 event for CQ "near_cq" and no more

    @needs.solicited-events
    Scenario: The CQEs of a message that is too long, and of its receive notify who asked for solicited ones
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | near_cq |            |
        | right |         | far_cq     |
      And these receives are posted on QP "right":
        | wr_id              | bytes |
        | 0x0123456789abcdef | 255   |
      And CQ "near_cq" is armed for solicited CQEs only
      And CQ "far_cq" is armed for solicited CQEs only
      When QP "left" posts these sends:
        | wr_id              | bytes |
        | 0xfedcba9876543210 | 256   |
      Then completion channel "near_channel" delivers 1 event for CQ "near_cq" and no more

    @needs.solicited-events
    Scenario: The CQEs of a message whose receive must not be written, and of that receive notify who asked for solicited ones
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | near_cq |            |
        | right |         | far_cq     |
      And memory "read_only" of 512 bytes with IBV_ACCESS_REMOTE_READ
      And these receives are posted on QP "right":
        | wr_id              | memory    |
        | 0x0123456789abcdef | read_only |
      And CQ "near_cq" is armed for solicited CQEs only
      And CQ "far_cq" is armed for solicited CQEs only
      When QP "left" posts these sends:
        | wr_id              | bytes |
        | 0xfedcba9876543210 | 256   |
      Then completion channel "near_channel" delivers 1 event for CQ "near_cq" and no more

    @needs.solicited-events
    Scenario: The CQEs of a write that the peer does not allow notify who asked for solicited ones
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | near_cq |            |
        | right |         | far_cq     |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE
      And CQ "near_cq" is armed for solicited CQEs only
      And CQ "far_cq" is armed for solicited CQEs only
      When QP "left" posts these sends:
        | wr_id              | opcode            | remote |
        | 0xfedcba9876543210 | IBV_WR_RDMA_WRITE | target |
      Then completion channel "near_channel" delivers 1 event for CQ "near_cq" and no more

    @needs.solicited-events
    Scenario: The CQEs of a send whose peer does not answer notify who asked for solicited ones
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ | timeout | retry_cnt |
        | left  | near_cq |            | 14      | 2         |
        | right |         | far_cq     |         |           |
      And QP "right" is moved to IBV_QPS_RESET
      And CQ "near_cq" is armed for solicited CQEs only
      And CQ "far_cq" is armed for solicited CQEs only
      When QP "left" posts these sends:
        | wr_id              | bytes |
        | 0xfedcba9876543210 | 16    |
      Then completion channel "near_channel" delivers 1 event for CQ "near_cq" and no more

    @needs.solicited-events
    Scenario: The CQEs of a send for which its peer has no receive notify who asked for solicited ones
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ | rnr_retry |
        | left  | near_cq |            | 1         |
        | right |         | far_cq     |           |
      And CQ "near_cq" is armed for solicited CQEs only
      And CQ "far_cq" is armed for solicited CQEs only
      When QP "left" posts these sends:
        | wr_id              | bytes |
        | 0xfedcba9876543210 | 16    |
      Then completion channel "near_channel" delivers 1 event for CQ "near_cq" and no more

    @needs.solicited-events
    Scenario: The CQEs of sends and receives that are flushed notify who asked for solicited ones
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | near_cq |            |
        | right |         | far_cq     |
      And these receives are posted on QP "right":
        | wr_id              |
        | 0x0123456789abcdef |
      And CQ "near_cq" is armed for solicited CQEs only
      And CQ "far_cq" is armed for solicited CQEs only
      And QP "left" is moved to IBV_QPS_ERR
      And QP "right" is moved to IBV_QPS_ERR
      When QP "left" posts these sends:
        | wr_id              | bytes |
        | 0xfedcba9876543210 | 16    |
      Then completion channel "near_channel" delivers 1 event for CQ "near_cq" and no more

    @needs.solicited-events
    Scenario Outline: <opcode> that the peer does not allow notifies who asked for solicited ones
      Given a CQ "near_cq" on completion channel "near_channel"
      And memory "closed" of 64 bytes with IBV_ACCESS_LOCAL_WRITE
      And connected RC QPs:
        | QP    | send CQ | access                                            |
        | left  | near_cq |                                                   |
        | right |         | IBV_ACCESS_REMOTE_WRITE \| IBV_ACCESS_REMOTE_READ |
      And CQ "near_cq" is armed for solicited CQEs only
      When QP "left" posts these sends:
        | wr_id              | opcode   | bytes   | remote | compare_add   |
        | 0xfedcba9876543210 | <opcode> | <bytes> | closed | <compare_add> |
      Then completion channel "near_channel" delivers 1 event for CQ "near_cq" and no more

      Examples:
        | opcode                     | bytes | compare_add |
        | IBV_WR_RDMA_WRITE          | 16    |             |
        | IBV_WR_RDMA_READ           | 16    |             |

      @needs.atomics
      Examples: on a device that has atomics
        | opcode                      | bytes | compare_add |
        | IBV_WR_ATOMIC_FETCH_AND_ADD | 8     | 0x1         |
        | IBV_WR_ATOMIC_CMP_AND_SWP   | 8     | 0x1         |

    @needs.solicited-events
    Scenario Outline: A failed send of <qp_type> QPs notifies who asked for solicited ones
      Given a CQ "near_cq" on completion channel "near_channel"
      And connected <qp_type> QPs "left" and "right", where "left" sends on CQ "near_cq"
      And CQ "near_cq" is armed for solicited CQEs only
      When QP "left" sends 1 unsolicited message from memory of another PD
      Then completion channel "near_channel" delivers 1 event for CQ "near_cq" and no more

      @needs.uc
      Examples: of UC QPs
        | qp_type |
        | UC      |

      @needs.ud
      Examples: of UD QPs
        | qp_type |
        | UD      |

  @ibv_req_notify_cq.unsolicited-recv-success
  Rule: The receive CQE of a message without the Solicited Event bit is unsolicited

    @needs.solicited-events
    Scenario: An unsolicited message leaves a CQ silent that is armed for solicited CQEs
      Given CQ "recv_cq" is armed for solicited CQEs only
      When QP "client" sends 1 unsolicited message
      Then CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And completion channel "channel" delivers no event
      When QP "client" sends 1 solicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

    @needs.solicited-events
    Scenario: An unsolicited RDMA Write with immediate leaves a CQ silent that is armed for solicited CQEs
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE
      And CQ "recv_cq" is armed for solicited CQEs only
      When QP "client" posts these sends:
        | opcode                     | send_flags        | remote | imm_data |
        | IBV_WR_RDMA_WRITE_WITH_IMM | IBV_SEND_SIGNALED | target | 0x1      |
      Then CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And completion channel "channel" delivers no event
      When QP "client" sends 1 solicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

    @needs.inline @needs.solicited-events
    Scenario Outline: A message of <what> is as solicited as its flag says
      Given a CQ "near_cq" of 24 entries on completion channel "near_channel"
      And a CQ "far_cq" of 24 entries on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ | SGEs | inline |
        | left  | near_cq |            | 2    | 16     |
        | right |         | far_cq     | 2    |        |
      And memory "short" of 16 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "long" of 9000 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "front" of 8 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "room" of 9100 bytes with IBV_ACCESS_LOCAL_WRITE
      And these receives are posted on QP "right":
        | memory       |
        | front + room |
        | front + room |
      And CQ "near_cq" is armed for solicited CQEs only
      And CQ "far_cq" is armed for solicited CQEs only
      When QP "left" posts these sends:
        | memory   | send_flags |
        | <memory> | <flags>    |
      Then CQ "far_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And completion channel "near_channel" delivers no event
      And completion channel "far_channel" delivers no event
      When QP "left" posts these sends:
        | memory   | send_flags                    |
        | <memory> | <flags> \| IBV_SEND_SOLICITED |
      Then completion channel "far_channel" delivers 1 event for CQ "far_cq" and no more
      And completion channel "near_channel" delivers no event

      Examples:
        | what                 | memory       | flags                                |
        | no bytes             | none         | IBV_SEND_SIGNALED                    |
        | several packets      | long         | IBV_SEND_SIGNALED                    |
        | several SGEs         | short + long | IBV_SEND_SIGNALED                    |
        | inline data          | short        | IBV_SEND_SIGNALED \| IBV_SEND_INLINE |

  @ibv_req_notify_cq.unsolicited-send-success
  Rule: The CQE of a successful send is unsolicited

    @needs.solicited-events
    Scenario: Successful sends leave a CQ silent that is armed for solicited CQEs
      Given CQ "send_cq" is armed for solicited CQEs only
      When QP "client" sends 3 unsolicited messages
      Then CQ "send_cq" gains 3 CQEs with status IBV_WC_SUCCESS
      And completion channel "channel" delivers no event
      When CQ "send_cq" is armed for any CQE
      And QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "send_cq" and no more

    @needs.solicited-events
    Scenario Outline: Neither end of an unsolicited <opcode> of <qp_type> QPs is solicited
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected <qp_type> QPs:
        | QP    | send CQ | receive CQ | access                                            |
        | left  | near_cq |            |                                                   |
        | right |         | far_cq     | IBV_ACCESS_REMOTE_WRITE \| IBV_ACCESS_REMOTE_READ |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ
      And 1 receive posted on QP "right"
      And CQ "near_cq" is armed for solicited CQEs only
      And CQ "far_cq" is armed for solicited CQEs only
      When QP "left" posts these sends:
        | opcode   | remote   | imm_data   |
        | <opcode> | <remote> | <imm_data> |
      Then CQ "near_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And completion channel "near_channel" delivers no event
      And completion channel "far_channel" delivers no event

      Examples: of RC QPs
        | qp_type | opcode                     | remote | imm_data |
        | RC      | IBV_WR_SEND                |        |          |
        | RC      | IBV_WR_SEND_WITH_IMM       |        | 0x1      |
        | RC      | IBV_WR_RDMA_WRITE          | target |          |
        | RC      | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x1      |
        | RC      | IBV_WR_RDMA_READ           | target |          |

      @needs.uc
      Examples: of UC QPs
        | qp_type | opcode                     | remote | imm_data |
        | UC      | IBV_WR_SEND                |        |          |
        | UC      | IBV_WR_SEND_WITH_IMM       |        | 0x1      |
        | UC      | IBV_WR_RDMA_WRITE          | target |          |
        | UC      | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x1      |

      @needs.ud
      Examples: of UD QPs
        | qp_type | opcode               | remote | imm_data |
        | UD      | IBV_WR_SEND          |        |          |
        | UD      | IBV_WR_SEND_WITH_IMM |        | 0x1      |

    @needs.srq @needs.solicited-events
    Scenario Outline: Neither end of an unsolicited <opcode> to an SRQ is solicited
      Given an SRQ "srq"
      And a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ | SRQ | access                                            |
        | left  | near_cq |            |     |                                                   |
        | right |         | far_cq     | srq | IBV_ACCESS_REMOTE_WRITE \| IBV_ACCESS_REMOTE_READ |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ
      And 1 receive posted on SRQ "srq"
      And CQ "near_cq" is armed for solicited CQEs only
      And CQ "far_cq" is armed for solicited CQEs only
      When QP "left" posts these sends:
        | opcode   | remote   | imm_data   |
        | <opcode> | <remote> | <imm_data> |
      Then CQ "far_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And completion channel "near_channel" delivers no event
      And completion channel "far_channel" delivers no event

      Examples:
        | opcode                     | remote | imm_data |
        | IBV_WR_SEND                |        |          |
        | IBV_WR_SEND_WITH_IMM       |        | 0x1      |
        | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x1      |

    @needs.atomics @needs.solicited-events
    Scenario Outline: <opcode> is not solicited
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ | access                   |
        | left  | near_cq |            |                          |
        | right |         | far_cq     | IBV_ACCESS_REMOTE_ATOMIC |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_ATOMIC
      And CQ "near_cq" is armed for solicited CQEs only
      And CQ "far_cq" is armed for solicited CQEs only
      When QP "left" posts these sends:
        | opcode   | remote | bytes | compare_add |
        | <opcode> | target | 8     | 0x1         |
      Then CQ "near_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And completion channel "near_channel" delivers no event

      Examples:
        | opcode                      |
        | IBV_WR_ATOMIC_CMP_AND_SWP   |
        | IBV_WR_ATOMIC_FETCH_AND_ADD |

    @needs.memory-windows @needs.send-with-invalidate @needs.solicited-events
    Scenario: A bind, an invalidation and the receive that brings one are not solicited
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And memory window "theirs" onto memory "target", bound by QP "server" with IBV_ACCESS_REMOTE_WRITE
      And CQ "recv_cq" is armed for solicited CQEs only
      When QP "client" posts these sends:
        | opcode               | invalidates |
        | IBV_WR_SEND_WITH_INV | theirs      |
      Then CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And completion channel "channel" delivers 0 events for CQ "recv_cq" and no more
      When CQ "send_cq" has been emptied of 1 CQE
      And CQ "send_cq" is armed for solicited CQEs only
      And binding memory window "own" onto memory "target" by QP "client" with IBV_ACCESS_REMOTE_WRITE succeeds
      Then completion channel "channel" delivers 0 events for CQ "send_cq" and no more
      When CQ "send_cq" is armed for solicited CQEs only
      And QP "client" posts these sends:
        | opcode           | invalidates |
        | IBV_WR_LOCAL_INV | own         |
      Then completion channel "channel" delivers 0 events for CQ "send_cq" and no more
      And CQ "send_cq" gains 2 CQEs with status IBV_WC_SUCCESS

    @needs.memory-windows @needs.srq @needs.send-with-invalidate @needs.solicited-events
    Scenario: Neither end of an unsolicited message that invalidates is solicited, also on an SRQ
      Given an SRQ "srq"
      And a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ | SRQ |
        | left  | near_cq |            |     |
        | right |         | far_cq     | srq |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And memory window "window" onto memory "target", bound by QP "right" with IBV_ACCESS_REMOTE_WRITE
      And 1 receive posted on SRQ "srq"
      And CQ "near_cq" is armed for solicited CQEs only
      And CQ "far_cq" is armed for solicited CQEs only
      When QP "left" posts these sends:
        | opcode               | invalidates | send_flags |
        | IBV_WR_SEND_WITH_INV | window      | IBV_SEND_SIGNALED |
      Then CQ "far_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And completion channel "far_channel" delivers 0 events for CQ "far_cq" and no more
      And completion channel "near_channel" delivers 0 events for CQ "near_cq" and no more

  @ibv_req_notify_cq.unsolicited-send-own-flag
  Rule: IBV_SEND_SOLICITED makes the receive solicited, not the send that carries it

    @needs.solicited-events
    Scenario: A solicited message notifies the CQ of its receiver, not that of its sender
      Given CQ "send_cq" is armed for solicited CQEs only
      And CQ "recv_cq" is armed for solicited CQEs only
      When QP "client" sends 1 solicited message
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

    @needs.solicited-events
    Scenario: On a CQ of sends and receives too, a solicited message does not make its send solicited
      Given a CQ "both_cq" on completion channel "both_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | both_cq | both_cq    |
        | right |         |            |
      And 1 receive posted on QP "right"
      And CQ "both_cq" is armed for solicited CQEs only
      When QP "left" sends 1 solicited message
      Then CQ "both_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And completion channel "both_channel" delivers no event

  @ibv_req_notify_cq.one-shot
  Rule: One request adds at most one completion event

    Scenario: Two CQEs after one request add one event
      Given CQ "recv_cq" is armed for any CQE
      When QP "client" sends 2 unsolicited messages
      Then CQ "recv_cq" gains 2 CQEs with status IBV_WC_SUCCESS
      And completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

    @needs.solicited-events
    Scenario: Two solicited CQEs after one request for solicited CQEs add one event
      Given CQ "recv_cq" is armed for solicited CQEs only
      When QP "client" sends 2 solicited messages
      Then CQ "recv_cq" gains 2 CQEs with status IBV_WC_SUCCESS
      And completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

  @ibv_req_notify_cq.silent-until-rearmed
  Rule: After its notification a CQ stays silent until it is armed again

    Scenario: Acknowledging the event does not arm the CQ again
      Given CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      And the event of CQ "recv_cq" on completion channel "channel" is taken and acknowledged
      When QP "client" sends 1 unsolicited message
      Then CQ "recv_cq" gains 2 CQEs with status IBV_WC_SUCCESS
      And completion channel "channel" delivers no event

    Scenario: Emptying the CQ does not arm it again
      Given CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      And the event of CQ "recv_cq" on completion channel "channel" is taken and acknowledged
      And CQ "recv_cq" has been emptied of 1 CQE
      When QP "client" sends 1 solicited message
      Then CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And completion channel "channel" delivers no event

    Scenario Outline: The use of <others> does not arm a CQ again
      Given CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      And the event of CQ "recv_cq" on completion channel "channel" is taken and acknowledged
      When the program uses <others>
      And QP "client" sends 1 solicited message
      Then CQ "recv_cq" gains 2 CQEs with status IBV_WC_SUCCESS
      And completion channel "channel" delivers no event

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

    @needs.extended-cq @needs.standard-wc-flags
    Scenario Outline: Reading <batch> does not arm the CQ again
      Given an extended CQ "lazy_cq" on completion channel "lazy_channel" that provides "IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_IMM | IBV_WC_EX_WITH_QP_NUM | IBV_WC_EX_WITH_SRC_QP | IBV_WC_EX_WITH_SLID | IBV_WC_EX_WITH_SL | IBV_WC_EX_WITH_DLID_PATH_BITS <flags>"
      And connected RC QPs "left" and "right", where "right" receives on CQ "lazy_cq"
      And 4 receives posted on QP "right"
      And 2 events of CQ "lazy_cq" for unsolicited messages have been taken from completion channel "lazy_channel"
      When the program uses <batch>
      And QP "left" sends 1 solicited message
      Then CQ "lazy_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And completion channel "lazy_channel" delivers no event

      @needs.extended-cq
      Examples:
        | batch                   | flags |
        | a batch of CQ "lazy_cq" |       |

      @needs.extended-cq @needs.completion-timestamps
      Examples:
        | batch                                    | flags                                  |
        | a batch of CQ "lazy_cq" with time stamps | \| IBV_WC_EX_WITH_COMPLETION_TIMESTAMP |

    @needs.cq-moderation
    Scenario: The event of a moderated CQ is not made again for who asks for the next one
      Given modifying CQ "recv_cq" with attr_mask IBV_CQ_ATTR_MODERATE, cq_count 2 and cq_period 4095 succeeds
      And CQ "recv_cq" is armed for any CQE
      When QP "client" sends 2 unsolicited messages
      Then the event of CQ "recv_cq" on completion channel "channel" is taken and acknowledged
      And CQ "recv_cq" gains 2 CQEs with status IBV_WC_SUCCESS
      When CQ "recv_cq" is armed for any CQE
      Then completion channel "channel" delivers no event

  @ibv_req_notify_cq.rearm-restores
  Rule: Arming again after a notification makes the next CQE notify again

    Scenario: Each of three requests is answered by an event of its own
      When 1 event of CQ "recv_cq" for an unsolicited message has been taken from completion channel "channel"
      And CQ "recv_cq" has been emptied of 1 CQE
      And 1 event of CQ "recv_cq" for an unsolicited message has been taken from completion channel "channel"
      And CQ "recv_cq" has been emptied of 1 CQE
      And CQ "recv_cq" is armed for any CQE
      And QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

    Scenario: The event before need not be acknowledged to arm again
      Given CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      And the event of CQ "recv_cq" on completion channel "channel" is taken
      And CQ "recv_cq" has been emptied of 1 CQE
      And CQ "recv_cq" is armed for any CQE
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

    @needs.solicited-events
    Scenario Outline: After <held> CQEs of a CQ of <cqe> entries the next one notifies once, and is as solicited as its flag says
      Given a CQ "large_cq" of <cqe> entries on completion channel "large_channel"
      And a CQ "other_cq" of 64 entries
      And connected RC QPs:
        | QP    | send CQ  | receive CQ |
        | left  |          | large_cq   |
        | right | other_cq |            |
      And 30 receives posted on QP "left"
      And QP "right" has sent <held> unsolicited messages
      And CQ "large_cq" has been emptied of <held> CQEs
      And QP "right" has sent 2 unsolicited messages
      And CQ "large_cq" has been emptied of 2 CQEs
      When CQ "large_cq" is armed for any CQE
      And QP "right" sends 1 unsolicited message
      Then completion channel "large_channel" delivers 1 event for CQ "large_cq" and no more
      When CQ "large_cq" is armed for solicited CQEs only
      And QP "right" sends 1 unsolicited message
      Then completion channel "large_channel" delivers no event
      When QP "right" sends 1 solicited message
      Then completion channel "large_channel" delivers 1 event for CQ "large_cq" and no more

      Examples: more than 16 before it, and more than it has entries
        | held | cqe |
        | 17   | 20  |
        | 4    | 4   |

    @needs.solicited-events
    Scenario Outline: After <held> CQEs of sends on a CQ of <cqe> entries the next one notifies once, and is not solicited
      Given a CQ "large_cq" of <cqe> entries on completion channel "large_channel"
      And connected RC QPs "left" and "right", where "right" sends on CQ "large_cq"
      And 22 receives posted on QP "left"
      And QP "right" has sent <held> unsolicited messages
      And CQ "large_cq" has been emptied of <held> CQEs
      And QP "right" has sent 2 unsolicited messages
      And CQ "large_cq" has been emptied of 2 CQEs
      When QP "right" sends 1 unsolicited message
      And CQ "large_cq" has been emptied of 1 CQE
      Then completion channel "large_channel" delivers no event
      When CQ "large_cq" is armed for solicited CQEs only
      And QP "right" sends 1 unsolicited message
      And CQ "large_cq" has been emptied of 1 CQE
      Then completion channel "large_channel" delivers no event
      When CQ "large_cq" is armed for any CQE
      And QP "right" sends 1 unsolicited message
      Then completion channel "large_channel" delivers 1 event for CQ "large_cq" and no more

      Examples: more than 16 before it, and more than it has entries
        | held | cqe |
        | 17   | 20  |
        | 4    | 4   |

  @ibv_req_notify_cq.existing-cqe-ignored @needs.arm-ignores-backlog
  Rule: CQEs that are in the CQ when it is armed do not notify

    Scenario: An unsolicited CQE waits in the CQ that is armed for any CQE
      Given 1 event of CQ "recv_cq" for an unsolicited message has been taken from completion channel "channel"
      When CQ "recv_cq" is armed for any CQE
      Then completion channel "channel" delivers no event
      And CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS

    @needs.solicited-events
    Scenario: A solicited CQE waits in the CQ that is armed for solicited CQEs
      Given 1 event of CQ "recv_cq" for a solicited message has been taken from completion channel "channel"
      When CQ "recv_cq" is armed for solicited CQEs only
      Then completion channel "channel" delivers no event
      And CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS

    Scenario: Unsolicited CQEs came while the CQ was not armed, then it is armed for any CQE
      Given QP "client" has sent 2 unsolicited messages
      And CQ "send_cq" has been emptied of 2 CQEs
      And completion channel "channel" delivers no event
      When CQ "recv_cq" is armed for any CQE
      Then completion channel "channel" delivers no event
      And CQ "recv_cq" gains 2 CQEs with status IBV_WC_SUCCESS

    @needs.solicited-events
    Scenario: Solicited CQEs came while the CQ was not armed, then it is armed for solicited CQEs
      Given QP "client" has sent 2 solicited messages
      And CQ "send_cq" has been emptied of 2 CQEs
      And completion channel "channel" delivers no event
      When CQ "recv_cq" is armed for solicited CQEs only
      Then completion channel "channel" delivers no event
      And CQ "recv_cq" gains 2 CQEs with status IBV_WC_SUCCESS

    Scenario: A CQ that is full is armed
      Given a CQ "small_cq" of 4 entries on completion channel "small_channel"
      And connected RC QPs "left" and "right", where "left" sends on CQ "small_cq"
      And as many receives posted on QP "right" as it takes to overrun CQ "small_cq"
      And QP "left" has sent as many messages as CQ "small_cq" has entries
      And QP "right" receives as many messages as CQ "small_cq" has entries
      When arming CQ "small_cq" succeeds
      Then completion channel "small_channel" delivers no event

  @ibv_req_notify_cq.next-counted-from-call
  Rule: With a backlog in the CQ, the first matching CQE that is added after the call notifies

    Scenario: A new CQE notifies although the one before was not polled
      Given 1 event of CQ "recv_cq" for an unsolicited message has been taken from completion channel "channel"
      And CQ "recv_cq" is armed for any CQE
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more
      And CQ "recv_cq" gains 2 CQEs with status IBV_WC_SUCCESS

    @needs.solicited-events @needs.arm-ignores-backlog
    Scenario: A new solicited CQE notifies although a solicited one waits in the CQ
      Given 1 event of CQ "recv_cq" for a solicited message has been taken from completion channel "channel"
      And CQ "recv_cq" is armed for solicited CQEs only
      When QP "client" sends 1 unsolicited message
      Then CQ "send_cq" gains 2 CQEs with status IBV_WC_SUCCESS
      And completion channel "channel" delivers no event
      When QP "client" sends 1 solicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more
      And CQ "recv_cq" gains 3 CQEs with status IBV_WC_SUCCESS

  @ibv_req_notify_cq.repeat-next-noop
  Rule: Asking again for any CQE while such a request is pending changes nothing

    Scenario: Three requests and three CQEs make one event
      Given CQ "recv_cq" is armed for any CQE
      And CQ "recv_cq" is armed for any CQE
      And CQ "recv_cq" is armed for any CQE
      When QP "client" sends 3 unsolicited messages
      Then CQ "recv_cq" gains 3 CQEs with status IBV_WC_SUCCESS
      And completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

    Scenario: Two requests are still one request when its CQE comes
      Given CQ "recv_cq" is armed for any CQE
      And CQ "recv_cq" is armed for any CQE
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

  @ibv_req_notify_cq.repeat-solicited-noop
  Rule: Asking again for solicited CQEs while such a request is pending changes nothing

    @needs.solicited-events
    Scenario: Three requests for solicited CQEs and three of those make one event
      Given CQ "recv_cq" is armed for solicited CQEs only
      And CQ "recv_cq" is armed for solicited CQEs only
      And CQ "recv_cq" is armed for solicited CQEs only
      When QP "client" sends 3 solicited messages
      Then CQ "recv_cq" gains 3 CQEs with status IBV_WC_SUCCESS
      And completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

    @needs.solicited-events
    Scenario: Two requests for solicited CQEs do not make an unsolicited one notify
      Given CQ "recv_cq" is armed for solicited CQEs only
      And CQ "recv_cq" is armed for solicited CQEs only
      When QP "client" sends 1 unsolicited message
      Then CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And completion channel "channel" delivers no event
      When QP "client" sends 1 solicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

  @ibv_req_notify_cq.effective-after-event
  Rule: Requests made while one is pending are not kept for later; one made after the event counts

    Scenario: Of three requests for any CQE nothing is left after the event, and a new one counts
      Given CQ "recv_cq" is armed for any CQE
      And CQ "recv_cq" is armed for any CQE
      And CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      When the event of CQ "recv_cq" on completion channel "channel" is taken and acknowledged
      And QP "client" sends 1 unsolicited message
      Then CQ "recv_cq" gains 2 CQEs with status IBV_WC_SUCCESS
      And completion channel "channel" delivers no event
      Given CQ "recv_cq" is armed for any CQE
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

    @needs.solicited-events
    Scenario: Of two requests for solicited CQEs nothing is left after the event, and a new one counts
      Given CQ "recv_cq" is armed for solicited CQEs only
      And CQ "recv_cq" is armed for solicited CQEs only
      And QP "client" has sent 1 solicited message
      When the event of CQ "recv_cq" on completion channel "channel" is taken and acknowledged
      And QP "client" sends 1 solicited message
      Then CQ "recv_cq" gains 2 CQEs with status IBV_WC_SUCCESS
      And completion channel "channel" delivers no event
      Given CQ "recv_cq" is armed for solicited CQEs only
      When QP "client" sends 1 solicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

    @needs.arm-before-get
    Scenario: Five requests, each after the event of the one before, make five events
      Given a CQ "deep_cq" on completion channel "deep_channel"
      And connected RC QPs "left" and "right", where "right" receives on CQ "deep_cq"
      And 5 receives posted on QP "right"
      And CQ "deep_cq" is armed for any CQE
      And QP "left" has sent 1 unsolicited message
      And CQ "deep_cq" has been emptied of 1 CQE
      And CQ "deep_cq" is armed for any CQE
      And QP "left" has sent 1 unsolicited message
      And CQ "deep_cq" has been emptied of 1 CQE
      And CQ "deep_cq" is armed for any CQE
      And QP "left" has sent 1 unsolicited message
      And CQ "deep_cq" has been emptied of 1 CQE
      And CQ "deep_cq" is armed for any CQE
      And QP "left" has sent 1 unsolicited message
      And CQ "deep_cq" has been emptied of 1 CQE
      And CQ "deep_cq" is armed for any CQE
      When QP "left" sends 1 unsolicited message
      Then completion channel "deep_channel" delivers 5 events for CQ "deep_cq" and no more

  @ibv_req_notify_cq.solicited-then-next
  Rule: A request for any CQE widens a pending request for solicited CQEs

    @needs.solicited-events
    Scenario: Armed for solicited CQEs, then for any: an unsolicited CQE notifies
      Given CQ "recv_cq" is armed for solicited CQEs only
      And CQ "recv_cq" is armed for any CQE
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

  @ibv_req_notify_cq.next-then-solicited
  Rule: A request for solicited CQEs does not narrow a pending request for any CQE

    @needs.solicited-events
    Scenario: Armed for any CQE, then for solicited ones: an unsolicited CQE notifies
      Given CQ "recv_cq" is armed for any CQE
      And CQ "recv_cq" is armed for solicited CQEs only
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

  @ibv_req_notify_cq.mixed-any-order-next-wins
  Rule: Among several pending requests a single one for any CQE decides

    @needs.solicited-events
    Scenario: For any CQE first, then twice for solicited CQEs
      Given CQ "recv_cq" is armed for any CQE
      And CQ "recv_cq" is armed for solicited CQEs only
      And CQ "recv_cq" is armed for solicited CQEs only
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

    @needs.solicited-events
    Scenario: For any CQE between two requests for solicited CQEs
      Given CQ "recv_cq" is armed for solicited CQEs only
      And CQ "recv_cq" is armed for any CQE
      And CQ "recv_cq" is armed for solicited CQEs only
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

    @needs.solicited-events
    Scenario: Twice for solicited CQEs, then for any CQE
      Given CQ "recv_cq" is armed for solicited CQEs only
      And CQ "recv_cq" is armed for solicited CQEs only
      And CQ "recv_cq" is armed for any CQE
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

  @ibv_req_notify_cq.mixed-single-event
  Rule: Pending requests of both kinds are answered by one event, at the next CQE

    @needs.solicited-events
    Scenario: Armed for solicited CQEs, then for any: an unsolicited CQE notifies, a solicited one after it does not
      Given CQ "recv_cq" is armed for solicited CQEs only
      And CQ "recv_cq" is armed for any CQE
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more
      When QP "client" sends 1 solicited message
      Then CQ "recv_cq" gains 2 CQEs with status IBV_WC_SUCCESS
      And completion channel "channel" delivers no event

    @needs.solicited-events
    Scenario: Armed for any CQE, then for solicited ones: an unsolicited CQE notifies, a solicited one after it does not
      Given CQ "recv_cq" is armed for any CQE
      And CQ "recv_cq" is armed for solicited CQEs only
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more
      When QP "client" sends 1 solicited message
      Then CQ "recv_cq" gains 2 CQEs with status IBV_WC_SUCCESS
      And completion channel "channel" delivers no event

  @ibv_req_notify_cq.sleep-until-cqe
  Rule: Who has armed a CQ can sleep until a CQE comes

    Scenario: A get that waits on an armed CQ is woken by the CQE
      Given CQ "recv_cq" is armed for any CQE
      When getting an event from completion channel "channel" begins
      Then getting an event from completion channel "channel" is blocked
      When QP "client" sends 1 unsolicited message
      Then getting an event from completion channel "channel" gives an event of CQ "recv_cq"
      And polling CQ "recv_cq" for 1 entry gives 1 CQE

  @ibv_req_notify_cq.any-cq-allowed
  Rule: Every CQ can be armed, whichever queues report to it

    The channel of a CQ is no matter of this FAQ entry: what arming means for a CQ without one, no page says.

    Scenario: A CQ to which no queue reports
      Given a CQ "idle_cq" on completion channel "channel"
      When arming CQ "idle_cq" begins
      Then arming CQ "idle_cq" succeeds

    Scenario: A CQ of sends, one of receives and one of both
      Given a CQ "both_cq" on completion channel "channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | both_cq | both_cq    |
        | right |         |            |
      And 1 receive posted on QP "left"
      When CQ "send_cq" is armed for any CQE
      And QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "send_cq" and no more
      When CQ "recv_cq" is armed for any CQE
      And QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more
      When CQ "both_cq" is armed for any CQE
      And QP "right" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "both_cq" and no more

    @needs.srq
    Scenario: A CQ of receives that come from an SRQ
      Given a CQ "shared_cq" on completion channel "channel"
      And an SRQ "srq"
      And connected RC QPs:
        | QP    | receive CQ | SRQ |
        | left  |            |     |
        | right | shared_cq  | srq |
      And 1 receive posted on SRQ "srq"
      When CQ "shared_cq" is armed for any CQE
      And QP "left" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "shared_cq" and no more

    @needs.ud
    Scenario: A CQ of UD QPs
      Given a CQ "datagram_cq" on completion channel "channel"
      And connected UD QPs "left" and "right", where "right" receives on CQ "datagram_cq"
      And 1 receive posted on QP "right"
      When CQ "datagram_cq" is armed for any CQE
      And QP "left" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "datagram_cq" and no more

  @ibv_req_notify_cq.solicited-needs-recv-queue
  Rule: Armed for solicited CQEs, a CQ of sends alone stays silent as long as they succeed

    @needs.solicited-events
    Scenario: Sends of both kinds on a CQ of sends that is armed for solicited CQEs
      Given 1 receive posted on QP "server"
      And CQ "send_cq" is armed for solicited CQEs only
      When QP "client" sends 2 solicited messages
      And QP "client" sends 2 unsolicited messages
      Then CQ "send_cq" gains 4 CQEs with status IBV_WC_SUCCESS
      And completion channel "channel" delivers no event
      When CQ "send_cq" is armed for any CQE
      And QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "send_cq" and no more

  @ibv_req_notify_cq.no-threshold
  Rule: solicited_only is not a number of CQEs to wait for

    That no argument asks for N completions can be read in the declaration; the scenario shows that the only number
    there is counts nothing.

    @needs.solicited-events
    Scenario: Armed with solicited_only 3, the first solicited CQE notifies
      When arming CQ "recv_cq" with solicited_only 3 succeeds
      And QP "client" sends 1 solicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

  @ibv_req_notify_cq.no-auto-rearm
  Rule: Each event is asked for on its own; nothing arms a CQ for every CQE

    Scenario: The first of three CQEs, each of which is polled before the next, is the one that notifies
      Given CQ "recv_cq" is armed for any CQE
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more
      And CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS
      When QP "client" sends 1 unsolicited message
      Then CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS
      When QP "client" sends 1 solicited message
      Then CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And completion channel "channel" delivers no event

  @ibv_req_notify_cq.event-may-cover-many
  Rule: One event can stand for many CQEs

    Scenario: Four CQEs between two gets make one event
      Given CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 4 unsolicited messages
      When the event of CQ "recv_cq" on completion channel "channel" is taken
      Then CQ "recv_cq" gains 4 CQEs with status IBV_WC_SUCCESS
      And completion channel "channel" delivers no event

  @ibv_req_notify_cq.drain-after-event @needs.arm-ignores-backlog
  Rule: CQEs that are left in the CQ after an event cause no further one

    Scenario: Two of three CQEs are left in the CQ when it is armed again
      Given 3 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      When CQ "recv_cq" is armed for any CQE
      And CQ "recv_cq" has been emptied of 1 CQE
      Then completion channel "channel" delivers no event
      And CQ "recv_cq" gains 2 CQEs with status IBV_WC_SUCCESS

    Scenario: Two CQEs that came after the event are left in the CQ when it is armed again
      Given 1 event of CQ "recv_cq" for an unsolicited message has been taken from completion channel "channel"
      And QP "client" has sent 2 unsolicited messages
      And CQ "send_cq" has been emptied of 3 CQEs
      And completion channel "channel" delivers no event
      And CQ "recv_cq" has been emptied of 1 CQE
      When CQ "recv_cq" is armed for any CQE
      Then completion channel "channel" delivers no event
      And CQ "recv_cq" gains 2 CQEs with status IBV_WC_SUCCESS

  @ibv_req_notify_cq.leftover-pollable
  Rule: A CQE without an event of its own is polled like any other

    Scenario: CQEs that came after the event are polled without another event
      Given CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      And the event of CQ "recv_cq" on completion channel "channel" is taken and acknowledged
      And CQ "recv_cq" has been emptied of 1 CQE
      When QP "client" sends 2 unsolicited messages
      Then CQ "recv_cq" gains 2 CQEs with status IBV_WC_SUCCESS
      And completion channel "channel" delivers no event

    Scenario: CQEs of a CQ that was never armed
      When QP "client" sends 2 unsolicited messages
      Then CQ "recv_cq" gains 2 CQEs with status IBV_WC_SUCCESS

  @ibv_req_notify_cq.event-without-polling
  Rule: Taking and acknowledging an event leaves its CQE in the CQ

    Scenario: The CQE outlasts the event and the ack
      Given CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      When the event of CQ "recv_cq" on completion channel "channel" is taken and acknowledged
      Then CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS

    @needs.arm-ignores-backlog
    Scenario: The CQE outlasts a further request, which it does not answer
      Given CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      When the event of CQ "recv_cq" on completion channel "channel" is taken and acknowledged
      And CQ "recv_cq" is armed for any CQE
      Then completion channel "channel" delivers no event
      And CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS

    Scenario: Two CQEs outlast the ack of both events
      Given 2 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      When 2 events of CQ "recv_cq" are acknowledged
      Then CQ "recv_cq" gains 2 CQEs with status IBV_WC_SUCCESS
