@ibv_resize_cq @needs.connection @needs.cq-notifications
Feature: ibv_resize_cq(3) - resize a CQ

  The backlog of a CQ is the CQEs that wait in it to be polled. A resize gives the CQ room for at least as many CQEs as were
  asked for, and leaves its backlog as it is. A device may lack the verb.

  Background:
    Given a CQ "recv_cq" of 4 entries on completion channel "channel"
    And a CQ "send_cq"
    And connected RC QPs:
      | QP     | send CQ | receive CQ |
      | client | send_cq |            |
      | server |         | recv_cq    |

  @ibv_resize_cq.signature @ibv_resize_cq.returns-zero
  Rule: ibv_resize_cq() takes a CQ and a number of entries, and returns 0 when it has resized the CQ

    @needs.resize-cq
    Scenario: Growing a CQ returns 0
      When resizing CQ "recv_cq" to 9 entries returns
      Then ibv_resize_cq returned 0
      And CQ "recv_cq" has at least 9 entries

  @ibv_resize_cq.at-least-requested
  Rule: After a resize the CQ has room for at least as many CQEs as were asked for

    @needs.resize-cq
    Scenario Outline: A CQ that was asked to have <cqe> entries instead of 4 says that it has no fewer
      When resizing CQ "recv_cq" to <cqe> entries succeeds
      Then CQ "recv_cq" has at least <cqe> entries

      Examples:
        | cqe |
        | 5   |
        | 40  |
        | 64  |

    @needs.resize-cq
    Scenario: As many CQEs as were asked for wait in the CQ at once
      Given 12 receives posted on QP "server"
      When resizing CQ "recv_cq" to 12 entries succeeds
      And QP "client" sends 12 unsolicited messages
      Then CQ "send_cq" gains 12 CQEs with status IBV_WC_SUCCESS
      And the device raises no IBV_EVENT_CQ_ERR
      And CQ "recv_cq" gains 12 CQEs with status IBV_WC_SUCCESS

    @needs.resize-cq
    Scenario: A CQ that has been resized before grows again
      Given resizing CQ "recv_cq" to 9 entries succeeds
      And 12 receives posted on QP "server"
      When resizing CQ "recv_cq" to 12 entries succeeds
      And QP "client" sends 12 unsolicited messages
      Then CQ "recv_cq" has at least 12 entries
      And CQ "send_cq" gains 12 CQEs with status IBV_WC_SUCCESS
      And the device raises no IBV_EVENT_CQ_ERR
      And CQ "recv_cq" gains 12 CQEs with status IBV_WC_SUCCESS

    @needs.resize-cq
    Scenario Outline: A CQ that has grown from 4 to <cqe> entries takes <cqe> CQEs
      Given a CQ "deep_cq" of 4 entries
      And a CQ "far_cq" of 257 entries
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | far_cq  |            |
        | right |         | deep_cq    |
      And resizing CQ "deep_cq" to <cqe> entries succeeds
      And <cqe> receives posted on QP "right"
      When QP "left" sends <cqe> unsolicited messages
      Then CQ "far_cq" gains <cqe> CQEs with status IBV_WC_SUCCESS
      When a moment passes
      Then the device raises no IBV_EVENT_CQ_ERR
      And CQ "deep_cq" gains <cqe> CQEs with status IBV_WC_SUCCESS

      Examples:
        | cqe |
        | 65  |
        | 257 |

    @needs.resize-cq
    Scenario: A CQ that was asked to have 1 entry takes a CQE
      Given 1 receive posted on QP "server"
      When resizing CQ "recv_cq" to 1 entry succeeds
      And QP "client" sends 1 unsolicited message
      Then the device raises no IBV_EVENT_CQ_ERR
      And CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS

    @needs.resize-cq
    Scenario: Each of three resizes gives what it was asked for
      When resizing CQ "recv_cq" to 8 entries succeeds
      Then CQ "recv_cq" has at least 8 entries
      When resizing CQ "recv_cq" to 16 entries succeeds
      Then CQ "recv_cq" has at least 16 entries
      When resizing CQ "recv_cq" to 40 entries succeeds
      Then CQ "recv_cq" has at least 40 entries

  @ibv_resize_cq.not-below-backlog
  Rule: A request below the backlog loses no CQE

    The page does not say that less is refused, and a device that rounds up has room for it.

    @needs.resize-cq
    Scenario: Asked for 2 entries with 3 CQEs in the backlog, the CQ loses none of them
      Given 3 receives posted on QP "server"
      And 3 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      Then resizing CQ "recv_cq" to 2 entries succeeds or is refused with an errno number
      And resizing CQ "recv_cq" to 3 entries succeeds
      And CQ "recv_cq" gains 3 CQEs with status IBV_WC_SUCCESS

    @needs.resize-cq
    Scenario: CQEs that have been polled do not count
      Given 3 receives posted on QP "server"
      And 3 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      And CQ "recv_cq" has been emptied of 1 CQE
      Then resizing CQ "recv_cq" to 2 entries succeeds
      And CQ "recv_cq" gains 2 CQEs with status IBV_WC_SUCCESS

  @ibv_resize_cq.keeps-backlog
  Rule: The backlog of a CQ outlasts a resize, in its order

    @needs.resize-cq
    Scenario: A backlog outlasts growing, and what comes later follows it
      Given these receives are posted on QP "server":
        | wr_id |
        | 0xa1  |
        | 0xa2  |
        | 0xa3  |
        | 0xa4  |
      And 3 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      When resizing CQ "recv_cq" to 40 entries succeeds
      And QP "client" sends 1 unsolicited message
      Then CQ "recv_cq" has at least 40 entries
      And CQ "recv_cq" gains these CQEs:
        | wr_id | status         | opcode      | byte_len | qp_num      |
        | 0xa1  | IBV_WC_SUCCESS | IBV_WC_RECV | 16       | QP "server" |
        | 0xa2  | IBV_WC_SUCCESS | IBV_WC_RECV | 16       | QP "server" |
        | 0xa3  | IBV_WC_SUCCESS | IBV_WC_RECV | 16       | QP "server" |
        | 0xa4  | IBV_WC_SUCCESS | IBV_WC_RECV | 16       | QP "server" |

    @needs.resize-cq
    Scenario: A backlog outlasts shrinking
      Given resizing CQ "recv_cq" to 40 entries succeeds
      And these receives are posted on QP "server":
        | wr_id |
        | 0xa1  |
        | 0xa2  |
      And 2 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      When resizing CQ "recv_cq" to 2 entries succeeds
      Then CQ "recv_cq" gains these CQEs:
        | wr_id | status         |
        | 0xa1  | IBV_WC_SUCCESS |
        | 0xa2  | IBV_WC_SUCCESS |

    @needs.resize-cq
    Scenario: A backlog on a CQ that has been used for a while outlasts growing
      Given 7 receives posted on QP "server"
      And these receives are posted on QP "server":
        | wr_id |
        | 0xa1  |
        | 0xa2  |
        | 0xa3  |
        | 0xa4  |
      And QP "client" has sent 4 unsolicited messages
      And CQ "recv_cq" has been emptied of 4 CQEs
      And QP "client" has sent 3 unsolicited messages
      And CQ "recv_cq" has been emptied of 3 CQEs
      And 4 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      When resizing CQ "recv_cq" to 20 entries succeeds
      Then CQ "recv_cq" gains these CQEs:
        | wr_id | status         |
        | 0xa1  | IBV_WC_SUCCESS |
        | 0xa2  | IBV_WC_SUCCESS |
        | 0xa3  | IBV_WC_SUCCESS |
        | 0xa4  | IBV_WC_SUCCESS |

    @needs.resize-cq @needs.arm-ignores-backlog
    Scenario: A backlog of several QPs and of failures outlasts growing as it was
      Given connected RC QPs "left" and "right", where "right" receives on CQ "recv_cq"
      And these receives are posted on QP "server":
        | wr_id |
        | 0xa1  |
        | 0xa2  |
      And these receives are posted on QP "right":
        | wr_id |
        | 0xb1  |
      And CQ "recv_cq" is armed for any CQE
      And QP "client" posts these sends:
        | opcode               | imm_data   |
        | IBV_WR_SEND_WITH_IMM | 0x01020304 |
      And the event of CQ "recv_cq" on completion channel "channel" is taken and acknowledged
      And CQ "recv_cq" is armed for any CQE
      And QP "left" has sent 1 unsolicited message
      And the event of CQ "recv_cq" on completion channel "channel" is taken and acknowledged
      And CQ "recv_cq" is armed for any CQE
      And QP "server" is moved to IBV_QPS_ERR
      And the event of CQ "recv_cq" on completion channel "channel" is taken and acknowledged
      When resizing CQ "recv_cq" to 40 entries succeeds
      Then CQ "recv_cq" gains these CQEs:
        | wr_id | status              | qp_num      | imm_data   |
        | 0xa1  | IBV_WC_SUCCESS      | QP "server" | 0x01020304 |
        | 0xb1  | IBV_WC_SUCCESS      | QP "right"  |            |
        | 0xa2  | IBV_WC_WR_FLUSH_ERR | QP "server" |            |

    @needs.resize-cq
    Scenario Outline: A backlog of 100 CQEs outlasts <what>
      Given a CQ "deep_cq" of 128 entries
      And a CQ "far_cq" of 128 entries
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | far_cq  |            |
        | right |         | deep_cq    |
      And 100 receives posted on QP "right"
      And QP "left" has sent 100 unsolicited messages
      And CQ "far_cq" has been emptied of 100 CQEs
      And a moment passes
      When resizing CQ "deep_cq" to <cqe> entries succeeds
      Then CQ "deep_cq" gains 100 CQEs with status IBV_WC_SUCCESS

      Examples:
        | what      | cqe |
        | growing   | 300 |
        | shrinking | 100 |

  @ibv_resize_cq.shrink-may-noop
  Rule: A request for fewer entries succeeds, and may leave the CQ as large as it was

    @needs.resize-cq
    Scenario: A CQ that was asked to shrink has what was asked for, and works
      Given resizing CQ "recv_cq" to 40 entries succeeds
      And 5 receives posted on QP "server"
      When resizing CQ "recv_cq" to 5 entries succeeds
      And QP "client" sends 5 unsolicited messages
      Then CQ "send_cq" gains 5 CQEs with status IBV_WC_SUCCESS
      And CQ "recv_cq" has at least 5 entries
      And the device raises no IBV_EVENT_CQ_ERR
      And CQ "recv_cq" gains 5 CQEs with status IBV_WC_SUCCESS

  @ibv_resize_cq.returns-errno
  Rule: ibv_resize_cq() returns the number of an errno when it refuses

    The page does not name the values.

    Scenario: The result says whether the device can resize
      Then resizing CQ "recv_cq" to 9 entries succeeds or is refused with an errno number

    @needs.resize-cq
    Scenario: More entries than the device has for a CQ
      When resizing CQ "recv_cq" to more entries than the device allows returns
      Then ibv_resize_cq returned an errno number

    @needs.resize-cq
    Scenario: A CQ that could not be resized goes on as it was
      Given 1 receive posted on QP "server"
      When resizing CQ "recv_cq" to more entries than the device allows is refused
      And QP "client" sends 1 unsolicited message
      Then CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS

    @needs.resize-cq
    Scenario: A CQ that could not be resized has its backlog and room for as many CQEs as before
      Given 4 receives posted on QP "server"
      And 2 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      When resizing CQ "recv_cq" to more entries than the device allows is refused
      And QP "client" sends 2 unsolicited messages
      Then CQ "recv_cq" has at least 4 entries
      And CQ "recv_cq" gains 4 CQEs with status IBV_WC_SUCCESS

  @ibv_resize_cq.size-may-exceed @ibv_resize_cq.cqe-updated
  Rule: After a resize the cqe member tells how many CQEs the CQ has room for, which may be more than were asked for

    @needs.resize-cq
    Scenario: A CQ that was resized takes as many CQEs as its cqe member says
      Given a CQ "small_cq" of 4 entries
      And connected RC QPs "sender" and "receiver", where "sender" sends on CQ "small_cq"
      And as many receives posted on QP "receiver" as it takes to overrun CQ "small_cq"
      When resizing CQ "small_cq" to 8 entries succeeds
      And QP "sender" sends as many messages as CQ "small_cq" has entries
      Then QP "receiver" receives as many messages as CQ "small_cq" has entries
      And the device raises no IBV_EVENT_CQ_ERR
      And CQ "small_cq" gains as many CQEs as it has entries, with status IBV_WC_SUCCESS
      And CQ "small_cq" has at least 8 entries
