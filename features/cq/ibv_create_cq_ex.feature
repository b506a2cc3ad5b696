@ibv_create_cq_ex
Feature: ibv_create_cq_ex(3) - create an extended CQ, and poll it lazily

  The CQEs of an extended CQ are polled in batches: ibv_start_poll() opens a batch and stands on its first CQE,
  ibv_next_poll() moves on to the next one, ibv_end_poll() closes the batch. Of the CQE on which the batch stands, a program
  reads only the members that it wants, each by a function of its own. "Gives these CQEs, one per batch" stands for that: one
  CQE a batch, read by these functions, until a batch can no longer be opened. No other call on the CQ is made while a batch
  is open; the page allows none. It offers these functions and does not ask for them, so some scenarios poll an extended CQ
  with ibv_poll_cq(3). A device may lack extended CQs.

  @ibv_create_cq_ex.signature @needs.extended-cq @needs.connection
  Rule: An extended CQ is created with all that its attributes say

    @needs.wc-byte-len @needs.cq-notifications
    Scenario: Size, user context, channel, vector and members of one call all count
      When an extended CQ "full_cq" is created with:
        | cqe         | 5                       |
        | cq_context  | 0x0123456789abcdef      |
        | channel     | full_channel            |
        | comp_vector | 0                       |
        | wc_flags    | IBV_WC_EX_WITH_BYTE_LEN |
      And connected RC QPs "sender" and "receiver", where "receiver" receives on CQ "full_cq"
      And 1 receive posted on QP "receiver"
      And CQ "full_cq" is armed for any CQE
      And QP "sender" sends 1 unsolicited message
      Then CQ "full_cq" has at least 5 entries
      And completion channel "full_channel" delivers an event for CQ "full_cq" with user context 0x0123456789abcdef
      And CQ "full_cq" gives these CQEs, one per batch:
        | status         | byte_len |
        | IBV_WC_SUCCESS | 16       |

  @ibv_create_cq_ex.creates-on-context @needs.extended-cq
  Rule: An extended CQ belongs to the device context that it was created on

    Scenario: The extended CQ names its device context
      Given an extended CQ "cq" with:
        | cqe | 4 |
      Then CQ "cq" belongs to the device context

    @needs.cq-notifications
    Scenario: It names the same one when another context has been opened
      Given an extended CQ "cq" with:
        | cqe | 4 |
      When the program uses other contexts
      Then CQ "cq" belongs to the device context

  @ibv_create_cq_ex.attr-cqe @needs.extended-cq
  Rule: An extended CQ has room for at least as many CQEs as were asked for

    Scenario Outline: An extended CQ that was asked to have <cqe> entries says that it has no fewer
      Given an extended CQ "cq" with:
        | cqe | <cqe> |
      Then CQ "cq" has at least <cqe> entries

      Examples:
        | cqe |
        | 1   |
        | 7   |
        | 100 |

    @needs.connection
    Scenario: As many CQEs as were asked for wait in the CQ at once
      Given an extended CQ "small_cq" with:
        | cqe | 5 |
      And a CQ "send_cq"
      And connected RC QPs:
        | QP       | send CQ | receive CQ |
        | sender   | send_cq |            |
        | receiver |         | small_cq   |
      And these receives are posted on QP "receiver":
        | wr_id |
        | 0xb1  |
        | 0xb2  |
        | 0xb3  |
        | 0xb4  |
        | 0xb5  |
      When QP "sender" sends 5 unsolicited messages
      Then CQ "send_cq" gains 5 CQEs with status IBV_WC_SUCCESS
      And the device raises no IBV_EVENT_CQ_ERR
      And CQ "small_cq" gives these CQEs, one per batch:
        | wr_id |
        | 0xb1  |
        | 0xb2  |
        | 0xb3  |
        | 0xb4  |
        | 0xb5  |

    @needs.connection @needs.standard-wc-flags @needs.cq-notifications
    Scenario: There is still room for as many CQEs after a batch
      Given an extended CQ "small_cq" with:
        | cqe      | 5 |
        | wc_flags | IBV_WC_EX_WITH_BYTE_LEN \| IBV_WC_EX_WITH_IMM \| IBV_WC_EX_WITH_QP_NUM \| IBV_WC_EX_WITH_SRC_QP \| IBV_WC_EX_WITH_SLID \| IBV_WC_EX_WITH_SL \| IBV_WC_EX_WITH_DLID_PATH_BITS |
        | channel  | channel |
      And connected RC QPs "sender" and "receiver", where "receiver" receives on CQ "small_cq"
      And 7 receives posted on QP "receiver"
      And 2 events of CQ "small_cq" for unsolicited messages have been taken from completion channel "channel"
      When the program uses a batch of CQ "small_cq"
      And QP "sender" sends 5 unsolicited messages
      Then CQ "small_cq" gains 5 CQEs with status IBV_WC_SUCCESS
      And the device raises no IBV_EVENT_CQ_ERR

    @needs.connection @needs.completion-timestamps @needs.cq-notifications
    Scenario: There is still room for as many CQEs after time stamps were read
      Given an extended CQ "small_cq" with:
        | cqe      | 5                                   |
        | wc_flags | IBV_WC_EX_WITH_COMPLETION_TIMESTAMP |
        | channel  | channel                             |
      And connected RC QPs "sender" and "receiver", where "receiver" receives on CQ "small_cq"
      And 7 receives posted on QP "receiver"
      And 2 events of CQ "small_cq" for unsolicited messages have been taken from completion channel "channel"
      And CQ "small_cq" gives 2 CQEs, each with a later time stamp
      When QP "sender" sends 5 unsolicited messages
      Then CQ "small_cq" gains 5 CQEs with status IBV_WC_SUCCESS
      And the device raises no IBV_EVENT_CQ_ERR

  @ibv_create_cq_ex.attr-cq-context @needs.extended-cq @needs.connection
  Rule: The user context of an extended CQ comes back with its events as it was given

    @needs.cq-notifications
    Scenario Outline: The user context <cq_context> comes back unaltered
      Given an extended CQ "other_cq" with:
        | cqe        | 4             |
        | cq_context | <cq_context>  |
        | channel    | other_channel |
      And connected RC QPs "sender" and "receiver", where "receiver" receives on CQ "other_cq"
      And 1 receive posted on QP "receiver"
      And CQ "other_cq" is armed for any CQE
      When QP "sender" sends 1 unsolicited message
      Then completion channel "other_channel" delivers an event for CQ "other_cq" with user context <cq_context>

      Examples:
        | cq_context         |
        | 0x0123456789abcdef |
        | 0xffffffffffffffff |

    @needs.cq-notifications
    Scenario: The user context comes with the second event as with the first
      Given an extended CQ "other_cq" with:
        | cqe        | 4                  |
        | cq_context | 0x0123456789abcdef |
        | channel    | other_channel      |
      And connected RC QPs "sender" and "receiver", where "receiver" receives on CQ "other_cq"
      And 2 receives posted on QP "receiver"
      And 1 event of CQ "other_cq" for an unsolicited message has been taken from completion channel "other_channel"
      And CQ "other_cq" has been emptied of 1 CQE
      And CQ "other_cq" is armed for any CQE
      When QP "sender" sends 1 unsolicited message
      Then completion channel "other_channel" delivers an event for CQ "other_cq" with user context 0x0123456789abcdef

  @ibv_create_cq_ex.attr-channel @needs.extended-cq @needs.connection
  Rule: The events of an extended CQ come out of the completion channel it was created with

    @needs.cq-notifications
    Scenario: Of two channels the one of the extended CQ delivers
      Given an extended CQ "recv_cq" with:
        | cqe     | 4       |
        | channel | channel |
      And an extended CQ "other_cq" with:
        | cqe     | 4             |
        | channel | other_channel |
      And connected RC QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And 1 receive posted on QP "server"
      And CQ "recv_cq" is armed for any CQE
      And CQ "other_cq" is armed for any CQE
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more
      And completion channel "other_channel" delivers no event

  @ibv_create_cq_ex.attr-channel-null @needs.extended-cq @needs.connection
  Rule: An extended CQ without a completion channel is polled as any other

    Scenario: An extended CQ without a channel gives its CQEs
      When an extended CQ "silent_cq" is created with:
        | cqe | 4 |
      And connected RC QPs "sender" and "receiver", where "receiver" receives on CQ "silent_cq"
      And these receives are posted on QP "receiver":
        | wr_id |
        | 0xb1  |
      And QP "sender" sends 1 unsolicited message
      Then CQ "silent_cq" gives these CQEs, one per batch:
        | wr_id | status         |
        | 0xb1  | IBV_WC_SUCCESS |

  @ibv_create_cq_ex.attr-comp-vector @needs.extended-cq
  Rule: The completion vectors of an extended CQ are 0 to num_comp_vectors - 1

    The page asks for such a vector; this suite reads it as a promise that others are refused.

    Scenario: Vector -1 is refused, vector 0 is not
      Then creating an extended CQ with completion vector -1 is refused
      And creating an extended CQ with completion vector 0 succeeds

    Scenario: The number of vectors is refused as a vector, one less is not
      Then creating an extended CQ with completion vector num_comp_vectors is refused
      And creating an extended CQ with completion vector num_comp_vectors - 1 succeeds

    @needs.connection @needs.cq-notifications
    Scenario: An extended CQ on the highest vector delivers its events
      When an extended CQ "other_cq" is created with:
        | cqe         | 4                    |
        | channel     | other_channel        |
        | comp_vector | num_comp_vectors - 1 |
      And connected RC QPs "sender" and "receiver", where "receiver" receives on CQ "other_cq"
      And 1 receive posted on QP "receiver"
      And CQ "other_cq" is armed for any CQE
      And QP "sender" sends 1 unsolicited message
      Then completion channel "other_channel" delivers 1 event for CQ "other_cq" and no more

  @ibv_create_cq_ex.attr-wc-flags @needs.extended-cq @needs.connection
  Rule: All members that wc_flags asks for can be read of one CQE

    Whether a device may refuse some of the flags the page does not say.

    @needs.ud @needs.wc-imm @needs.wc-qp-num @needs.wc-src-qp @needs.cq-notifications
    Scenario: A UD message with an immediate
      When an extended CQ "full_cq" is created on completion channel "channel" that provides "IBV_WC_EX_WITH_IMM | IBV_WC_EX_WITH_QP_NUM | IBV_WC_EX_WITH_SRC_QP"
      And connected UD QPs "sender" and "receiver", where "receiver" receives on CQ "full_cq"
      And these receives are posted on QP "receiver":
        | wr_id |
        | 0xb1  |
      And QP "sender" posts these sends:
        | opcode               | bytes | imm_data   |
        | IBV_WR_SEND_WITH_IMM | 16    | 0x01020304 |
      Then CQ "full_cq" gives these CQEs, one per batch:
        | wr_id | status         | opcode      | IBV_WC_WITH_IMM | imm_data   | qp_num        | src_qp      |
        | 0xb1  | IBV_WC_SUCCESS | IBV_WC_RECV | set             | 0x01020304 | QP "receiver" | QP "sender" |

    @needs.cq-notifications
    Scenario: A CQ that was asked for no member gives wr_id, status and opcode
      When an extended CQ "bare_cq" is created on completion channel "channel" that provides "0"
      And connected RC QPs "sender" and "receiver", where "receiver" receives on CQ "bare_cq"
      And these receives are posted on QP "receiver":
        | wr_id |
        | 0xb1  |
      And QP "sender" sends 1 unsolicited message
      Then CQ "bare_cq" gives these CQEs, one per batch:
        | wr_id | status         | opcode      |
        | 0xb1  | IBV_WC_SUCCESS | IBV_WC_RECV |

  @ibv_create_cq_ex.attr-comp-mask @ibv_create_cq_ex.attr-flags @needs.extended-cq @needs.connection
  Rule: Flags count only if comp_mask has IBV_CQ_INIT_ATTR_MASK_FLAGS

    That flags count with the bit is not shown: a device may refuse each of them. What becomes of a bit that no enum
    has, the page does not say.

    @needs.cq-overrun-event
    Scenario: Without the bit a CQ that overruns is in error, whatever its flags
      When an extended CQ "small_cq" is created with:
        | cqe       | 4                                 |
        | comp_mask | 0                                 |
        | flags     | IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN |
      And connected RC QPs "sender" and "receiver", where "sender" sends on CQ "small_cq"
      And as many receives posted on QP "receiver" as it takes to overrun CQ "small_cq"
      And QP "sender" sends as many messages as it takes to overrun CQ "small_cq"
      Then the device raises IBV_EVENT_CQ_ERR for CQ "small_cq"

  @ibv_create_cq_ex.flag-single-threaded @needs.extended-cq @needs.connection
  Rule: A CQ that one thread uses needs no locks

    A program cannot see the locks that a provider leaves out, so only that the CQ works is shown. A device may refuse the
    flag; the CQ is then created without it.

    Scenario: A CQ for one thread gives its CQEs
      When an extended CQ "lone_cq" is created with:
        | cqe       | 4                                                           |
        | comp_mask | IBV_CQ_INIT_ATTR_MASK_FLAGS                                 |
        | flags     | IBV_CREATE_CQ_ATTR_SINGLE_THREADED, if the device can do so |
      And connected RC QPs "sender" and "receiver", where "receiver" receives on CQ "lone_cq"
      And these receives are posted on QP "receiver":
        | wr_id |
        | 0xb1  |
        | 0xb2  |
      And QP "sender" sends 2 unsolicited messages
      Then CQ "lone_cq" gives these CQEs, one per batch:
        | wr_id | status         |
        | 0xb1  | IBV_WC_SUCCESS |
        | 0xb2  | IBV_WC_SUCCESS |

    @needs.cq-notifications
    Scenario: A CQ for one thread makes its event
      When an extended CQ "lone_cq" is created with:
        | cqe       | 4                                                           |
        | channel   | channel                                                     |
        | comp_mask | IBV_CQ_INIT_ATTR_MASK_FLAGS                                 |
        | flags     | IBV_CREATE_CQ_ATTR_SINGLE_THREADED, if the device can do so |
      And connected RC QPs "sender" and "receiver", where "receiver" receives on CQ "lone_cq"
      And 1 receive is posted on QP "receiver"
      And CQ "lone_cq" is armed for any CQE
      And QP "sender" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "lone_cq" and no more

  @ibv_create_cq_ex.start-begins-batch @ibv_create_cq_ex.start-success-readable @needs.extended-cq @needs.connection
  @needs.wc-byte-len @needs.wc-qp-num @needs.cq-notifications
  Rule: A batch stands on the oldest CQE, which can be read at once

    Background:
      Given an extended CQ "recv_cq" on completion channel "channel" that provides "IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_QP_NUM"
      And connected RC QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And these receives are posted on QP "server":
        | wr_id |
        | 0xa1  |
        | 0xa2  |
        | 0xa3  |

    Scenario: Of three CQEs the first is read without ibv_next_poll()
      Given 3 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      When opening a batch of CQ "recv_cq" succeeds
      Then the current CQE of CQ "recv_cq" is:
        | wr_id | status         | opcode      | byte_len | qp_num      |
        | 0xa1  | IBV_WC_SUCCESS | IBV_WC_RECV | 16       | QP "server" |

  @ibv_create_cq_ex.start-zero @needs.extended-cq @needs.connection @needs.wc-byte-len @needs.wc-qp-num
  @needs.cq-notifications
  Rule: ibv_start_poll() returns 0 when it has opened a batch

    Background:
      Given an extended CQ "recv_cq" on completion channel "channel" that provides "IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_QP_NUM"
      And connected RC QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And these receives are posted on QP "server":
        | wr_id |
        | 0xa1  |
        | 0xa2  |
        | 0xa3  |

    Scenario: A CQE waits in the CQ
      Given 1 event of CQ "recv_cq" for an unsolicited message has been taken from completion channel "channel"
      When opening a batch of CQ "recv_cq" returns
      Then ibv_start_poll returned 0

  @ibv_create_cq_ex.start-error-code @ibv_create_cq_ex.start-enoent @needs.extended-cq @needs.connection
  @needs.wc-byte-len @needs.wc-qp-num @needs.cq-notifications
  Rule: On an empty CQ ibv_start_poll() opens no batch and returns ENOENT

    Background:
      Given an extended CQ "recv_cq" on completion channel "channel" that provides "IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_QP_NUM"
      And connected RC QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And these receives are posted on QP "server":
        | wr_id |
        | 0xa1  |
        | 0xa2  |
        | 0xa3  |

    Scenario: No message has come yet
      When opening a batch of CQ "recv_cq" returns
      Then ibv_start_poll returned the errno number ENOENT

    Scenario: All CQEs have been polled
      Given QP "client" has sent 1 unsolicited message
      When CQ "recv_cq" gives these CQEs, one per batch:
        | wr_id |
        | 0xa1  |
      Then opening a batch of CQ "recv_cq" fails with ENOENT

  @ibv_create_cq_ex.start-enoent-still-valid @needs.extended-cq @needs.connection @needs.wc-byte-len @needs.wc-qp-num
  @needs.cq-notifications
  Rule: A CQ on which no batch could be opened gives the CQEs that come later

    Background:
      Given an extended CQ "recv_cq" on completion channel "channel" that provides "IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_QP_NUM"
      And connected RC QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And these receives are posted on QP "server":
        | wr_id |
        | 0xa1  |
        | 0xa2  |
        | 0xa3  |

    Scenario: Messages come after an attempt on the empty CQ
      Given opening a batch of CQ "recv_cq" fails with ENOENT
      When QP "client" sends 2 unsolicited messages
      Then CQ "recv_cq" gives these CQEs, one per batch:
        | wr_id | status         | byte_len |
        | 0xa1  | IBV_WC_SUCCESS | 16       |
        | 0xa2  | IBV_WC_SUCCESS | 16       |

  @ibv_create_cq_ex.start-error-no-end @needs.extended-cq @needs.connection @needs.wc-byte-len @needs.wc-qp-num
  @needs.cq-notifications
  Rule: A batch that could not be opened need not be closed

    Background:
      Given an extended CQ "recv_cq" on completion channel "channel" that provides "IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_QP_NUM"
      And connected RC QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And these receives are posted on QP "server":
        | wr_id |
        | 0xa1  |
        | 0xa2  |
        | 0xa3  |

    Scenario: The CQ is tried again and again, and nothing is closed in between
      Given opening a batch of CQ "recv_cq" fails with ENOENT
      Then opening a batch of CQ "recv_cq" fails with ENOENT
      When QP "client" sends 1 unsolicited message
      Then CQ "recv_cq" gives these CQEs, one per batch:
        | wr_id | status         |
        | 0xa1  | IBV_WC_SUCCESS |

  @ibv_create_cq_ex.next-advances @ibv_create_cq_ex.next-success-readable @needs.extended-cq @needs.connection
  @needs.wc-byte-len @needs.wc-qp-num @needs.cq-notifications
  Rule: ibv_next_poll() moves on to the following CQE, which can then be read

    Background:
      Given an extended CQ "recv_cq" on completion channel "channel" that provides "IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_QP_NUM"
      And connected RC QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And these receives are posted on QP "server":
        | wr_id |
        | 0xa1  |
        | 0xa2  |
        | 0xa3  |

    Scenario: Three CQEs are read in one batch
      Given 3 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      And opening a batch of CQ "recv_cq" succeeds
      When moving on to the next CQE of CQ "recv_cq" succeeds
      Then the current CQE of CQ "recv_cq" is:
        | wr_id | status         | opcode      | byte_len | qp_num      |
        | 0xa2  | IBV_WC_SUCCESS | IBV_WC_RECV | 16       | QP "server" |
      And moving on to the next CQE of CQ "recv_cq" succeeds
      And the current CQE of CQ "recv_cq" is:
        | wr_id | status         | opcode      | byte_len | qp_num      |
        | 0xa3  | IBV_WC_SUCCESS | IBV_WC_RECV | 16       | QP "server" |

    Scenario: Twelve CQEs are read in one batch
      Given these receives are posted on QP "server":
        | wr_id |
        | 0xb1  |
        | 0xb2  |
        | 0xb3  |
        | 0xb4  |
        | 0xb5  |
        | 0xb6  |
        | 0xb7  |
        | 0xb8  |
        | 0xb9  |
      When 12 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      Then one batch of CQ "recv_cq" gives these CQEs:
        | wr_id | status         | byte_len |
        | 0xa1  | IBV_WC_SUCCESS | 16       |
        | 0xa2  | IBV_WC_SUCCESS | 16       |
        | 0xa3  | IBV_WC_SUCCESS | 16       |
        | 0xb1  | IBV_WC_SUCCESS | 16       |
        | 0xb2  | IBV_WC_SUCCESS | 16       |
        | 0xb3  | IBV_WC_SUCCESS | 16       |
        | 0xb4  | IBV_WC_SUCCESS | 16       |
        | 0xb5  | IBV_WC_SUCCESS | 16       |
        | 0xb6  | IBV_WC_SUCCESS | 16       |
        | 0xb7  | IBV_WC_SUCCESS | 16       |
        | 0xb8  | IBV_WC_SUCCESS | 16       |
        | 0xb9  | IBV_WC_SUCCESS | 16       |

    @needs.solicited-events
    Scenario: A CQE that comes while the batch is open is found
      Given CQ "recv_cq" is armed for solicited CQEs only
      And QP "client" has sent 1 unsolicited message
      And a batch of CQ "recv_cq" is opened
      And QP "client" has sent 1 solicited message
      And the event of CQ "recv_cq" on completion channel "channel" is taken
      When moving on to the next CQE of CQ "recv_cq" succeeds
      Then the current CQE of CQ "recv_cq" is:
        | wr_id | status         |
        | 0xa2  | IBV_WC_SUCCESS |

    @needs.wc-imm @needs.arm-ignores-backlog
    Scenario: CQEs of different kinds are read in one batch, each with its own members
      Given an extended CQ "mixed_cq" on completion channel "channel" that provides "IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_IMM | IBV_WC_EX_WITH_QP_NUM"
      And connected RC QPs:
        | QP    | send CQ | receive CQ | access                  |
        | left  |         | mixed_cq   |                         |
        | right |         | mixed_cq   | IBV_ACCESS_REMOTE_WRITE |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE
      And these receives are posted on QP "right":
        | wr_id              |
        | 0x0123456789abcdef |
        | 0x8000000000000001 |
      And these receives are posted on QP "left":
        | wr_id              |
        | 0xfedcba9876543210 |
      And CQ "mixed_cq" is armed for any CQE
      And QP "left" posts these sends:
        | opcode               | bytes | imm_data   |
        | IBV_WR_SEND_WITH_IMM | 20    | 0x81c2d3f4 |
      And the event of CQ "mixed_cq" on completion channel "channel" is taken
      And CQ "mixed_cq" is armed for any CQE
      And QP "right" posts these sends:
        | bytes |
        | 30    |
      And the event of CQ "mixed_cq" on completion channel "channel" is taken
      And CQ "mixed_cq" is armed for any CQE
      And QP "left" posts these sends:
        | opcode                     | bytes | remote | imm_data   |
        | IBV_WR_RDMA_WRITE_WITH_IMM | 40    | target | 0x7fe3d2c1 |
      And the event of CQ "mixed_cq" on completion channel "channel" is taken
      And opening a batch of CQ "mixed_cq" succeeds
      Then the current CQE of CQ "mixed_cq" is:
        | wr_id              | opcode      | byte_len | imm_data   | qp_num     | IBV_WC_WITH_IMM |
        | 0x0123456789abcdef | IBV_WC_RECV | 20       | 0x81c2d3f4 | QP "right" | set             |
      When moving on to the next CQE of CQ "mixed_cq" succeeds
      Then the current CQE of CQ "mixed_cq" is:
        | wr_id              | opcode      | byte_len | qp_num    | IBV_WC_WITH_IMM |
        | 0xfedcba9876543210 | IBV_WC_RECV | 30       | QP "left" | clear           |
      When moving on to the next CQE of CQ "mixed_cq" succeeds
      Then the current CQE of CQ "mixed_cq" is:
        | wr_id              | opcode                    | byte_len | imm_data   | qp_num     | IBV_WC_WITH_IMM |
        | 0x8000000000000001 | IBV_WC_RECV_RDMA_WITH_IMM | 40       | 0x7fe3d2c1 | QP "right" | set             |

    Scenario: Twenty CQEs are read in one batch
      Given an extended CQ "deep_cq" with:
        | cqe      | 32                                                |
        | wc_flags | IBV_WC_EX_WITH_BYTE_LEN \| IBV_WC_EX_WITH_QP_NUM |
      And connected RC QPs "sender" and "receiver", where "receiver" receives on CQ "deep_cq"
      And these receives are posted on QP "receiver":
        | wr_id |
        | 0xb1  |
        | 0xb2  |
        | 0xb3  |
        | 0xb4  |
        | 0xb5  |
        | 0xb6  |
        | 0xb7  |
        | 0xb8  |
        | 0xb9  |
        | 0xba  |
        | 0xbb  |
        | 0xbc  |
        | 0xbd  |
        | 0xbe  |
        | 0xbf  |
        | 0xc0  |
        | 0xc1  |
        | 0xc2  |
        | 0xc3  |
        | 0xc4  |
      When QP "sender" sends 20 unsolicited messages
      And a moment passes
      Then one batch of CQ "deep_cq" gives these CQEs:
        | wr_id |
        | 0xb1  |
        | 0xb2  |
        | 0xb3  |
        | 0xb4  |
        | 0xb5  |
        | 0xb6  |
        | 0xb7  |
        | 0xb8  |
        | 0xb9  |
        | 0xba  |
        | 0xbb  |
        | 0xbc  |
        | 0xbd  |
        | 0xbe  |
        | 0xbf  |
        | 0xc0  |
        | 0xc1  |
        | 0xc2  |
        | 0xc3  |
        | 0xc4  |

  @ibv_create_cq_ex.next-zero @needs.extended-cq @needs.connection @needs.wc-byte-len @needs.wc-qp-num
  @needs.cq-notifications
  Rule: ibv_next_poll() returns 0 when it has moved on

    Background:
      Given an extended CQ "recv_cq" on completion channel "channel" that provides "IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_QP_NUM"
      And connected RC QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And these receives are posted on QP "server":
        | wr_id |
        | 0xa1  |
        | 0xa2  |
        | 0xa3  |

    Scenario: A second CQE waits in the CQ
      Given 2 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      And opening a batch of CQ "recv_cq" succeeds
      When moving on to the next CQE of CQ "recv_cq" returns
      Then ibv_next_poll returned 0

  @ibv_create_cq_ex.next-error-code @ibv_create_cq_ex.next-enoent @needs.extended-cq @needs.connection
  @needs.wc-byte-len @needs.wc-qp-num @needs.cq-notifications
  Rule: After the last CQE, ibv_next_poll() returns ENOENT

    Background:
      Given an extended CQ "recv_cq" on completion channel "channel" that provides "IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_QP_NUM"
      And connected RC QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And these receives are posted on QP "server":
        | wr_id |
        | 0xa1  |
        | 0xa2  |
        | 0xa3  |

    Scenario: The batch stands on the only CQE
      Given 1 event of CQ "recv_cq" for an unsolicited message has been taken from completion channel "channel"
      And opening a batch of CQ "recv_cq" succeeds
      When moving on to the next CQE of CQ "recv_cq" returns
      Then ibv_next_poll returned the errno number ENOENT

    Scenario: The batch has moved on to the last CQE
      Given 3 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      And opening a batch of CQ "recv_cq" succeeds
      And moving on to the next CQE of CQ "recv_cq" succeeds
      And moving on to the next CQE of CQ "recv_cq" succeeds
      Then moving on to the next CQE of CQ "recv_cq" fails with ENOENT

  @ibv_create_cq_ex.next-enoent-still-valid @needs.extended-cq @needs.connection @needs.wc-byte-len @needs.wc-qp-num
  @needs.cq-notifications
  Rule: A batch that could not move on leaves a CQ that gives the CQEs that come later

    Background:
      Given an extended CQ "recv_cq" on completion channel "channel" that provides "IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_QP_NUM"
      And connected RC QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And these receives are posted on QP "server":
        | wr_id |
        | 0xa1  |
        | 0xa2  |
        | 0xa3  |

    Scenario: Messages come after the end of the CQ was reached
      Given 1 event of CQ "recv_cq" for an unsolicited message has been taken from completion channel "channel"
      And opening a batch of CQ "recv_cq" succeeds
      And moving on to the next CQE of CQ "recv_cq" fails with ENOENT
      And the batch of CQ "recv_cq" is closed
      When QP "client" sends 2 unsolicited messages
      Then CQ "recv_cq" gives these CQEs, one per batch:
        | wr_id | status         | byte_len |
        | 0xa2  | IBV_WC_SUCCESS | 16       |
        | 0xa3  | IBV_WC_SUCCESS | 16       |

  @ibv_create_cq_ex.next-error-needs-end @needs.extended-cq @needs.connection @needs.wc-byte-len @needs.wc-qp-num
  @needs.cq-notifications
  Rule: A batch that could not move on is closed as any other, and takes with it what it has read and no more

    Background:
      Given an extended CQ "recv_cq" on completion channel "channel" that provides "IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_QP_NUM"
      And connected RC QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And these receives are posted on QP "server":
        | wr_id |
        | 0xa1  |
        | 0xa2  |
        | 0xa3  |

    Scenario: All completions were read up to ENOENT, so none is left after the batch
      Given 2 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      And opening a batch of CQ "recv_cq" succeeds
      And moving on to the next CQE of CQ "recv_cq" succeeds
      And moving on to the next CQE of CQ "recv_cq" fails with ENOENT
      When the batch of CQ "recv_cq" is closed
      Then opening a batch of CQ "recv_cq" fails with ENOENT

    @needs.solicited-events
    Scenario: A completion that comes between ENOENT and the close is not lost
      Given CQ "recv_cq" is armed for solicited CQEs only
      And QP "client" has sent 1 unsolicited message
      And a batch of CQ "recv_cq" is opened
      And moving on to the next CQE of CQ "recv_cq" fails with ENOENT
      And QP "client" has sent 1 solicited message
      And the event of CQ "recv_cq" on completion channel "channel" is taken
      When the batch of CQ "recv_cq" is closed
      Then CQ "recv_cq" gives these CQEs, one per batch:
        | wr_id | status         |
        | 0xa2  | IBV_WC_SUCCESS |

  @ibv_create_cq_ex.end-closes-batch @needs.extended-cq @needs.connection @needs.wc-byte-len @needs.wc-qp-num
  @needs.cq-notifications
  Rule: A closed batch takes its CQEs with it, and no other

    Background:
      Given an extended CQ "recv_cq" on completion channel "channel" that provides "IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_QP_NUM"
      And connected RC QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And these receives are posted on QP "server":
        | wr_id |
        | 0xa1  |
        | 0xa2  |
        | 0xa3  |

    Scenario: Two of three CQEs were read, so the third is left
      Given 3 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      And opening a batch of CQ "recv_cq" succeeds
      And moving on to the next CQE of CQ "recv_cq" succeeds
      When the batch of CQ "recv_cq" is closed
      Then CQ "recv_cq" gives these CQEs, one per batch:
        | wr_id | status         |
        | 0xa3  | IBV_WC_SUCCESS |

  @ibv_create_cq_ex.end-then-new-start @needs.extended-cq @needs.connection @needs.wc-byte-len @needs.wc-qp-num
  @needs.cq-notifications
  Rule: The next batch continues where the closed one ended

    Background:
      Given an extended CQ "recv_cq" on completion channel "channel" that provides "IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_QP_NUM"
      And connected RC QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And these receives are posted on QP "server":
        | wr_id |
        | 0xa1  |
        | 0xa2  |
        | 0xa3  |

    Scenario: Three batches of one CQE each
      Given 3 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      Then CQ "recv_cq" gives these CQEs, one per batch:
        | wr_id | status         |
        | 0xa1  | IBV_WC_SUCCESS |
        | 0xa2  | IBV_WC_SUCCESS |
        | 0xa3  | IBV_WC_SUCCESS |

    Scenario: A batch that was closed on the last CQE, and one of what came later
      Given 2 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      And opening a batch of CQ "recv_cq" succeeds
      And moving on to the next CQE of CQ "recv_cq" succeeds
      And the batch of CQ "recv_cq" is closed
      When QP "client" sends 1 unsolicited message
      Then CQ "recv_cq" gives these CQEs, one per batch:
        | wr_id | status         |
        | 0xa3  | IBV_WC_SUCCESS |

    Scenario: Batches go round the ring of a small CQ
      Given an extended CQ "small_cq" with:
        | cqe | 4 |
      And connected RC QPs "sender" and "receiver", where "receiver" receives on CQ "small_cq"
      And these receives are posted on QP "receiver":
        | wr_id |
        | 0x1   |
        | 0x2   |
        | 0x3   |
        | 0x4   |
        | 0x5   |
        | 0x6   |
        | 0x7   |
        | 0x8   |
        | 0x9   |
        | 0xa   |
        | 0xb   |
        | 0xc   |
      When QP "sender" sends 4 unsolicited messages
      Then CQ "small_cq" gives these CQEs, one per batch:
        | wr_id |
        | 0x1   |
        | 0x2   |
        | 0x3   |
        | 0x4   |
      When QP "sender" sends 4 unsolicited messages
      Then CQ "small_cq" gives these CQEs, one per batch:
        | wr_id |
        | 0x5   |
        | 0x6   |
        | 0x7   |
        | 0x8   |
      When QP "sender" sends 4 unsolicited messages
      Then CQ "small_cq" gives these CQEs, one per batch:
        | wr_id |
        | 0x9   |
        | 0xa   |
        | 0xb   |
        | 0xc   |

  @ibv_create_cq_ex.current-completion @needs.extended-cq @needs.connection @needs.wc-byte-len @needs.wc-qp-num
  @needs.cq-notifications
  Rule: What is read is of the CQE on which the batch stands, and reading does not move it

    Background:
      Given an extended CQ "recv_cq" on completion channel "channel" that provides "IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_QP_NUM"
      And connected RC QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And these receives are posted on QP "server":
        | wr_id |
        | 0xa1  |
        | 0xa2  |
        | 0xa3  |

    Scenario: A CQE is read twice, and then the next one
      Given 2 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      And opening a batch of CQ "recv_cq" succeeds
      Then the current CQE of CQ "recv_cq" is:
        | wr_id | opcode      | byte_len | qp_num      |
        | 0xa1  | IBV_WC_RECV | 16       | QP "server" |
      And the current CQE of CQ "recv_cq" is:
        | wr_id | opcode      | byte_len | qp_num      |
        | 0xa1  | IBV_WC_RECV | 16       | QP "server" |
      And moving on to the next CQE of CQ "recv_cq" succeeds
      And the current CQE of CQ "recv_cq" is:
        | wr_id |
        | 0xa2  |

    @needs.solicited-events
    Scenario: A CQE that comes meanwhile does not move the batch
      Given CQ "recv_cq" is armed for solicited CQEs only
      And QP "client" has sent 1 unsolicited message
      And a batch of CQ "recv_cq" is opened
      When QP "client" sends 1 solicited message
      And the event of CQ "recv_cq" on completion channel "channel" is taken
      Then the current CQE of CQ "recv_cq" is:
        | wr_id | byte_len | qp_num      |
        | 0xa1  | 16       | QP "server" |

    Scenario: The functions follow the batch from a short message to a long one
      Given CQ "recv_cq" is armed for any CQE
      And QP "client" posts these sends:
        | bytes |
        | 1     |
      And the event of CQ "recv_cq" on completion channel "channel" is taken
      And CQ "recv_cq" is armed for any CQE
      And QP "client" posts these sends:
        | bytes |
        | 1000  |
      And the event of CQ "recv_cq" on completion channel "channel" is taken
      And opening a batch of CQ "recv_cq" succeeds
      Then the current CQE of CQ "recv_cq" is:
        | wr_id | byte_len |
        | 0xa1  | 1        |
      And moving on to the next CQE of CQ "recv_cq" succeeds
      And the current CQE of CQ "recv_cq" is:
        | wr_id | byte_len |
        | 0xa2  | 1000     |

    Scenario Outline: The batch stands where it stood, also after the use of <others>
      Given 2 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      And opening a batch of CQ "recv_cq" succeeds
      When the program uses <others>
      Then the current CQE of CQ "recv_cq" is:
        | wr_id | opcode      | byte_len | qp_num      |
        | 0xa1  | IBV_WC_RECV | 16       | QP "server" |
      And moving on to the next CQE of CQ "recv_cq" succeeds
      And the current CQE of CQ "recv_cq" is:
        | wr_id |
        | 0xa2  |

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

  @ibv_create_cq_ex.direct-wr-id @needs.extended-cq @needs.connection
  Rule: The wr_id of the struct is that of the work request, all 64 bits of it

    @needs.cq-notifications
    Scenario: Sends whose wr_id use every bit
      Given an extended CQ "send_cq" on completion channel "channel" that provides "0"
      And connected RC QPs "sender" and "receiver", where "sender" sends on CQ "send_cq"
      And 3 receives posted on QP "receiver"
      When QP "sender" posts these sends:
        | wr_id              |
        | 0xffffffffffffffff |
        | 0x0123456789abcdef |
        | 0x8000000000000000 |
      Then CQ "send_cq" gives these CQEs, one per batch:
        | wr_id              |
        | 0xffffffffffffffff |
        | 0x0123456789abcdef |
        | 0x8000000000000000 |

    @needs.cq-notifications
    Scenario: Receives that are flushed and whose wr_id use every bit
      Given an extended CQ "recv_cq" on completion channel "channel" that provides "0"
      And connected RC QPs "sender" and "receiver", where "receiver" receives on CQ "recv_cq"
      And these receives are posted on QP "receiver":
        | wr_id              |
        | 0xffffffffffffffff |
        | 0x0123456789abcdef |
      When QP "receiver" is moved to IBV_QPS_ERR
      Then CQ "recv_cq" gives these CQEs, one per batch:
        | wr_id              |
        | 0xffffffffffffffff |
        | 0x0123456789abcdef |

  @ibv_create_cq_ex.direct-status @needs.extended-cq @needs.connection @needs.wc-byte-len @needs.wc-qp-num
  @needs.cq-notifications
  Rule: The status of the struct is that of the CQE, in success and in error

    Background:
      Given an extended CQ "recv_cq" on completion channel "channel" that provides "IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_QP_NUM"
      And connected RC QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And these receives are posted on QP "server":
        | wr_id |
        | 0xa1  |
        | 0xa2  |
        | 0xa3  |

    Scenario: A receive that succeeded, and two that were flushed
      Given QP "client" has sent 1 unsolicited message
      And CQ "recv_cq" gives these CQEs, one per batch:
        | wr_id | status         |
        | 0xa1  | IBV_WC_SUCCESS |
      When QP "server" is moved to IBV_QPS_ERR
      Then CQ "recv_cq" gives these CQEs, one per batch:
        | wr_id | status              | qp_num      |
        | 0xa2  | IBV_WC_WR_FLUSH_ERR | QP "server" |
        | 0xa3  | IBV_WC_WR_FLUSH_ERR | QP "server" |

    Scenario: After failures a receive of another QP succeeds
      Given connected RC QPs "left" and "right", where "right" receives on CQ "recv_cq"
      And these receives are posted on QP "right":
        | wr_id |
        | 0xb1  |
      And QP "server" is moved to IBV_QPS_ERR
      And CQ "recv_cq" gives these CQEs, one per batch:
        | wr_id | status              |
        | 0xa1  | IBV_WC_WR_FLUSH_ERR |
        | 0xa2  | IBV_WC_WR_FLUSH_ERR |
        | 0xa3  | IBV_WC_WR_FLUSH_ERR |
      When QP "left" sends 1 unsolicited message
      Then CQ "recv_cq" gives these CQEs, one per batch:
        | wr_id | status         |
        | 0xb1  | IBV_WC_SUCCESS |

    Scenario: A receive that is too short and one that is flushed each have their status in one batch
      Given connected RC QPs "sender" and "receiver", where "receiver" receives on CQ "recv_cq"
      And memory "short" of 64 bytes with IBV_ACCESS_LOCAL_WRITE
      And these receives are posted on QP "receiver":
        | wr_id | memory |
        | 0xb1  | short  |
        | 0xb2  | short  |
      When QP "sender" posts these sends:
        | bytes |
        | 256   |
      And a moment passes
      Then one batch of CQ "recv_cq" gives these CQEs:
        | wr_id | status              |
        | 0xb1  | not IBV_WC_SUCCESS  |
        | 0xb2  | IBV_WC_WR_FLUSH_ERR |

  @ibv_create_cq_ex.read-opcode @needs.extended-cq @needs.connection
  Rule: ibv_wc_read_opcode() tells which operation has completed

    @needs.cq-notifications
    Scenario: Sends, writes and reads of a requester
      Given an extended CQ "send_cq" on completion channel "channel" that provides "0"
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ
      And connected RC QPs:
        | QP        | send CQ | access                                            |
        | requester | send_cq |                                                   |
        | responder |         | IBV_ACCESS_REMOTE_WRITE \| IBV_ACCESS_REMOTE_READ |
      And 1 receive posted on QP "responder"
      When QP "requester" posts these sends:
        | opcode            | remote |
        | IBV_WR_SEND       |        |
        | IBV_WR_RDMA_WRITE | target |
        | IBV_WR_RDMA_READ  | target |
      Then CQ "send_cq" gives these CQEs, one per batch:
        | opcode            |
        | IBV_WC_SEND       |
        | IBV_WC_RDMA_WRITE |
        | IBV_WC_RDMA_READ  |

    @needs.cq-notifications
    Scenario: Receives of a message and of an immediate that came with a write
      When an extended CQ "other_cq" is created on completion channel "channel" that provides "0"
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE
      And connected RC QPs:
        | QP        | receive CQ | access                  |
        | requester |            |                         |
        | responder | other_cq   | IBV_ACCESS_REMOTE_WRITE |
      And 2 receives posted on QP "responder"
      And QP "requester" posts these sends:
        | opcode                     | remote | imm_data |
        | IBV_WR_SEND                |        |          |
        | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x1      |
      Then CQ "other_cq" gives these CQEs, one per batch:
        | opcode                    |
        | IBV_WC_RECV               |
        | IBV_WC_RECV_RDMA_WITH_IMM |

    @needs.atomics @needs.cq-notifications
    Scenario: Atomics of a requester
      Given an extended CQ "send_cq" on completion channel "channel" that provides "0"
      And memory "counter" of 8 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_ATOMIC
      And connected RC QPs:
        | QP        | send CQ | access                   |
        | requester | send_cq |                          |
        | responder |         | IBV_ACCESS_REMOTE_ATOMIC |
      When QP "requester" posts these sends:
        | opcode                      | bytes | remote  | compare_add |
        | IBV_WR_ATOMIC_CMP_AND_SWP   | 8     | counter | 0x1         |
        | IBV_WR_ATOMIC_FETCH_AND_ADD | 8     | counter | 0x1         |
      Then CQ "send_cq" gives these CQEs, one per batch:
        | opcode           |
        | IBV_WC_COMP_SWAP |
        | IBV_WC_FETCH_ADD |

  @ibv_create_cq_ex.read-vendor-err @needs.extended-cq @needs.connection @needs.wc-byte-len @needs.wc-qp-num
  @needs.cq-notifications
  Rule: ibv_wc_read_vendor_err() reads the vendor's code of an error

    What the code means is the vendor's to say, and it may be 0. So it is shown only that the function returns, and that it
    reads the same again.

    Background:
      Given an extended CQ "recv_cq" on completion channel "channel" that provides "IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_QP_NUM"
      And connected RC QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And these receives are posted on QP "server":
        | wr_id |
        | 0xa1  |
        | 0xa2  |
        | 0xa3  |

    Scenario: The code of a flushed receive
      Given QP "server" is moved to IBV_QPS_ERR
      When a batch of CQ "recv_cq" is opened
      Then ibv_wc_read_vendor_err reads one value, however often, of the current CQE of CQ "recv_cq"

  @ibv_create_cq_ex.wcflag-byte-len @ibv_create_cq_ex.read-byte-len @needs.extended-cq @needs.connection
  Rule: With IBV_WC_EX_WITH_BYTE_LEN, ibv_wc_read_byte_len() tells the bytes of a message

    @needs.wc-byte-len @needs.cq-notifications
    Scenario: Messages of three lengths
      When an extended CQ "other_cq" is created on completion channel "channel" that provides "IBV_WC_EX_WITH_BYTE_LEN"
      And connected RC QPs "sender" and "receiver", where "receiver" receives on CQ "other_cq"
      And 3 receives posted on QP "receiver"
      And QP "sender" posts these sends:
        | bytes |
        | 1     |
        | 1000  |
        | 260   |
      Then CQ "other_cq" gives these CQEs, one per batch:
        | byte_len |
        | 1        |
        | 1000     |
        | 260      |

    @needs.ud @needs.wc-byte-len @needs.cq-notifications
    Scenario: A datagram counts with its GRH
      When an extended CQ "other_cq" is created on completion channel "channel" that provides "IBV_WC_EX_WITH_BYTE_LEN"
      And connected UD QPs "sender" and "receiver", where "receiver" receives on CQ "other_cq"
      And 1 receive posted on QP "receiver"
      And QP "sender" posts these sends:
        | bytes |
        | 100   |
      Then CQ "other_cq" gives these CQEs, one per batch:
        | byte_len |
        | 140      |

    @needs.wc-byte-len @needs.cq-notifications
    Scenario: A message without bytes has none, though the one before it in the batch has some
      Given an extended CQ "other_cq" on completion channel "other_channel" that provides "IBV_WC_EX_WITH_BYTE_LEN"
      And connected RC QPs "sender" and "receiver", where "receiver" receives on CQ "other_cq"
      And 2 receives posted on QP "receiver"
      When QP "sender" posts these sends:
        | bytes |
        | 16    |
        | 0     |
      And a moment passes
      Then one batch of CQ "other_cq" gives these CQEs:
        | byte_len |
        | 16       |
        | 0        |

  @ibv_create_cq_ex.wcflag-imm @ibv_create_cq_ex.read-imm-data @needs.extended-cq @needs.connection
  Rule: With IBV_WC_EX_WITH_IMM, ibv_wc_read_imm_data() tells the immediate, first its highest byte

    @needs.wc-imm @needs.cq-notifications
    Scenario: Immediates whose bytes differ when reversed
      When an extended CQ "other_cq" is created on completion channel "channel" that provides "IBV_WC_EX_WITH_IMM"
      And connected RC QPs "sender" and "receiver", where "receiver" receives on CQ "other_cq"
      And 2 receives posted on QP "receiver"
      And QP "sender" posts these sends:
        | opcode               | imm_data   |
        | IBV_WR_SEND_WITH_IMM | 0x01020304 |
        | IBV_WR_SEND_WITH_IMM | 0xfffefdfc |
      Then CQ "other_cq" gives these CQEs, one per batch:
        | IBV_WC_WITH_IMM | imm_data   |
        | set             | 0x01020304 |
        | set             | 0xfffefdfc |

  @ibv_create_cq_ex.read-invalidated-rkey @needs.extended-cq @needs.connection
  Rule: ibv_wc_read_invalidated_rkey() tells the R_Key that a Send with Invalidate invalidated

    The page does not say which flag asks for it; libibverbs reads it from the place of the immediate, whose flag is
    given here.

    @needs.memory-windows @needs.send-with-invalidate @needs.wc-imm @needs.cq-notifications
    Scenario: Of two memory windows it names the one that the sender chose
      When an extended CQ "other_cq" is created on completion channel "channel" that provides "IBV_WC_EX_WITH_IMM"
      And connected RC QPs "sender" and "receiver", where "receiver" receives on CQ "other_cq"
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And memory window "first" onto memory "target", bound by QP "receiver" with IBV_ACCESS_REMOTE_WRITE
      And memory window "second" onto memory "target", bound by QP "receiver" with IBV_ACCESS_REMOTE_WRITE
      And 1 receive posted on QP "receiver"
      And QP "sender" posts these sends:
        | opcode               | invalidates |
        | IBV_WR_SEND_WITH_INV | second      |
      Then CQ "other_cq" gives these CQEs, one per batch:
        | invalidated_rkey       |
        | memory window "second" |

    @needs.memory-windows @needs.send-with-invalidate @needs.wc-imm @needs.cq-notifications
    Scenario: It tells the same however often it is called
      Given an extended CQ "other_cq" on completion channel "channel" that provides "IBV_WC_EX_WITH_IMM"
      And connected RC QPs "sender" and "receiver", where "receiver" receives on CQ "other_cq"
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And memory window "window" onto memory "target", bound by QP "receiver" with IBV_ACCESS_REMOTE_WRITE
      And 1 receive posted on QP "receiver"
      And QP "sender" posts these sends:
        | opcode               | invalidates |
        | IBV_WR_SEND_WITH_INV | window      |
      When a batch of CQ "other_cq" is opened
      Then ibv_wc_read_invalidated_rkey reads one value, however often, of the current CQE of CQ "other_cq"

    @needs.memory-windows @needs.send-with-invalidate @needs.wc-imm @needs.cq-notifications
    Scenario: Of two messages in one batch it names the window of each
      Given an extended CQ "other_cq" on completion channel "channel" that provides "IBV_WC_EX_WITH_IMM"
      And connected RC QPs "sender" and "receiver", where "receiver" receives on CQ "other_cq"
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And memory window "first" onto memory "target", bound by QP "receiver" with IBV_ACCESS_REMOTE_WRITE
      And memory window "second" onto memory "target", bound by QP "receiver" with IBV_ACCESS_REMOTE_WRITE
      And 2 receives posted on QP "receiver"
      And QP "sender" posts these sends:
        | opcode               | invalidates |
        | IBV_WR_SEND_WITH_INV | first       |
        | IBV_WR_SEND_WITH_INV | second      |
      And a moment passes
      When a batch of CQ "other_cq" is opened
      And moving on to the next CQE of CQ "other_cq" succeeds
      Then the current CQE of CQ "other_cq" is:
        | invalidated_rkey       |
        | memory window "second" |

  @ibv_create_cq_ex.wcflag-qp-num @ibv_create_cq_ex.read-qp-num @needs.extended-cq @needs.connection
  Rule: With IBV_WC_EX_WITH_QP_NUM, ibv_wc_read_qp_num() tells the local QP

    @needs.wc-qp-num @needs.cq-notifications
    Scenario: Both QPs of a pair receive on the CQ
      When an extended CQ "other_cq" is created on completion channel "channel" that provides "IBV_WC_EX_WITH_QP_NUM"
      And connected RC QPs:
        | QP    | receive CQ |
        | one   | other_cq   |
        | other | other_cq   |
      And 1 receive posted on QP "one"
      And 1 receive posted on QP "other"
      And QP "one" sends 1 unsolicited message
      Then CQ "other_cq" gives these CQEs, one per batch:
        | qp_num     |
        | QP "other" |
      When QP "other" sends 1 unsolicited message
      Then CQ "other_cq" gives these CQEs, one per batch:
        | qp_num   |
        | QP "one" |

  @ibv_create_cq_ex.wcflag-src-qp @ibv_create_cq_ex.read-src-qp @needs.extended-cq @needs.connection
  Rule: With IBV_WC_EX_WITH_SRC_QP, ibv_wc_read_src_qp() tells the QP that sent a UD message

    @needs.ud @needs.wc-src-qp @needs.cq-notifications
    Scenario: Both QPs of a UD pair receive on the CQ
      When an extended CQ "other_cq" is created on completion channel "channel" that provides "IBV_WC_EX_WITH_SRC_QP"
      And connected UD QPs:
        | QP    | receive CQ |
        | one   | other_cq   |
        | other | other_cq   |
      And 1 receive posted on QP "one"
      And 1 receive posted on QP "other"
      And QP "one" sends 1 unsolicited message
      Then CQ "other_cq" gives these CQEs, one per batch:
        | src_qp   |
        | QP "one" |
      When QP "other" sends 1 unsolicited message
      Then CQ "other_cq" gives these CQEs, one per batch:
        | src_qp     |
        | QP "other" |

  @ibv_create_cq_ex.read-wc-flags @needs.extended-cq @needs.connection
  Rule: ibv_wc_read_wc_flags() tells what is special about a CQE

    @needs.cq-notifications
    Scenario: A message without an immediate between two with one
      When an extended CQ "other_cq" is created on completion channel "channel" that provides "0"
      And connected RC QPs "sender" and "receiver", where "receiver" receives on CQ "other_cq"
      And 3 receives posted on QP "receiver"
      And QP "sender" posts these sends:
        | opcode               | imm_data |
        | IBV_WR_SEND_WITH_IMM | 0x1      |
        | IBV_WR_SEND          |          |
        | IBV_WR_SEND_WITH_IMM | 0x2      |
      Then CQ "other_cq" gives these CQEs, one per batch:
        | IBV_WC_WITH_IMM |
        | set             |
        | clear           |
        | set             |

    @needs.memory-windows @needs.send-with-invalidate @needs.cq-notifications
    Scenario: A message that invalidated an R_Key
      When an extended CQ "other_cq" is created on completion channel "channel" that provides "0"
      And connected RC QPs "sender" and "receiver", where "receiver" receives on CQ "other_cq"
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And memory window "window" onto memory "target", bound by QP "receiver" with IBV_ACCESS_REMOTE_WRITE
      And 1 receive posted on QP "receiver"
      And QP "sender" posts these sends:
        | opcode               | invalidates |
        | IBV_WR_SEND_WITH_INV | window      |
      Then CQ "other_cq" gives these CQEs, one per batch:
        | IBV_WC_WITH_INV | IBV_WC_WITH_IMM |
        | set             | clear           |

  @ibv_create_cq_ex.wcflag-slid @needs.extended-cq @needs.connection
  Rule: With IBV_WC_EX_WITH_SLID, ibv_wc_read_slid() can be called

    It is shown only that the function returns, and that it reads the same again; which source LID it reads depends on the
    link layer.

    @needs.ud @needs.wc-slid @needs.cq-notifications
    Scenario: The source LID of a UD message is read
      When an extended CQ "other_cq" is created on completion channel "channel" that provides "IBV_WC_EX_WITH_SLID"
      And connected UD QPs "sender" and "receiver", where "receiver" receives on CQ "other_cq"
      And 1 receive posted on QP "receiver"
      And QP "sender" sends 1 unsolicited message
      And a batch of CQ "other_cq" is opened
      Then ibv_wc_read_slid reads one value, however often, of the current CQE of CQ "other_cq"

  @ibv_create_cq_ex.wcflag-sl @needs.extended-cq @needs.connection
  Rule: With IBV_WC_EX_WITH_SL, ibv_wc_read_sl() can be called

    It is shown only that the function returns, and that it reads the same again; which service level it reads depends on the
    link layer.

    @needs.ud @needs.wc-sl @needs.cq-notifications
    Scenario: The service level of a UD message is read
      When an extended CQ "other_cq" is created on completion channel "channel" that provides "IBV_WC_EX_WITH_SL"
      And connected UD QPs "sender" and "receiver", where "receiver" receives on CQ "other_cq"
      And 1 receive posted on QP "receiver"
      And QP "sender" sends 1 unsolicited message
      And a batch of CQ "other_cq" is opened
      Then ibv_wc_read_sl reads one value, however often, of the current CQE of CQ "other_cq"

  @ibv_create_cq_ex.wcflag-dlid-path-bits @needs.extended-cq @needs.connection
  Rule: With IBV_WC_EX_WITH_DLID_PATH_BITS, ibv_wc_read_dlid_path_bits() can be called

    It is shown only that the function returns, and that it reads the same again; which bits it reads depends on the link
    layer.

    @needs.ud @needs.wc-dlid-path-bits @needs.cq-notifications
    Scenario: The path bits of a UD message are read
      When an extended CQ "other_cq" is created on completion channel "channel" that provides "IBV_WC_EX_WITH_DLID_PATH_BITS"
      And connected UD QPs "sender" and "receiver", where "receiver" receives on CQ "other_cq"
      And 1 receive posted on QP "receiver"
      And QP "sender" sends 1 unsolicited message
      And a batch of CQ "other_cq" is opened
      Then ibv_wc_read_dlid_path_bits reads one value, however often, of the current CQE of CQ "other_cq"

  @ibv_create_cq_ex.wcflag-completion-ts @ibv_create_cq_ex.read-completion-ts @needs.extended-cq @needs.connection
  Rule: With IBV_WC_EX_WITH_COMPLETION_TIMESTAMP, ibv_wc_read_completion_ts() tells when a CQE came

    The time stamp is in units of the device's clock, of which only the order is known.

    @needs.completion-timestamps @needs.cq-notifications
    Scenario: Of three messages one after the other each has a later time stamp
      When an extended CQ "other_cq" is created on completion channel "other_channel" that provides "IBV_WC_EX_WITH_COMPLETION_TIMESTAMP"
      And connected RC QPs "sender" and "receiver", where "receiver" receives on CQ "other_cq"
      And 3 receives posted on QP "receiver"
      And 3 events of CQ "other_cq" for unsolicited messages have been taken from completion channel "other_channel"
      Then CQ "other_cq" gives 3 CQEs, each with a later time stamp

  @ibv_create_cq_ex.returns-pointer @needs.extended-cq
  Rule: ibv_create_cq_ex() returns a pointer when it has created the CQ

    Scenario: The result of a request that can be met is a pointer
      When creating an extended CQ of 4 entries returns
      Then ibv_create_cq_ex returned a pointer

  @ibv_create_cq_ex.returns-null @needs.extended-cq
  Rule: ibv_create_cq_ex() returns NULL when it has created no CQ

    Scenario: A vector that the device lacks
      When creating an extended CQ with completion vector num_comp_vectors returns
      Then ibv_create_cq_ex returned NULL

    Scenario: More entries than the device has for a CQ
      When creating an extended CQ of more entries than the device allows returns
      Then ibv_create_cq_ex returned NULL

  @ibv_create_cq_ex.errno-on-null @needs.extended-cq
  Rule: A request that failed leaves its cause in errno

    The page says so from rdma-core 65 on; older ones promise NULL and no more. None says which errno it is.

    @needs.rdma-core-65
    Scenario: A vector that the device lacks leaves an errno
      When creating an extended CQ with completion vector num_comp_vectors returns
      Then ibv_create_cq_ex returned NULL and left an errno

  @ibv_create_cq_ex.size-may-exceed @ibv_create_cq_ex.cqe-holds-actual @needs.extended-cq @needs.connection
  Rule: The cqe member tells how many CQEs an extended CQ has room for, which may be more than were asked for

    Scenario: An extended CQ takes as many CQEs as its cqe member says
      Given an extended CQ "send_cq" with:
        | cqe | 5 |
      And connected RC QPs "sender" and "receiver", where "sender" sends on CQ "send_cq"
      And as many receives posted on QP "receiver" as it takes to overrun CQ "send_cq"
      When QP "sender" sends as many messages as CQ "send_cq" has entries
      Then QP "receiver" receives as many messages as CQ "send_cq" has entries
      And the device raises no IBV_EVENT_CQ_ERR
      And CQ "send_cq" gains as many CQEs as it has entries, with status IBV_WC_SUCCESS
      And CQ "send_cq" has at least 5 entries

  @ibv_create_cq_ex.destroy-with-destroy-cq @needs.extended-cq
  Rule: An extended CQ is destroyed with ibv_destroy_cq()

    What was destroyed does not hold its channel any more.

    @needs.cq-notifications
    Scenario: The channel of the extended CQ can be destroyed after it, and not before
      Given an extended CQ "other_cq" on completion channel "other_channel" that provides "0"
      Then destroying completion channel "other_channel" is refused
      When destroying CQ "other_cq" returns
      Then ibv_destroy_cq returned 0
      And destroying completion channel "other_channel" succeeds
