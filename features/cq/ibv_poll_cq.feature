@ibv_poll_cq @needs.connection @needs.cq-notifications
Feature: ibv_poll_cq(3) - poll a CQ for completions

  A CQE tells in struct ibv_wc which work request has ended and how. After an error only wr_id, status, qp_num and
  vendor_err are valid, so no scenario looks at more of a failed CQE. The page names the members and leaves the meaning of
  the statuses and the kinds of work to ibv_post_send(3), ibv_post_recv(3) and the InfiniBand Architecture Specification.

  Background:
    Given a CQ "send_cq"
    And a CQ "recv_cq" on completion channel "channel"
    And connected RC QPs:
      | QP        | send CQ | receive CQ | access                                            |
      | requester | send_cq |            |                                                   |
      | responder |         | recv_cq    | IBV_ACCESS_REMOTE_WRITE \| IBV_ACCESS_REMOTE_READ |

  @ibv_poll_cq.up-to-num-entries
  Rule: One poll hands out no more CQEs than it asks for

    Scenario: A poll for fewer CQEs than there are leaves the rest
      Given 3 receives posted on QP "responder"
      And 3 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      Then polling CQ "recv_cq" for 2 entries gives 2 CQEs
      And CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS

    Scenario: A poll for as many CQEs as there are hands out all
      Given 3 receives posted on QP "responder"
      And 3 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      Then polling CQ "recv_cq" for 3 entries gives 3 CQEs
      And CQ "recv_cq" is empty

    Scenario: A poll for 0 entries hands out nothing and leaves everything
      Given 2 receives posted on QP "responder"
      And 2 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      Then polling CQ "recv_cq" for 0 entries gives 0 CQEs
      And CQ "recv_cq" gains 2 CQEs with status IBV_WC_SUCCESS

  @ibv_poll_cq.all-if-fewer
  Rule: A poll for more CQEs than there are hands out all of them

    Scenario: A poll for 5 entries of a CQ that holds 3 gives the 3
      Given 3 receives posted on QP "responder"
      And 3 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      Then polling CQ "recv_cq" for 5 entries gives 3 CQEs
      And CQ "recv_cq" is empty

    Scenario: The CQEs of two QPs are handed out by one poll
      Given connected RC QPs "other_requester" and "other_responder", where "other_responder" receives on CQ "recv_cq"
      And 1 receive posted on QP "responder"
      And 1 receive posted on QP "other_responder"
      And 1 event of CQ "recv_cq" for an unsolicited message has been taken from completion channel "channel"
      And CQ "recv_cq" is armed for any CQE
      And QP "other_requester" has sent 1 unsolicited message
      And the event of CQ "recv_cq" on completion channel "channel" is taken and acknowledged
      Then polling CQ "recv_cq" for 5 entries gives 2 CQEs

    Scenario: A CQ that has been used for several rounds gives as many CQEs as it has entries
      Given a CQ "small_cq" of 4 entries
      And connected RC QPs "left" and "right", where "left" sends on CQ "small_cq"
      And as many receives posted on QP "right" as it takes to overrun CQ "small_cq"
      And QP "left" has sent as many messages as CQ "small_cq" has entries
      And CQ "small_cq" gains as many CQEs as it has entries, with status IBV_WC_SUCCESS
      And QP "left" has sent as many messages as CQ "small_cq" has entries
      And CQ "small_cq" gains as many CQEs as it has entries, with status IBV_WC_SUCCESS
      And QP "left" has sent as many messages as CQ "small_cq" has entries
      And CQ "small_cq" gains as many CQEs as it has entries, with status IBV_WC_SUCCESS
      When QP "left" sends as many messages as CQ "small_cq" has entries
      And a moment passes
      Then the device raises no IBV_EVENT_CQ_ERR
      And CQ "small_cq" gains as many CQEs as it has entries, with status IBV_WC_SUCCESS

  @ibv_poll_cq.oldest-first
  Rule: CQEs are handed out in the order in which they were added

    Scenario: What one poll leaves comes first in the next
      Given these receives are posted on QP "responder":
        | wr_id |
        | 0x1   |
        | 0x2   |
        | 0x3   |
        | 0x4   |
      And 4 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      Then polling CQ "recv_cq" for 1 entry gives these CQEs:
        | wr_id |
        | 0x1   |
      And polling CQ "recv_cq" for 2 entries gives these CQEs:
        | wr_id |
        | 0x2   |
        | 0x3   |
      And polling CQ "recv_cq" for 2 entries gives these CQEs:
        | wr_id |
        | 0x4   |

    Scenario: The order holds when the queue is filled again and again
      Given a CQ "small_cq" of 4 entries
      And connected RC QPs "client" and "server", where "client" sends on CQ "small_cq"
      And as many receives posted on QP "server" as it takes to overrun CQ "small_cq"
      And QP "client" has sent 2 unsolicited messages
      And CQ "small_cq" has been emptied of 2 CQEs
      When QP "client" sends as many messages as CQ "small_cq" has entries
      Then CQ "small_cq" gains as many CQEs as it has entries, in the order of posting
      When QP "client" sends as many messages as CQ "small_cq" has entries
      Then CQ "small_cq" gains as many CQEs as it has entries, in the order of posting

    Scenario: Completions of sends come in the order in which the sends were posted
      Given 2 receives posted on QP "responder"
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ
      When QP "requester" posts these sends:
        | wr_id | opcode            | remote |
        | 0x4   | IBV_WR_RDMA_READ  | target |
        | 0x1   | IBV_WR_SEND       |        |
        | 0x3   | IBV_WR_RDMA_WRITE | target |
        | 0x2   | IBV_WR_SEND       |        |
      Then CQ "send_cq" gains these CQEs:
        | wr_id |
        | 0x4   |
        | 0x1   |
        | 0x3   |
        | 0x2   |

    Scenario: CQEs wait in their order while their events are acknowledged
      Given these receives are posted on QP "responder":
        | wr_id |
        | 0x3   |
        | 0x1   |
        | 0x2   |
      And 3 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      When 3 events of CQ "recv_cq" are acknowledged
      Then CQ "recv_cq" gains these CQEs:
        | wr_id |
        | 0x3   |
        | 0x1   |
        | 0x2   |

    Scenario: Receives of a QP that sends itself meanwhile
      Given 2 receives posted on QP "requester"
      And these receives are posted on QP "responder":
        | wr_id |
        | 0x3   |
        | 0x1   |
        | 0x2   |
      When QP "responder" sends 2 unsolicited messages
      And QP "requester" sends 3 unsolicited messages
      Then CQ "recv_cq" gains these CQEs:
        | wr_id |
        | 0x3   |
        | 0x1   |
        | 0x2   |

    Scenario Outline: CQEs wait whole and in their order through the use of <others>
      Given these receives are posted on QP "responder":
        | wr_id              |
        | 0x0123456789abcdef |
        | 0xfedcba9876543210 |
        | 0x8000000000000001 |
      And 3 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      When the program uses <others>
      Then CQ "recv_cq" gains these CQEs:
        | wr_id              | status         | opcode      | byte_len | qp_num         |
        | 0x0123456789abcdef | IBV_WC_SUCCESS | IBV_WC_RECV | 16       | QP "responder" |
        | 0xfedcba9876543210 | IBV_WC_SUCCESS | IBV_WC_RECV | 16       | QP "responder" |
        | 0x8000000000000001 | IBV_WC_SUCCESS | IBV_WC_RECV | 16       | QP "responder" |

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

    Scenario: The twentieth CQE is as whole as the first
      Given a CQ "large_cq" of 24 entries
      And connected RC QPs "client" and "server", where "server" receives on CQ "large_cq"
      And QP "client" has sent 20 unsolicited messages
      When 20 receives are posted on QP "server"
      Then CQ "large_cq" gains 20 CQEs in the order of posting, each of which is:
        | status         | opcode      | byte_len | qp_num      | IBV_WC_WITH_IMM | IBV_WC_WITH_INV | further wc_flags |
        | IBV_WC_SUCCESS | IBV_WC_RECV | 16       | QP "server" | clear           | clear           | 0                |
      When QP "client" sends 20 unsolicited messages
      And 20 receives are posted on QP "server"
      Then CQ "large_cq" gains 20 CQEs in the order of posting, each of which is:
        | status         | opcode      | byte_len | qp_num      | IBV_WC_WITH_IMM | IBV_WC_WITH_INV | further wc_flags |
        | IBV_WC_SUCCESS | IBV_WC_RECV | 16       | QP "server" | clear           | clear           | 0                |

    Scenario: The twentieth CQE of a send is as whole as the first
      Given a CQ "large_cq" of 24 entries
      And connected RC QPs "client" and "server", where "client" sends on CQ "large_cq"
      And 40 receives posted on QP "server"
      When QP "client" sends 20 unsolicited messages
      Then CQ "large_cq" gains 20 CQEs in the order of posting, each of which is:
        | status         | opcode      | qp_num      | further wc_flags |
        | IBV_WC_SUCCESS | IBV_WC_SEND | QP "client" | 0                |
      When QP "client" sends 20 unsolicited messages
      Then CQ "large_cq" gains 20 CQEs in the order of posting, each of which is:
        | status         | opcode      | qp_num      | further wc_flags |
        | IBV_WC_SUCCESS | IBV_WC_SEND | QP "client" | 0                |

    @needs.extended-cq @needs.standard-wc-flags
    Scenario: CQEs that a batch leaves wait whole and in their order
      Given an extended CQ "lazy_cq" on completion channel "lazy_channel" that provides "IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_IMM | IBV_WC_EX_WITH_QP_NUM | IBV_WC_EX_WITH_SRC_QP | IBV_WC_EX_WITH_SLID | IBV_WC_EX_WITH_SL | IBV_WC_EX_WITH_DLID_PATH_BITS"
      And connected RC QPs "left" and "right", where "right" receives on CQ "lazy_cq"
      And these receives are posted on QP "right":
        | wr_id |
        | 0xa1  |
        | 0xa2  |
        | 0xa3  |
        | 0xa4  |
        | 0xa5  |
      And 5 events of CQ "lazy_cq" for unsolicited messages have been taken from completion channel "lazy_channel"
      When the program uses a batch of CQ "lazy_cq"
      Then CQ "lazy_cq" gains these CQEs:
        | wr_id | status         | opcode      | byte_len | qp_num     |
        | 0xa3  | IBV_WC_SUCCESS | IBV_WC_RECV | 16       | QP "right" |
        | 0xa4  | IBV_WC_SUCCESS | IBV_WC_RECV | 16       | QP "right" |
        | 0xa5  | IBV_WC_SUCCESS | IBV_WC_RECV | 16       | QP "right" |

  @ibv_poll_cq.array-filled
  Rule: CQEs fill the array from its first element on, and nothing is written past its end

    Scenario: A CQ with more CQEs than the array has elements fills the array alone
      Given these receives are posted on QP "responder":
        | wr_id |
        | 0x1   |
        | 0x2   |
        | 0x3   |
      And 3 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      Then polling CQ "recv_cq" for 2 entries gives these CQEs:
        | wr_id |
        | 0x1   |
        | 0x2   |

    Scenario: Each poll begins at the first element
      Given these receives are posted on QP "responder":
        | wr_id |
        | 0x1   |
        | 0x2   |
      And 2 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      And CQ "recv_cq" has been emptied of 1 CQE
      Then polling CQ "recv_cq" for 3 entries gives these CQEs:
        | wr_id | status         |
        | 0x2   | IBV_WC_SUCCESS |

  @ibv_poll_cq.field-wr-id
  Rule: wr_id is the identifier that the work request was posted with

    Scenario: All 64 bits come back, on both ends
      Given these receives are posted on QP "responder":
        | wr_id              |
        | 0xffffffffffffffff |
        | 0x0                |
        | 0x0123456789abcdef |
      When QP "requester" posts these sends:
        | wr_id              |
        | 0xfedcba9876543210 |
        | 0xffffffffffffffff |
        | 0x8000000000000000 |
      Then CQ "recv_cq" gains these CQEs:
        | wr_id              |
        | 0xffffffffffffffff |
        | 0x0                |
        | 0x0123456789abcdef |
      And CQ "send_cq" gains these CQEs:
        | wr_id              |
        | 0xfedcba9876543210 |
        | 0xffffffffffffffff |
        | 0x8000000000000000 |

    Scenario: Work requests may share an identifier
      Given 2 receives posted on QP "responder"
      When QP "requester" posts these sends:
        | wr_id |
        | 0x7   |
        | 0x7   |
      Then CQ "send_cq" gains these CQEs:
        | wr_id |
        | 0x7   |
        | 0x7   |

    Scenario Outline: Equal identifiers on CQs of the first device context and of <place> are not mixed up
      Given the program works on <place>
      And a CQ "right_cq"
      And connected RC QPs "left" and "right", where "right" receives on CQ "right_cq"
      And these receives are posted on QP "right":
        | wr_id |
        | 0x1   |
        | 0x2   |
      And these receives are posted on QP "responder":
        | wr_id |
        | 0x2   |
        | 0x1   |
      When QP "left" posts these sends:
        | wr_id | bytes |
        | 0x1   | 16    |
      And QP "requester" posts these sends:
        | wr_id | bytes |
        | 0x1   | 17    |
        | 0x2   | 18    |
      And QP "left" posts these sends:
        | wr_id | bytes |
        | 0x2   | 19    |
      Then CQ "recv_cq" gains these CQEs:
        | wr_id | status         | byte_len | qp_num         |
        | 0x2   | IBV_WC_SUCCESS | 17       | QP "responder" |
        | 0x1   | IBV_WC_SUCCESS | 18       | QP "responder" |
      And CQ "right_cq" gains these CQEs:
        | wr_id | status         | byte_len | qp_num     |
        | 0x1   | IBV_WC_SUCCESS | 16       | QP "right" |
        | 0x2   | IBV_WC_SUCCESS | 19       | QP "right" |

      Examples:
        | place                    |
        | the first device context |
        | device context "other"   |

    Scenario: An unsignaled send that succeeds makes no CQE, and the next CQE is that of the signaled one
      Given 3 receives posted on QP "responder"
      When QP "requester" posts these sends:
        | wr_id | send_flags        |
        | 0x1   | 0                 |
        | 0x2   | 0                 |
        | 0x3   | IBV_SEND_SIGNALED |
      Then CQ "send_cq" gains these CQEs:
        | wr_id |
        | 0x3   |
      And CQ "send_cq" is empty

    Scenario: Every send of a QP that signals all makes a CQE
      Given connected RC QPs:
        | QP     | send CQ | receive CQ | signals |
        | client | send_cq |            | all     |
        | server |         | recv_cq    |         |
      And 2 receives posted on QP "server"
      When QP "client" posts these sends:
        | wr_id | send_flags |
        | 0x1   | 0          |
        | 0x2   | 0          |
      Then CQ "send_cq" gains these CQEs:
        | wr_id |
        | 0x1   |
        | 0x2   |

    Scenario: An RDMA write takes no receive, and an RDMA write with immediate takes one
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE
      And these receives are posted on QP "responder":
        | wr_id |
        | 0x1   |
        | 0x2   |
      When QP "requester" posts these sends:
        | opcode                     | remote | imm_data |
        | IBV_WR_RDMA_WRITE          | target |          |
        | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x5      |
        | IBV_WR_SEND                |        |          |
      Then CQ "recv_cq" gains these CQEs:
        | wr_id | opcode                    |
        | 0x1   | IBV_WC_RECV_RDMA_WITH_IMM |
        | 0x2   | IBV_WC_RECV               |
      And CQ "send_cq" gains 3 CQEs with status IBV_WC_SUCCESS

    @needs.srq
    Scenario: A receive of an SRQ is reported with its identifier on the CQ of the QP that took it
      Given an SRQ "srq"
      And connected RC QPs:
        | QP     | send CQ | receive CQ | SRQ |
        | client | send_cq |            |     |
        | server |         | recv_cq    | srq |
      And these receives are posted on SRQ "srq":
        | wr_id              |
        | 0x1                |
        | 0xfedcba9876543210 |
      When QP "client" sends 2 unsolicited messages
      Then CQ "recv_cq" gains these CQEs:
        | wr_id              |
        | 0x1                |
        | 0xfedcba9876543210 |

    Scenario Outline: Receives that were posted before the use of <others> complete after it
      Given these receives are posted on QP "responder":
        | wr_id              |
        | 0x0123456789abcdef |
        | 0xfedcba9876543210 |
      When the program uses <others>
      And QP "requester" sends 2 unsolicited messages
      Then CQ "recv_cq" gains these CQEs:
        | wr_id              |
        | 0x0123456789abcdef |
        | 0xfedcba9876543210 |

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

    Scenario: The identifiers of each kind of work of an RC QP
      Given connected RC QPs:
        | QP     | send CQ | receive CQ | access                                            |
        | client | send_cq |            |                                                   |
        | server |         | recv_cq    | IBV_ACCESS_REMOTE_WRITE \| IBV_ACCESS_REMOTE_READ |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ
      And these receives are posted on QP "server":
        | wr_id              |
        | 0x8fedcba987654320 |
        | 0x8fedcba987654321 |
        | 0x8fedcba987654322 |
      When QP "client" posts these sends:
        | wr_id              | opcode                     | remote | imm_data   |
        | 0xf123456789abcde0 | IBV_WR_SEND                |        |            |
        | 0xf123456789abcde1 | IBV_WR_SEND_WITH_IMM       |        | 0x81c2d3f4 |
        | 0xf123456789abcde2 | IBV_WR_RDMA_WRITE          | target |            |
        | 0xf123456789abcde3 | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x7fe3d2c1 |
        | 0xf123456789abcde4 | IBV_WR_RDMA_READ           | target |            |
      Then CQ "send_cq" gains these CQEs:
        | wr_id              |
        | 0xf123456789abcde0 |
        | 0xf123456789abcde1 |
        | 0xf123456789abcde2 |
        | 0xf123456789abcde3 |
        | 0xf123456789abcde4 |
      And CQ "recv_cq" gains these CQEs:
        | wr_id              |
        | 0x8fedcba987654320 |
        | 0x8fedcba987654321 |
        | 0x8fedcba987654322 |

    @needs.uc
    Scenario: The identifiers of each kind of work of a UC QP
      Given connected UC QPs:
        | QP     | send CQ | receive CQ | access                  |
        | client | send_cq |            |                         |
        | server |         | recv_cq    | IBV_ACCESS_REMOTE_WRITE |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE
      And these receives are posted on QP "server":
        | wr_id              |
        | 0x8fedcba987654320 |
        | 0x8fedcba987654321 |
        | 0x8fedcba987654322 |
      When QP "client" posts these sends:
        | wr_id              | opcode                     | remote | imm_data   |
        | 0xf123456789abcde0 | IBV_WR_SEND                |        |            |
        | 0xf123456789abcde1 | IBV_WR_SEND_WITH_IMM       |        | 0x81c2d3f4 |
        | 0xf123456789abcde2 | IBV_WR_RDMA_WRITE          | target |            |
        | 0xf123456789abcde3 | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x7fe3d2c1 |
      Then CQ "send_cq" gains these CQEs:
        | wr_id              |
        | 0xf123456789abcde0 |
        | 0xf123456789abcde1 |
        | 0xf123456789abcde2 |
        | 0xf123456789abcde3 |
      And CQ "recv_cq" gains these CQEs:
        | wr_id              |
        | 0x8fedcba987654320 |
        | 0x8fedcba987654321 |
        | 0x8fedcba987654322 |

    @needs.datagrams
    Scenario: The identifiers of each kind of work of a UD QP
      Given connected UD QPs:
        | QP     | send CQ | receive CQ |
        | client | send_cq |            |
        | server |         | recv_cq    |
      And these receives are posted on QP "server":
        | wr_id              |
        | 0x8fedcba987654320 |
        | 0x8fedcba987654321 |
      When QP "client" posts these sends:
        | wr_id              | opcode               | imm_data   |
        | 0xf123456789abcde0 | IBV_WR_SEND          |            |
        | 0xf123456789abcde1 | IBV_WR_SEND_WITH_IMM | 0x81c2d3f4 |
      Then CQ "send_cq" gains these CQEs:
        | wr_id              |
        | 0xf123456789abcde0 |
        | 0xf123456789abcde1 |
      And CQ "recv_cq" gains these CQEs:
        | wr_id              |
        | 0x8fedcba987654320 |
        | 0x8fedcba987654321 |

    @needs.srq
    Scenario: The identifiers of each kind of message that takes a receive of an SRQ
      Given an SRQ "srq"
      And connected RC QPs:
        | QP     | send CQ | receive CQ | SRQ | access                                            |
        | client | send_cq |            |     |                                                   |
        | server |         | recv_cq    | srq | IBV_ACCESS_REMOTE_WRITE \| IBV_ACCESS_REMOTE_READ |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ
      And these receives are posted on SRQ "srq":
        | wr_id              |
        | 0x8fedcba987654320 |
        | 0x8fedcba987654321 |
        | 0x8fedcba987654322 |
      When QP "client" posts these sends:
        | wr_id              | opcode                     | remote | imm_data   |
        | 0xf123456789abcde0 | IBV_WR_SEND                |        |            |
        | 0xf123456789abcde1 | IBV_WR_SEND_WITH_IMM       |        | 0x81c2d3f4 |
        | 0xf123456789abcde2 | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x7fe3d2c1 |
      Then CQ "send_cq" gains these CQEs:
        | wr_id              |
        | 0xf123456789abcde0 |
        | 0xf123456789abcde1 |
        | 0xf123456789abcde2 |
      And CQ "recv_cq" gains these CQEs:
        | wr_id              |
        | 0x8fedcba987654320 |
        | 0x8fedcba987654321 |
        | 0x8fedcba987654322 |

    @needs.atomics
    Scenario: The identifiers of each atomic
      Given connected RC QPs:
        | QP     | send CQ | receive CQ | access                   |
        | client | send_cq |            |                          |
        | server |         | recv_cq    | IBV_ACCESS_REMOTE_ATOMIC |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_ATOMIC
      When QP "client" posts these sends:
        | wr_id              | opcode                      | remote | bytes | compare_add | swap |
        | 0xf123456789abcde0 | IBV_WR_ATOMIC_CMP_AND_SWP   | target | 8     | 0x1         | 0x2  |
        | 0xf123456789abcde1 | IBV_WR_ATOMIC_FETCH_AND_ADD | target | 8     | 0x1         |      |
      Then CQ "send_cq" gains these CQEs:
        | wr_id              |
        | 0xf123456789abcde0 |
        | 0xf123456789abcde1 |

    @needs.memory-windows @needs.send-with-invalidate
    Scenario: The identifiers of invalidations
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And memory window "theirs" onto memory "target", bound by QP "responder" with IBV_ACCESS_REMOTE_WRITE
      And memory "own target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And memory window "own" onto memory "own target", bound by QP "requester" with IBV_ACCESS_REMOTE_WRITE
      And these receives are posted on QP "responder":
        | wr_id              |
        | 0x8fedcba987654323 |
      When QP "requester" posts these sends:
        | wr_id              | opcode               | invalidates |
        | 0xf123456789abcde3 | IBV_WR_SEND_WITH_INV | theirs      |
        | 0xf123456789abcde4 | IBV_WR_LOCAL_INV     | own         |
      Then CQ "send_cq" gains these CQEs:
        | wr_id              |
        | 0xf123456789abcde3 |
        | 0xf123456789abcde4 |
      And CQ "recv_cq" gains these CQEs:
        | wr_id              |
        | 0x8fedcba987654323 |

    Scenario: The identifiers of messages of no bytes, of several packets and of several scatter/gather entries
      Given connected RC QPs:
        | QP     | send CQ | receive CQ | SGEs |
        | client | send_cq |            | 2    |
        | server |         | recv_cq    | 2    |
      And memory "head" of 24 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "long" of 9000 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "front" of 8 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "room" of 9100 bytes with IBV_ACCESS_LOCAL_WRITE
      And these receives are posted on QP "server":
        | wr_id              | memory       |
        | 0x0102030405060708 | room         |
        | 0xf0e0d0c0b0a09080 | room         |
        | 0x7060504030201000 | front + room |
      When QP "client" posts these sends:
        | wr_id              | memory      |
        | 0xf1e2d3c4b5a69788 | none        |
        | 0x8797a7b7c7d7e7f7 | long        |
        | 0x1f2f3f4f5f6f7f8f | head + long |
      Then CQ "send_cq" gains these CQEs:
        | wr_id              |
        | 0xf1e2d3c4b5a69788 |
        | 0x8797a7b7c7d7e7f7 |
        | 0x1f2f3f4f5f6f7f8f |
      And CQ "recv_cq" gains these CQEs:
        | wr_id              |
        | 0x0102030405060708 |
        | 0xf0e0d0c0b0a09080 |
        | 0x7060504030201000 |

    Scenario: A QP that takes its first message before it is ready to send keeps its other receives
      Given connected RC QPs:
        | QP     | receive CQ | state       |
        | client |            | IBV_QPS_RTS |
        | server | recv_cq    | IBV_QPS_RTR |
      And these receives are posted on QP "server":
        | wr_id              |
        | 0x0a1b2c3d4e5f6071 |
        | 0x182a3b4c5d6e7f80 |
        | 0xf091a2b3c4d5e6f7 |
      When QP "client" sends 3 unsolicited messages
      Then CQ "recv_cq" gains these CQEs:
        | wr_id              |
        | 0x0a1b2c3d4e5f6071 |
        | 0x182a3b4c5d6e7f80 |
        | 0xf091a2b3c4d5e6f7 |

    @needs.sq-drain
    Scenario: A QP whose send queue has been drained keeps its receives
      Given these receives are posted on QP "responder":
        | wr_id              |
        | 0x0a1b2c3d4e5f6071 |
        | 0x182a3b4c5d6e7f80 |
      And QP "responder" is moved to IBV_QPS_SQD with en_sqd_async_notify
      And the device has raised IBV_EVENT_SQ_DRAINED for QP "responder"
      When QP "requester" sends 2 unsolicited messages
      Then CQ "recv_cq" gains these CQEs:
        | wr_id              |
        | 0x0a1b2c3d4e5f6071 |
        | 0x182a3b4c5d6e7f80 |

  @ibv_poll_cq.field-status
  Rule: status IBV_WC_SUCCESS stands for work that has been done

    Scenario: A message has arrived in the buffer of its receive
      Given memory "source" of 16 bytes with IBV_ACCESS_LOCAL_WRITE
      And "verbs and events" is written to memory "source"
      And memory "room" of 64 bytes with IBV_ACCESS_LOCAL_WRITE
      And these receives are posted on QP "responder":
        | memory |
        | room   |
      When QP "requester" posts these sends:
        | memory |
        | source |
      Then CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And memory "room" begins with "verbs and events"
      And CQ "send_cq" gains 1 CQE with status IBV_WC_SUCCESS

    Scenario Outline: A message of <bytes> bytes has arrived as a whole, whether or not it came within the CQE
      Given memory "source" of 4097 bytes with IBV_ACCESS_LOCAL_WRITE
      And a pattern of <bytes> bytes is written to memory "source"
      And memory "room" of 4200 bytes with IBV_ACCESS_LOCAL_WRITE
      And these receives are posted on QP "responder":
        | memory |
        | room   |
      When QP "requester" posts these sends:
        | memory | bytes   |
        | source | <bytes> |
      Then CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And memory "room" begins with a pattern of <bytes> bytes
      And memory "room" holds 64 zeros from byte <bytes> on

      Examples:
        | bytes |
        | 1     |
        | 12    |
        | 31    |
        | 32    |
        | 33    |
        | 63    |
        | 64    |
        | 65    |
        | 127   |
        | 128   |
        | 129   |
        | 256   |
        | 257   |
        | 1024  |
        | 4097  |

    Scenario Outline: An RDMA read of <bytes> bytes has read them all, whether or not they came within the CQE
      Given memory "target" of 4097 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ
      And a pattern of <bytes> bytes is written to memory "target"
      And memory "room" of 4200 bytes with IBV_ACCESS_LOCAL_WRITE
      When QP "requester" posts these sends:
        | opcode           | memory | bytes   | remote |
        | IBV_WR_RDMA_READ | room   | <bytes> | target |
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And memory "room" begins with a pattern of <bytes> bytes
      And memory "room" holds 64 zeros from byte <bytes> on

      Examples:
        | bytes |
        | 1     |
        | 12    |
        | 31    |
        | 32    |
        | 33    |
        | 63    |
        | 64    |
        | 65    |
        | 128   |
        | 256   |
        | 1024  |
        | 4097  |

    # ibv_post_recv(3): whether or not a GRH came with it, the message begins after the 40 bytes that are kept for one.
    @needs.datagrams
    Scenario: A UD message has arrived after the first 40 bytes of the buffer
      Given connected UD QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And memory "source" of 16 bytes with IBV_ACCESS_LOCAL_WRITE
      And "verbs and events" is written to memory "source"
      And memory "room" of 64 bytes with IBV_ACCESS_LOCAL_WRITE
      And these receives are posted on QP "server":
        | memory |
        | room   |
      When QP "client" posts these sends:
        | memory |
        | source |
      Then CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And memory "room" holds "verbs and events" from byte 40 on

    # ibv_modify_qp(3): timeout, retry_cnt and rnr_retry are of RC QPs alone, so the send of a UC QP has no answer to wait for.
    @needs.uc
    Scenario: A UC message has left, and its peer has no receive for it
      Given connected UC QPs "client" and "server", where "client" sends on CQ "send_cq"
      When QP "client" sends 1 unsolicited message
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_SUCCESS

    @needs.inline
    Scenario: A message that was posted inline is the one that stood in the buffer then
      Given connected RC QPs:
        | QP     | send CQ | receive CQ | inline |
        | client | send_cq |            | 16     |
        | server |         | recv_cq    |        |
      And memory "source" of 16 bytes with IBV_ACCESS_LOCAL_WRITE
      And "posted in time" is written to memory "source"
      And memory "room" of 64 bytes with IBV_ACCESS_LOCAL_WRITE
      And QP "client" posts these sends:
        | memory | send_flags                           |
        | source | IBV_SEND_SIGNALED \| IBV_SEND_INLINE |
      And "overwritten" is written to memory "source"
      When these receives are posted on QP "server":
        | memory |
        | room   |
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And memory "room" begins with "posted in time"

    Scenario: What an RDMA read asked for has been read
      Given memory "target" of 16 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ
      And "read from afar" is written to memory "target"
      And memory "room" of 16 bytes with IBV_ACCESS_LOCAL_WRITE
      When QP "requester" posts these sends:
        | opcode           | memory | remote |
        | IBV_WR_RDMA_READ | room   | target |
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And memory "room" begins with "read from afar"

    Scenario: What an RDMA write with immediate brought has been written when its receive completes
      Given memory "source" of 16 bytes with IBV_ACCESS_LOCAL_WRITE
      And "written afar" is written to memory "source"
      And memory "target" of 16 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE
      And 1 receive posted on QP "responder"
      When QP "requester" posts these sends:
        | opcode                     | memory | remote | imm_data |
        | IBV_WR_RDMA_WRITE_WITH_IMM | source | target | 0x1      |
      Then CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And memory "target" begins with "written afar"

    @needs.atomics
    Scenario: Atomics have changed the peer's memory and brought back what was there before
      Given memory "target" of 8 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_ATOMIC
      And memory "added to" of 8 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "swapped out" of 8 bytes with IBV_ACCESS_LOCAL_WRITE
      And the number 0x0123456789abcdef is written to memory "target"
      And connected RC QPs:
        | QP     | send CQ | access                   |
        | client | send_cq |                          |
        | server |         | IBV_ACCESS_REMOTE_ATOMIC |
      When QP "client" posts these sends:
        | opcode                      | memory      | remote | compare_add        | swap       |
        | IBV_WR_ATOMIC_FETCH_AND_ADD | added to    | target | 0x1                |            |
        | IBV_WR_ATOMIC_CMP_AND_SWP   | swapped out | target | 0x0123456789abcdf0 | 0x89abcdef |
      Then CQ "send_cq" gains 2 CQEs with status IBV_WC_SUCCESS
      And memory "added to" begins with the number 0x0123456789abcdef
      And memory "swapped out" begins with the number 0x0123456789abcdf0
      And memory "target" begins with the number 0x89abcdef

    @needs.atomics
    Scenario: A compare-and-swap that finds another value has brought it back and left the peer's memory alone
      Given memory "target" of 8 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_ATOMIC
      And memory "found" of 8 bytes with IBV_ACCESS_LOCAL_WRITE
      And the number 0x0123456789abcdef is written to memory "target"
      And connected RC QPs:
        | QP     | send CQ | access                   |
        | client | send_cq |                          |
        | server |         | IBV_ACCESS_REMOTE_ATOMIC |
      When QP "client" posts these sends:
        | opcode                    | memory | remote | compare_add        | swap       |
        | IBV_WR_ATOMIC_CMP_AND_SWP | found  | target | 0x0123456789abcdee | 0x89abcdef |
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And memory "found" begins with the number 0x0123456789abcdef
      And memory "target" begins with the number 0x0123456789abcdef

    @needs.memory-windows
    Scenario: What was written through a window on a part of memory stands there and nowhere else
      Given memory "source" of 16 bytes with IBV_ACCESS_LOCAL_WRITE
      And "through a window" is written to memory "source"
      And memory "target" of 48 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And "................................................" is written to memory "target"
      And memory window "window" onto 24 bytes of memory "target" from byte 16 on, bound by QP "responder" with IBV_ACCESS_REMOTE_WRITE
      When QP "requester" posts these sends:
        | opcode            | memory | remote |
        | IBV_WR_RDMA_WRITE | source | window |
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And memory "target" begins with "................through a window................"

    Scenario: A message that the peer takes at a later try has arrived
      Given memory "source" of 16 bytes with IBV_ACCESS_LOCAL_WRITE
      And "taken at last" is written to memory "source"
      And memory "room" of 64 bytes with IBV_ACCESS_LOCAL_WRITE
      And connected RC QPs:
        | QP     | send CQ | receive CQ | state        | timeout | retry_cnt |
        | client | send_cq |            | IBV_QPS_RTS  | 16      | 7         |
        | server |         | recv_cq    | IBV_QPS_INIT |         |           |
      And these receives are posted on QP "server":
        | memory |
        | room   |
      When QP "client" posts these sends:
        | memory |
        | source |
      And a moment passes
      And QP "server" is moved to IBV_QPS_RTR
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And memory "room" begins with "taken at last"

    Scenario: A message whose receive is posted before its tries are used up has arrived
      Given memory "source" of 16 bytes with IBV_ACCESS_LOCAL_WRITE
      And "room at last" is written to memory "source"
      And memory "room" of 64 bytes with IBV_ACCESS_LOCAL_WRITE
      And connected RC QPs:
        | QP     | send CQ | receive CQ | rnr_retry | min_rnr_timer |
        | client | send_cq |            | 6         |               |
        | server |         | recv_cq    |           | 0             |
      When QP "client" posts these sends:
        | memory |
        | source |
      And a moment passes
      And these receives are posted on QP "server":
        | memory |
        | room   |
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And memory "room" begins with "room at last"

    Scenario: The status of each kind of work of an RC QP
      Given connected RC QPs:
        | QP     | send CQ | receive CQ | access                                            |
        | client | send_cq |            |                                                   |
        | server |         | recv_cq    | IBV_ACCESS_REMOTE_WRITE \| IBV_ACCESS_REMOTE_READ |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ
      And these receives are posted on QP "server":
        | wr_id              |
        | 0x8fedcba987654320 |
        | 0x8fedcba987654321 |
        | 0x8fedcba987654322 |
      When QP "client" posts these sends:
        | wr_id              | opcode                     | remote | imm_data   |
        | 0xf123456789abcde0 | IBV_WR_SEND                |        |            |
        | 0xf123456789abcde1 | IBV_WR_SEND_WITH_IMM       |        | 0x81c2d3f4 |
        | 0xf123456789abcde2 | IBV_WR_RDMA_WRITE          | target |            |
        | 0xf123456789abcde3 | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x7fe3d2c1 |
        | 0xf123456789abcde4 | IBV_WR_RDMA_READ           | target |            |
      Then CQ "send_cq" gains these CQEs:
        | wr_id              | status         |
        | 0xf123456789abcde0 | IBV_WC_SUCCESS |
        | 0xf123456789abcde1 | IBV_WC_SUCCESS |
        | 0xf123456789abcde2 | IBV_WC_SUCCESS |
        | 0xf123456789abcde3 | IBV_WC_SUCCESS |
        | 0xf123456789abcde4 | IBV_WC_SUCCESS |
      And CQ "recv_cq" gains these CQEs:
        | wr_id              | status         |
        | 0x8fedcba987654320 | IBV_WC_SUCCESS |
        | 0x8fedcba987654321 | IBV_WC_SUCCESS |
        | 0x8fedcba987654322 | IBV_WC_SUCCESS |

    @needs.uc
    Scenario: The status of each kind of work of a UC QP
      Given connected UC QPs:
        | QP     | send CQ | receive CQ | access                  |
        | client | send_cq |            |                         |
        | server |         | recv_cq    | IBV_ACCESS_REMOTE_WRITE |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE
      And these receives are posted on QP "server":
        | wr_id              |
        | 0x8fedcba987654320 |
        | 0x8fedcba987654321 |
        | 0x8fedcba987654322 |
      When QP "client" posts these sends:
        | wr_id              | opcode                     | remote | imm_data   |
        | 0xf123456789abcde0 | IBV_WR_SEND                |        |            |
        | 0xf123456789abcde1 | IBV_WR_SEND_WITH_IMM       |        | 0x81c2d3f4 |
        | 0xf123456789abcde2 | IBV_WR_RDMA_WRITE          | target |            |
        | 0xf123456789abcde3 | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x7fe3d2c1 |
      Then CQ "send_cq" gains these CQEs:
        | wr_id              | status         |
        | 0xf123456789abcde0 | IBV_WC_SUCCESS |
        | 0xf123456789abcde1 | IBV_WC_SUCCESS |
        | 0xf123456789abcde2 | IBV_WC_SUCCESS |
        | 0xf123456789abcde3 | IBV_WC_SUCCESS |
      And CQ "recv_cq" gains these CQEs:
        | wr_id              | status         |
        | 0x8fedcba987654320 | IBV_WC_SUCCESS |
        | 0x8fedcba987654321 | IBV_WC_SUCCESS |
        | 0x8fedcba987654322 | IBV_WC_SUCCESS |

    @needs.datagrams
    Scenario: The status of each kind of work of a UD QP
      Given connected UD QPs:
        | QP     | send CQ | receive CQ |
        | client | send_cq |            |
        | server |         | recv_cq    |
      And these receives are posted on QP "server":
        | wr_id              |
        | 0x8fedcba987654320 |
        | 0x8fedcba987654321 |
      When QP "client" posts these sends:
        | wr_id              | opcode               | imm_data   |
        | 0xf123456789abcde0 | IBV_WR_SEND          |            |
        | 0xf123456789abcde1 | IBV_WR_SEND_WITH_IMM | 0x81c2d3f4 |
      Then CQ "send_cq" gains these CQEs:
        | wr_id              | status         |
        | 0xf123456789abcde0 | IBV_WC_SUCCESS |
        | 0xf123456789abcde1 | IBV_WC_SUCCESS |
      And CQ "recv_cq" gains these CQEs:
        | wr_id              | status         |
        | 0x8fedcba987654320 | IBV_WC_SUCCESS |
        | 0x8fedcba987654321 | IBV_WC_SUCCESS |

    @needs.srq
    Scenario: The status of each kind of message that takes a receive of an SRQ
      Given an SRQ "srq"
      And connected RC QPs:
        | QP     | send CQ | receive CQ | SRQ | access                                            |
        | client | send_cq |            |     |                                                   |
        | server |         | recv_cq    | srq | IBV_ACCESS_REMOTE_WRITE \| IBV_ACCESS_REMOTE_READ |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ
      And these receives are posted on SRQ "srq":
        | wr_id              |
        | 0x8fedcba987654320 |
        | 0x8fedcba987654321 |
        | 0x8fedcba987654322 |
      When QP "client" posts these sends:
        | wr_id              | opcode                     | remote | imm_data   |
        | 0xf123456789abcde0 | IBV_WR_SEND                |        |            |
        | 0xf123456789abcde1 | IBV_WR_SEND_WITH_IMM       |        | 0x81c2d3f4 |
        | 0xf123456789abcde2 | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x7fe3d2c1 |
      Then CQ "send_cq" gains these CQEs:
        | wr_id              | status         |
        | 0xf123456789abcde0 | IBV_WC_SUCCESS |
        | 0xf123456789abcde1 | IBV_WC_SUCCESS |
        | 0xf123456789abcde2 | IBV_WC_SUCCESS |
      And CQ "recv_cq" gains these CQEs:
        | wr_id              | status         |
        | 0x8fedcba987654320 | IBV_WC_SUCCESS |
        | 0x8fedcba987654321 | IBV_WC_SUCCESS |
        | 0x8fedcba987654322 | IBV_WC_SUCCESS |

    @needs.atomics
    Scenario: The status of each atomic
      Given connected RC QPs:
        | QP     | send CQ | receive CQ | access                   |
        | client | send_cq |            |                          |
        | server |         | recv_cq    | IBV_ACCESS_REMOTE_ATOMIC |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_ATOMIC
      When QP "client" posts these sends:
        | wr_id              | opcode                      | remote | bytes | compare_add | swap |
        | 0xf123456789abcde0 | IBV_WR_ATOMIC_CMP_AND_SWP   | target | 8     | 0x1         | 0x2  |
        | 0xf123456789abcde1 | IBV_WR_ATOMIC_FETCH_AND_ADD | target | 8     | 0x1         |      |
      Then CQ "send_cq" gains these CQEs:
        | wr_id              | status         |
        | 0xf123456789abcde0 | IBV_WC_SUCCESS |
        | 0xf123456789abcde1 | IBV_WC_SUCCESS |

    @needs.memory-windows @needs.send-with-invalidate
    Scenario: The status of invalidations
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And memory window "theirs" onto memory "target", bound by QP "responder" with IBV_ACCESS_REMOTE_WRITE
      And memory "own target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And memory window "own" onto memory "own target", bound by QP "requester" with IBV_ACCESS_REMOTE_WRITE
      And these receives are posted on QP "responder":
        | wr_id              |
        | 0x8fedcba987654323 |
      When QP "requester" posts these sends:
        | wr_id              | opcode               | invalidates |
        | 0xf123456789abcde3 | IBV_WR_SEND_WITH_INV | theirs      |
        | 0xf123456789abcde4 | IBV_WR_LOCAL_INV     | own         |
      Then CQ "send_cq" gains these CQEs:
        | wr_id              | status         |
        | 0xf123456789abcde3 | IBV_WC_SUCCESS |
        | 0xf123456789abcde4 | IBV_WC_SUCCESS |
      And CQ "recv_cq" gains these CQEs:
        | wr_id              | status         |
        | 0x8fedcba987654323 | IBV_WC_SUCCESS |

    Scenario: A RC message of several packets has arrived whole, and nothing after it has changed
      Given connected RC QPs:
        | QP     | send CQ | receive CQ |
        | client | send_cq |            |
        | server |         | recv_cq    |
      And memory "long" of 9000 bytes with IBV_ACCESS_LOCAL_WRITE
      And a pattern of 9000 bytes is written to memory "long"
      And memory "room" of 9016 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ
      And these receives are posted on QP "server":
        | memory |
        | room   |
      When QP "client" posts these sends:
        | memory |
        | long   |
      Then CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And CQ "send_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And memory "room" begins with a pattern of 9000 bytes
      And memory "room" holds 16 zeros from byte 9000 on

    @needs.uc
    Scenario: A UC message of several packets has arrived whole, and nothing after it has changed
      Given connected UC QPs:
        | QP     | send CQ | receive CQ |
        | client | send_cq |            |
        | server |         | recv_cq    |
      And memory "long" of 9000 bytes with IBV_ACCESS_LOCAL_WRITE
      And a pattern of 9000 bytes is written to memory "long"
      And memory "room" of 9016 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ
      And these receives are posted on QP "server":
        | memory |
        | room   |
      When QP "client" posts these sends:
        | memory |
        | long   |
      Then CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And CQ "send_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And memory "room" begins with a pattern of 9000 bytes
      And memory "room" holds 16 zeros from byte 9000 on

    Scenario Outline: <opcode> of several packets moves all bytes, and no others
      Given memory "long" of 9000 bytes with <access>
      And a pattern of 9000 bytes is written to memory "<from>"
      And memory "room" of 9016 bytes with <access>
      When QP "requester" posts these sends:
        | opcode   | memory  | bytes | remote   |
        | <opcode> | <local> | 9000  | <remote> |
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And memory "room" begins with a pattern of 9000 bytes
      And memory "room" holds 16 zeros from byte 9000 on

      Examples:
        | opcode            | local | remote | from | access                                                                        |
        | IBV_WR_RDMA_WRITE | long  | room   | long | IBV_ACCESS_LOCAL_WRITE \| IBV_ACCESS_REMOTE_WRITE \| IBV_ACCESS_REMOTE_READ |
        | IBV_WR_RDMA_READ  | room  | long   | long | IBV_ACCESS_LOCAL_WRITE \| IBV_ACCESS_REMOTE_WRITE \| IBV_ACCESS_REMOTE_READ |

    Scenario: The status of messages of no bytes, of several packets and of several scatter/gather entries
      Given connected RC QPs:
        | QP     | send CQ | receive CQ | SGEs |
        | client | send_cq |            | 2    |
        | server |         | recv_cq    | 2    |
      And memory "head" of 24 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "long" of 9000 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "front" of 8 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "room" of 9100 bytes with IBV_ACCESS_LOCAL_WRITE
      And these receives are posted on QP "server":
        | wr_id              | memory       |
        | 0x0102030405060708 | room         |
        | 0xf0e0d0c0b0a09080 | room         |
        | 0x7060504030201000 | front + room |
      When QP "client" posts these sends:
        | wr_id              | memory      |
        | 0xf1e2d3c4b5a69788 | none        |
        | 0x8797a7b7c7d7e7f7 | long        |
        | 0x1f2f3f4f5f6f7f8f | head + long |
      Then CQ "send_cq" gains these CQEs:
        | wr_id              | status         |
        | 0xf1e2d3c4b5a69788 | IBV_WC_SUCCESS |
        | 0x8797a7b7c7d7e7f7 | IBV_WC_SUCCESS |
        | 0x1f2f3f4f5f6f7f8f | IBV_WC_SUCCESS |
      And CQ "recv_cq" gains these CQEs:
        | wr_id              | status         |
        | 0x0102030405060708 | IBV_WC_SUCCESS |
        | 0xf0e0d0c0b0a09080 | IBV_WC_SUCCESS |
        | 0x7060504030201000 | IBV_WC_SUCCESS |

    Scenario: A message of two pieces has arrived in two pieces
      Given connected RC QPs:
        | QP     | send CQ | receive CQ | SGEs |
        | client | send_cq |            | 2    |
        | server |         | recv_cq    | 2    |
      And memory "one" of 10 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "two" of 6 bytes with IBV_ACCESS_LOCAL_WRITE
      And "gathered, " is written to memory "one"
      And "spread" is written to memory "two"
      And memory "front" of 4 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "rest" of 16 bytes with IBV_ACCESS_LOCAL_WRITE
      And these receives are posted on QP "server":
        | memory       |
        | front + rest |
      When QP "client" posts these sends:
        | memory    |
        | one + two |
      Then CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And CQ "send_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And memory "front" begins with "gath"
      And memory "rest" begins with "ered, spread"
      And memory "rest" holds 4 zeros from byte 12 on

  @ibv_poll_cq.field-opcode
  Rule: opcode tells the kind of work that has ended

    Scenario: Sends, writes and reads of an RC QP
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ
      And 3 receives posted on QP "responder"
      When QP "requester" posts these sends:
        | opcode                     | remote | imm_data |
        | IBV_WR_SEND                |        |          |
        | IBV_WR_SEND_WITH_IMM       |        | 0x1      |
        | IBV_WR_RDMA_WRITE          | target |          |
        | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x2      |
        | IBV_WR_RDMA_READ           | target |          |
      Then CQ "send_cq" gains these CQEs:
        | opcode            |
        | IBV_WC_SEND       |
        | IBV_WC_SEND       |
        | IBV_WC_RDMA_WRITE |
        | IBV_WC_RDMA_WRITE |
        | IBV_WC_RDMA_READ  |
      And CQ "recv_cq" gains these CQEs:
        | opcode                    |
        | IBV_WC_RECV               |
        | IBV_WC_RECV               |
        | IBV_WC_RECV_RDMA_WITH_IMM |

    @needs.inline
    Scenario: An inline send and an inline write are a send and a write
      Given connected RC QPs:
        | QP     | send CQ | inline | access                  |
        | client | send_cq | 16     |                         |
        | server |         |        | IBV_ACCESS_REMOTE_WRITE |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE
      And 1 receive posted on QP "server"
      When QP "client" posts these sends:
        | opcode            | remote | send_flags                           |
        | IBV_WR_SEND       |        | IBV_SEND_SIGNALED \| IBV_SEND_INLINE |
        | IBV_WR_RDMA_WRITE | target | IBV_SEND_SIGNALED \| IBV_SEND_INLINE |
      Then CQ "send_cq" gains these CQEs:
        | opcode            |
        | IBV_WC_SEND       |
        | IBV_WC_RDMA_WRITE |

    @needs.uc
    Scenario: Sends and writes of a UC QP
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE
      And connected UC QPs:
        | QP     | send CQ | receive CQ | access                  |
        | client | send_cq |            |                         |
        | server |         | recv_cq    | IBV_ACCESS_REMOTE_WRITE |
      And 3 receives posted on QP "server"
      When QP "client" posts these sends:
        | opcode                     | remote | imm_data |
        | IBV_WR_SEND                |        |          |
        | IBV_WR_SEND_WITH_IMM       |        | 0x1      |
        | IBV_WR_RDMA_WRITE          | target |          |
        | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x2      |
      Then CQ "send_cq" gains these CQEs:
        | opcode            |
        | IBV_WC_SEND       |
        | IBV_WC_SEND       |
        | IBV_WC_RDMA_WRITE |
        | IBV_WC_RDMA_WRITE |
      And CQ "recv_cq" gains these CQEs:
        | opcode                    |
        | IBV_WC_RECV               |
        | IBV_WC_RECV               |
        | IBV_WC_RECV_RDMA_WITH_IMM |

    @needs.datagrams
    Scenario: Messages of a UD QP
      Given connected UD QPs:
        | QP     | send CQ | receive CQ |
        | client | send_cq |            |
        | server |         | recv_cq    |
      And 2 receives posted on QP "server"
      When QP "client" posts these sends:
        | opcode               | imm_data |
        | IBV_WR_SEND          |          |
        | IBV_WR_SEND_WITH_IMM | 0x1      |
      Then CQ "send_cq" gains these CQEs:
        | opcode      |
        | IBV_WC_SEND |
        | IBV_WC_SEND |
      And CQ "recv_cq" gains these CQEs:
        | opcode      |
        | IBV_WC_RECV |
        | IBV_WC_RECV |

    @needs.atomics
    Scenario: Atomics of an RC QP
      Given memory "target" of 8 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_ATOMIC
      And connected RC QPs:
        | QP     | send CQ | access                   |
        | client | send_cq |                          |
        | server |         | IBV_ACCESS_REMOTE_ATOMIC |
      When QP "client" posts these sends:
        | opcode                      | bytes | remote | compare_add | swap |
        | IBV_WR_ATOMIC_CMP_AND_SWP   | 8     | target | 0x0         | 0x1  |
        | IBV_WR_ATOMIC_FETCH_AND_ADD | 8     | target | 0x1         |      |
      Then CQ "send_cq" gains these CQEs:
        | opcode           |
        | IBV_WC_COMP_SWAP |
        | IBV_WC_FETCH_ADD |

    @needs.memory-windows
    Scenario: Binding a memory window and invalidating it
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      When binding memory window "window" onto memory "target" by QP "requester" with IBV_ACCESS_REMOTE_WRITE succeeds
      Then CQ "send_cq" gains these CQEs:
        | opcode         |
        | IBV_WC_BIND_MW |
      When QP "requester" posts these sends:
        | opcode           | invalidates |
        | IBV_WR_LOCAL_INV | window      |
      Then CQ "send_cq" gains these CQEs:
        | opcode           |
        | IBV_WC_LOCAL_INV |

    @needs.memory-windows @needs.send-with-invalidate
    Scenario: A send with invalidate is a send
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And memory window "window" onto memory "target", bound by QP "responder" with IBV_ACCESS_REMOTE_WRITE
      And 1 receive posted on QP "responder"
      When QP "requester" posts these sends:
        | opcode               | invalidates |
        | IBV_WR_SEND_WITH_INV | window      |
      Then CQ "send_cq" gains these CQEs:
        | opcode      |
        | IBV_WC_SEND |
      And CQ "recv_cq" gains these CQEs:
        | opcode      |
        | IBV_WC_RECV |

    @needs.srq
    Scenario: Receives of an SRQ are receives
      Given an SRQ "srq"
      And connected RC QPs:
        | QP     | send CQ | receive CQ | SRQ | access                                            |
        | client | send_cq |            |     |                                                   |
        | server |         | recv_cq    | srq | IBV_ACCESS_REMOTE_WRITE \| IBV_ACCESS_REMOTE_READ |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ
      And these receives are posted on SRQ "srq":
        | wr_id              |
        | 0x8fedcba987654320 |
        | 0x8fedcba987654321 |
        | 0x8fedcba987654322 |
      When QP "client" posts these sends:
        | wr_id              | opcode                     | remote | imm_data   |
        | 0xf123456789abcde0 | IBV_WR_SEND                |        |            |
        | 0xf123456789abcde1 | IBV_WR_SEND_WITH_IMM       |        | 0x81c2d3f4 |
        | 0xf123456789abcde2 | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x7fe3d2c1 |
      Then CQ "send_cq" gains these CQEs:
        | opcode            |
        | IBV_WC_SEND       |
        | IBV_WC_SEND       |
        | IBV_WC_RDMA_WRITE |
      And CQ "recv_cq" gains these CQEs:
        | opcode                    |
        | IBV_WC_RECV               |
        | IBV_WC_RECV               |
        | IBV_WC_RECV_RDMA_WITH_IMM |

    Scenario: Messages of no bytes, of several packets and of several scatter/gather entries
      Given connected RC QPs:
        | QP     | send CQ | receive CQ | SGEs |
        | client | send_cq |            | 2    |
        | server |         | recv_cq    | 2    |
      And memory "head" of 24 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "long" of 9000 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "front" of 8 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "room" of 9100 bytes with IBV_ACCESS_LOCAL_WRITE
      And these receives are posted on QP "server":
        | wr_id              | memory       |
        | 0x0102030405060708 | room         |
        | 0xf0e0d0c0b0a09080 | room         |
        | 0x7060504030201000 | front + room |
      When QP "client" posts these sends:
        | wr_id              | memory      |
        | 0xf1e2d3c4b5a69788 | none        |
        | 0x8797a7b7c7d7e7f7 | long        |
        | 0x1f2f3f4f5f6f7f8f | head + long |
      Then CQ "send_cq" gains these CQEs:
        | wr_id              | opcode      |
        | 0xf1e2d3c4b5a69788 | IBV_WC_SEND |
        | 0x8797a7b7c7d7e7f7 | IBV_WC_SEND |
        | 0x1f2f3f4f5f6f7f8f | IBV_WC_SEND |
      And CQ "recv_cq" gains these CQEs:
        | wr_id              | opcode      |
        | 0x0102030405060708 | IBV_WC_RECV |
        | 0xf0e0d0c0b0a09080 | IBV_WC_RECV |
        | 0x7060504030201000 | IBV_WC_RECV |

    Scenario: An RDMA write of no bytes with an immediate takes a receive as any other
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE
      And connected RC QPs:
        | QP     | send CQ | receive CQ | access                  |
        | client | send_cq |            |                         |
        | server |         | recv_cq    | IBV_ACCESS_REMOTE_WRITE |
      And 1 receive posted on QP "server"
      When QP "client" posts these sends:
        | opcode                     | memory | remote | imm_data |
        | IBV_WR_RDMA_WRITE_WITH_IMM | none   | target | 0x1      |
      Then CQ "send_cq" gains these CQEs:
        | opcode            |
        | IBV_WC_RDMA_WRITE |
      And CQ "recv_cq" gains these CQEs:
        | opcode                    |
        | IBV_WC_RECV_RDMA_WITH_IMM |

    @needs.inline
    Scenario: An inline write with an immediate is a write
      Given connected RC QPs:
        | QP     | send CQ | inline | access                  |
        | client | send_cq | 16     |                         |
        | server |         |        | IBV_ACCESS_REMOTE_WRITE |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE
      And 1 receive posted on QP "server"
      When QP "client" posts these sends:
        | opcode                     | remote | imm_data | send_flags                           |
        | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x1      | IBV_SEND_SIGNALED \| IBV_SEND_INLINE |
      Then CQ "send_cq" gains these CQEs:
        | opcode            |
        | IBV_WC_RDMA_WRITE |

  @ibv_poll_cq.field-byte-len
  Rule: byte_len of a receive, an RDMA read or an atomic is the number of bytes that came in

    The page does not say for which work. The InfiniBand Architecture Specification has the member for receives, RDMA
    reads and atomics; of sends and writes, for which many providers leave it alone, nothing is demanded here. A UD
    receive begins with 40 bytes for the GRH, ibv_post_recv(3), and they count.

    Scenario: A receive counts the bytes of the message and not those of its buffer
      Given these receives are posted on QP "responder":
        | bytes |
        | 64    |
        | 24    |
        | 64    |
        | 64    |
        | 64    |
        | 64    |
        | 64    |
        | 300   |
        | 300   |
        | 300   |
      When QP "requester" posts these sends:
        | bytes |
        | 24    |
        | 24    |
        | 1     |
        | 0     |
        | 32    |
        | 33    |
        | 64    |
        | 65    |
        | 256   |
        | 257   |
      Then CQ "recv_cq" gains these CQEs:
        | byte_len |
        | 24       |
        | 24       |
        | 1        |
        | 0        |
        | 32       |
        | 33       |
        | 64       |
        | 65       |
        | 256      |
        | 257      |

    Scenario: A message without a scatter/gather list has no bytes
      Given 1 receive posted on QP "responder"
      When QP "requester" posts these sends:
        | memory |
        | none   |
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And CQ "recv_cq" gains these CQEs:
        | status         | byte_len |
        | IBV_WC_SUCCESS | 0        |

    Scenario: A message of several packets is counted as a whole
      Given memory "source" of 9001 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "room" of 10000 bytes with IBV_ACCESS_LOCAL_WRITE
      And these receives are posted on QP "responder":
        | memory |
        | room   |
      When QP "requester" posts these sends:
        | memory |
        | source |
      Then CQ "recv_cq" gains these CQEs:
        | byte_len |
        | 9001     |

    Scenario: The immediate does not count
      Given 1 receive posted on QP "responder"
      When QP "requester" posts these sends:
        | opcode               | bytes | imm_data |
        | IBV_WR_SEND_WITH_IMM | 24    | 0x1      |
      Then CQ "recv_cq" gains these CQEs:
        | byte_len |
        | 24       |

    Scenario: The receive of an RDMA write with immediate counts the bytes that were written
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE
      And these receives are posted on QP "responder":
        | bytes |
        | 16    |
      When QP "requester" posts these sends:
        | opcode                     | bytes | remote | imm_data |
        | IBV_WR_RDMA_WRITE_WITH_IMM | 48    | target | 0x1      |
      Then CQ "recv_cq" gains these CQEs:
        | byte_len |
        | 48       |

    Scenario: An RDMA read counts the bytes that were read
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ
      When QP "requester" posts these sends:
        | opcode           | bytes | remote |
        | IBV_WR_RDMA_READ | 40    | target |
      Then CQ "send_cq" gains these CQEs:
        | byte_len |
        | 40       |

    Scenario: An RDMA read without a scatter/gather list has read no bytes
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ
      When QP "requester" posts these sends:
        | opcode           | memory | remote |
        | IBV_WR_RDMA_READ | none   | target |
      Then CQ "send_cq" gains these CQEs:
        | status         | byte_len |
        | IBV_WC_SUCCESS | 0        |

    @needs.atomics
    Scenario: An atomic counts the 8 bytes that it brought back
      Given memory "target" of 8 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_ATOMIC
      And connected RC QPs:
        | QP     | send CQ | access                   |
        | client | send_cq |                          |
        | server |         | IBV_ACCESS_REMOTE_ATOMIC |
      When QP "client" posts these sends:
        | opcode                      | bytes | remote | compare_add | swap |
        | IBV_WR_ATOMIC_FETCH_AND_ADD | 8     | target | 0x1         |      |
        | IBV_WR_ATOMIC_CMP_AND_SWP   | 8     | target | 0x1         | 0x2  |
      Then CQ "send_cq" gains these CQEs:
        | byte_len |
        | 8        |
        | 8        |

    @needs.atomics
    Scenario: Atomics between RDMA reads of other lengths
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_ATOMIC | IBV_ACCESS_REMOTE_READ
      And connected RC QPs:
        | QP     | send CQ | access                                             |
        | client | send_cq |                                                    |
        | server |         | IBV_ACCESS_REMOTE_ATOMIC \| IBV_ACCESS_REMOTE_READ |
      When QP "client" posts these sends:
        | opcode                      | bytes | remote | compare_add | swap |
        | IBV_WR_RDMA_READ            | 24    | target |             |      |
        | IBV_WR_ATOMIC_FETCH_AND_ADD | 8     | target | 0x1         |      |
        | IBV_WR_RDMA_READ            | 40    | target |             |      |
        | IBV_WR_ATOMIC_CMP_AND_SWP   | 8     | target | 0x1         | 0x2  |
      Then CQ "send_cq" gains these CQEs:
        | byte_len |
        | 24       |
        | 8        |
        | 40       |
        | 8        |

    Scenario: Lengths are those of their own messages, also after twenty others
      Given a CQ "large_cq" of 24 entries
      And connected RC QPs "client" and "server", where "server" receives on CQ "large_cq"
      And 23 receives posted on QP "server"
      And QP "client" has sent 20 unsolicited messages
      When QP "client" posts these sends:
        | bytes |
        | 15    |
        | 0     |
        | 14    |
      And CQ "large_cq" has been emptied of 20 CQEs
      Then CQ "large_cq" gains these CQEs:
        | byte_len |
        | 15       |
        | 0        |
        | 14       |

    @needs.uc
    Scenario: A UC receive counts the bytes of the message
      Given connected UC QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And 1 receive posted on QP "server"
      When QP "client" posts these sends:
        | bytes |
        | 24    |
      Then CQ "recv_cq" gains these CQEs:
        | byte_len |
        | 24       |

    @needs.datagrams
    Scenario: A UD receive counts the bytes of the message and 40 for the GRH
      Given connected UD QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And 1 receive posted on QP "server"
      When QP "client" posts these sends:
        | bytes |
        | 24    |
      Then CQ "recv_cq" gains these CQEs:
        | byte_len |
        | 64       |

    @needs.datagrams
    Scenario: A UD receive of a message of no bytes counts 40 for the GRH
      Given connected UD QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And 1 receive posted on QP "server"
      When QP "client" posts these sends:
        | bytes |
        | 0     |
      Then CQ "recv_cq" gains these CQEs:
        | byte_len |
        | 40       |

    Scenario: Lengths are those of their own messages, also when the CQ has wrapped
      Given a CQ "small_cq" of 4 entries
      And connected RC QPs "client" and "server", where "server" receives on CQ "small_cq"
      And 9 receives posted on QP "server"
      And QP "client" has sent 3 unsolicited messages
      And CQ "small_cq" has been emptied of 3 CQEs
      And QP "client" has sent 3 unsolicited messages
      And CQ "small_cq" has been emptied of 3 CQEs
      When QP "client" posts these sends:
        | bytes |
        | 5     |
        | 11    |
        | 7     |
      Then CQ "small_cq" gains these CQEs:
        | byte_len |
        | 5        |
        | 11       |
        | 7        |

    @needs.srq
    Scenario: A receive of an SRQ counts the bytes of the message
      Given an SRQ "srq"
      And connected RC QPs:
        | QP     | receive CQ | SRQ |
        | client |            |     |
        | server | recv_cq    | srq |
      And these receives are posted on SRQ "srq":
        | bytes |
        | 64    |
      When QP "client" posts these sends:
        | bytes |
        | 24    |
      Then CQ "recv_cq" gains these CQEs:
        | byte_len |
        | 24       |

    Scenario: The lengths of messages of no bytes, of several packets and of several scatter/gather entries
      Given connected RC QPs:
        | QP     | send CQ | receive CQ | SGEs |
        | client | send_cq |            | 2    |
        | server |         | recv_cq    | 2    |
      And memory "head" of 24 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "long" of 9000 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "front" of 8 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "room" of 9100 bytes with IBV_ACCESS_LOCAL_WRITE
      And these receives are posted on QP "server":
        | wr_id              | memory       |
        | 0x0102030405060708 | room         |
        | 0xf0e0d0c0b0a09080 | room         |
        | 0x7060504030201000 | front + room |
      When QP "client" posts these sends:
        | wr_id              | memory      |
        | 0xf1e2d3c4b5a69788 | none        |
        | 0x8797a7b7c7d7e7f7 | long        |
        | 0x1f2f3f4f5f6f7f8f | head + long |
      Then CQ "send_cq" gains these CQEs:
        | wr_id              |
        | 0xf1e2d3c4b5a69788 |
        | 0x8797a7b7c7d7e7f7 |
        | 0x1f2f3f4f5f6f7f8f |
      And CQ "recv_cq" gains these CQEs:
        | wr_id              | byte_len |
        | 0x0102030405060708 | 0        |
        | 0xf0e0d0c0b0a09080 | 9000     |
        | 0x7060504030201000 | 9024     |

    Scenario: The lengths and immediates of each kind of work of an RC QP
      Given connected RC QPs:
        | QP     | send CQ | receive CQ | access                                            |
        | client | send_cq |            |                                                   |
        | server |         | recv_cq    | IBV_ACCESS_REMOTE_WRITE \| IBV_ACCESS_REMOTE_READ |
      And memory "long" of 70400 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "room" of 70400 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ
      And these receives are posted on QP "server":
        | wr_id              | memory |
        | 0x8fedcba987654320 | room   |
        | 0x8fedcba987654321 | room   |
        | 0x8fedcba987654322 | room   |
      When QP "client" posts these sends:
        | wr_id              | opcode                     | memory | bytes | remote | imm_data   |
        | 0xf123456789abcde0 | IBV_WR_SEND                | long   | 70001 |        |            |
        | 0xf123456789abcde1 | IBV_WR_SEND_WITH_IMM       | long   | 70102 |        | 0x81c2d3f4 |
        | 0xf123456789abcde2 | IBV_WR_RDMA_WRITE          | long   | 16    | room   |            |
        | 0xf123456789abcde3 | IBV_WR_RDMA_WRITE_WITH_IMM | long   | 70203 | room   | 0x7fe3d2c1 |
        | 0xf123456789abcde4 | IBV_WR_RDMA_READ           | long   | 70304 | room   |            |
      Then CQ "recv_cq" gains these CQEs:
        | wr_id              | byte_len | imm_data   |
        | 0x8fedcba987654320 | 70001    |            |
        | 0x8fedcba987654321 | 70102    | 0x81c2d3f4 |
        | 0x8fedcba987654322 | 70203    | 0x7fe3d2c1 |
      And CQ "send_cq" gains these CQEs:
        | wr_id              | byte_len |
        | 0xf123456789abcde0 |          |
        | 0xf123456789abcde1 |          |
        | 0xf123456789abcde2 |          |
        | 0xf123456789abcde3 |          |
        | 0xf123456789abcde4 | 70304    |

    @needs.uc
    Scenario: The lengths and immediates of each kind of work of a UC QP
      Given connected UC QPs:
        | QP     | send CQ | receive CQ | access                  |
        | client | send_cq |            |                         |
        | server |         | recv_cq    | IBV_ACCESS_REMOTE_WRITE |
      And memory "long" of 70400 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "room" of 70400 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ
      And these receives are posted on QP "server":
        | wr_id              | memory |
        | 0x8fedcba987654320 | room   |
        | 0x8fedcba987654321 | room   |
        | 0x8fedcba987654322 | room   |
      When QP "client" posts these sends:
        | wr_id              | opcode                     | memory | bytes | remote | imm_data   |
        | 0xf123456789abcde0 | IBV_WR_SEND                | long   | 70001 |        |            |
        | 0xf123456789abcde1 | IBV_WR_SEND_WITH_IMM       | long   | 70102 |        | 0x81c2d3f4 |
        | 0xf123456789abcde2 | IBV_WR_RDMA_WRITE          | long   | 16    | room   |            |
        | 0xf123456789abcde3 | IBV_WR_RDMA_WRITE_WITH_IMM | long   | 70203 | room   | 0x7fe3d2c1 |
      Then CQ "recv_cq" gains these CQEs:
        | wr_id              | byte_len | imm_data   |
        | 0x8fedcba987654320 | 70001    |            |
        | 0x8fedcba987654321 | 70102    | 0x81c2d3f4 |
        | 0x8fedcba987654322 | 70203    | 0x7fe3d2c1 |
      And CQ "send_cq" gains these CQEs:
        | wr_id              | byte_len |
        | 0xf123456789abcde0 |          |
        | 0xf123456789abcde1 |          |
        | 0xf123456789abcde2 |          |
        | 0xf123456789abcde3 |          |

    @needs.datagrams
    Scenario: The lengths and immediates of each kind of work of a UD QP
      Given connected UD QPs:
        | QP     | send CQ | receive CQ |
        | client | send_cq |            |
        | server |         | recv_cq    |
      And memory "long" of 1000 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "room" of 1000 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ
      And these receives are posted on QP "server":
        | wr_id              | memory |
        | 0x8fedcba987654320 | room   |
        | 0x8fedcba987654321 | room   |
      When QP "client" posts these sends:
        | wr_id              | opcode               | memory | bytes | imm_data   |
        | 0xf123456789abcde0 | IBV_WR_SEND          | long   | 601   |            |
        | 0xf123456789abcde1 | IBV_WR_SEND_WITH_IMM | long   | 702   | 0x81c2d3f4 |
      Then CQ "recv_cq" gains these CQEs:
        | wr_id              | byte_len | imm_data   |
        | 0x8fedcba987654320 | 641      |            |
        | 0x8fedcba987654321 | 742      | 0x81c2d3f4 |
      And CQ "send_cq" gains these CQEs:
        | wr_id              | byte_len |
        | 0xf123456789abcde0 |          |
        | 0xf123456789abcde1 |          |

    @needs.srq
    Scenario: The lengths and immediates of each kind of message that takes a receive of an SRQ
      Given an SRQ "srq"
      And connected RC QPs:
        | QP     | send CQ | receive CQ | SRQ | access                                            |
        | client | send_cq |            |     |                                                   |
        | server |         | recv_cq    | srq | IBV_ACCESS_REMOTE_WRITE \| IBV_ACCESS_REMOTE_READ |
      And memory "long" of 70400 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "room" of 70400 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ
      And these receives are posted on SRQ "srq":
        | wr_id              | memory |
        | 0x8fedcba987654320 | room   |
        | 0x8fedcba987654321 | room   |
        | 0x8fedcba987654322 | room   |
      When QP "client" posts these sends:
        | wr_id              | opcode                     | memory | bytes | remote | imm_data   |
        | 0xf123456789abcde0 | IBV_WR_SEND                | long   | 70001 |        |            |
        | 0xf123456789abcde1 | IBV_WR_SEND_WITH_IMM       | long   | 70102 |        | 0x81c2d3f4 |
        | 0xf123456789abcde2 | IBV_WR_RDMA_WRITE_WITH_IMM | long   | 70203 | room   | 0x7fe3d2c1 |
      Then CQ "recv_cq" gains these CQEs:
        | wr_id              | byte_len | imm_data   |
        | 0x8fedcba987654320 | 70001    |            |
        | 0x8fedcba987654321 | 70102    | 0x81c2d3f4 |
        | 0x8fedcba987654322 | 70203    | 0x7fe3d2c1 |
      And CQ "send_cq" gains these CQEs:
        | wr_id              | byte_len |
        | 0xf123456789abcde0 |          |
        | 0xf123456789abcde1 |          |
        | 0xf123456789abcde2 |          |

    @needs.memory-windows @needs.send-with-invalidate
    Scenario: The length of a message that invalidates
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And memory "long" of 70001 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "room" of 70001 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory window "window" onto memory "target", bound by QP "responder" with IBV_ACCESS_REMOTE_WRITE
      And these receives are posted on QP "responder":
        | memory |
        | room   |
      When QP "requester" posts these sends:
        | opcode               | memory | invalidates |
        | IBV_WR_SEND_WITH_INV | long   | window      |
      Then CQ "recv_cq" gains these CQEs:
        | byte_len |
        | 70001    |

    @needs.datagrams
    Scenario: A UD receive of a message of no bytes counts the GRH
      Given connected UD QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And 1 receive posted on QP "server"
      When QP "client" posts these sends:
        | memory |
        | none   |
      Then CQ "recv_cq" gains these CQEs:
        | byte_len |
        | 40       |

    Scenario: An RDMA read into several scatter/gather entries counts the bytes of all
      Given connected RC QPs:
        | QP     | send CQ | SGEs | access                 |
        | client | send_cq | 2    |                        |
        | server |         |      | IBV_ACCESS_REMOTE_READ |
      And memory "source" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ
      And memory "head" of 24 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "tail" of 8 bytes with IBV_ACCESS_LOCAL_WRITE
      When QP "client" posts these sends:
        | opcode           | memory      | remote |
        | IBV_WR_RDMA_READ | head + tail | source |
      Then CQ "send_cq" gains these CQEs:
        | byte_len |
        | 32       |

    Scenario: The lengths of messages that fill their packets
      Given memory "long" of 1048577 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "room" of 1048577 bytes with IBV_ACCESS_LOCAL_WRITE
      And these receives are posted on QP "responder":
        | wr_id | memory |
        | 0xa1  | room   |
        | 0xa2  | room   |
        | 0xa3  | room   |
        | 0xa4  | room   |
      When QP "requester" posts these sends:
        | memory | bytes   |
        | long   | 2048    |
        | long   | 3072    |
        | long   | 16384   |
        | long   | 1048576 |
      Then CQ "recv_cq" gains these CQEs:
        | wr_id | byte_len |
        | 0xa1  | 2048     |
        | 0xa2  | 3072     |
        | 0xa3  | 16384    |
        | 0xa4  | 1048576  |

  @ibv_poll_cq.field-imm-data
  Rule: imm_data is the immediate of the message, in network byte order

    The tables write it with the byte first that is first on the wire.

    Scenario: The four bytes of the immediate of an RC message keep their order
      Given 4 receives posted on QP "responder"
      When QP "requester" posts these sends:
        | opcode               | imm_data   |
        | IBV_WR_SEND_WITH_IMM | 0x01020304 |
        | IBV_WR_SEND_WITH_IMM | 0xfffefdfc |
        | IBV_WR_SEND_WITH_IMM | 0x00000000 |
        | IBV_WR_SEND_WITH_IMM | 0x000000ff |
      Then CQ "recv_cq" gains these CQEs:
        | imm_data   |
        | 0x01020304 |
        | 0xfffefdfc |
        | 0x00000000 |
        | 0x000000ff |

    Scenario: The four bytes of the immediate of an RDMA write keep their order
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE
      And 1 receive posted on QP "responder"
      When QP "requester" posts these sends:
        | opcode                     | remote | imm_data   |
        | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x01020304 |
      Then CQ "recv_cq" gains these CQEs:
        | imm_data   |
        | 0x01020304 |

    @needs.uc
    Scenario: The four bytes of the immediate of a UC message keep their order
      Given connected UC QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And 1 receive posted on QP "server"
      When QP "client" posts these sends:
        | opcode               | imm_data   |
        | IBV_WR_SEND_WITH_IMM | 0x01020304 |
      Then CQ "recv_cq" gains these CQEs:
        | imm_data   |
        | 0x01020304 |

    @needs.datagrams
    Scenario: The four bytes of the immediate of a UD message keep their order
      Given connected UD QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And 1 receive posted on QP "server"
      When QP "client" posts these sends:
        | opcode               | imm_data   |
        | IBV_WR_SEND_WITH_IMM | 0x01020304 |
      Then CQ "recv_cq" gains these CQEs:
        | imm_data   |
        | 0x01020304 |

    Scenario: The immediates of the work with immediate of an RC QP
      Given connected RC QPs:
        | QP     | send CQ | receive CQ | access                                            |
        | client | send_cq |            |                                                   |
        | server |         | recv_cq    | IBV_ACCESS_REMOTE_WRITE \| IBV_ACCESS_REMOTE_READ |
      And memory "long" of 70400 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "room" of 70400 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ
      And these receives are posted on QP "server":
        | wr_id              | memory |
        | 0x8fedcba987654320 | room   |
        | 0x8fedcba987654321 | room   |
      When QP "client" posts these sends:
        | wr_id              | opcode                     | memory | bytes | remote | imm_data   |
        | 0xf123456789abcde0 | IBV_WR_SEND_WITH_IMM       | long   | 70001 |        | 0x81c2d3f4 |
        | 0xf123456789abcde1 | IBV_WR_RDMA_WRITE_WITH_IMM | long   | 70102 | room   | 0x7fe3d2c1 |
      Then CQ "recv_cq" gains these CQEs:
        | wr_id              | byte_len | imm_data   |
        | 0x8fedcba987654320 | 70001    | 0x81c2d3f4 |
        | 0x8fedcba987654321 | 70102    | 0x7fe3d2c1 |
      And CQ "send_cq" gains these CQEs:
        | wr_id              |
        | 0xf123456789abcde0 |
        | 0xf123456789abcde1 |

    @needs.uc
    Scenario: The immediates of the work with immediate of a UC QP
      Given connected UC QPs:
        | QP     | send CQ | receive CQ | access                  |
        | client | send_cq |            |                         |
        | server |         | recv_cq    | IBV_ACCESS_REMOTE_WRITE |
      And memory "long" of 70400 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "room" of 70400 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ
      And these receives are posted on QP "server":
        | wr_id              | memory |
        | 0x8fedcba987654320 | room   |
        | 0x8fedcba987654321 | room   |
      When QP "client" posts these sends:
        | wr_id              | opcode                     | memory | bytes | remote | imm_data   |
        | 0xf123456789abcde0 | IBV_WR_SEND_WITH_IMM       | long   | 70001 |        | 0x81c2d3f4 |
        | 0xf123456789abcde1 | IBV_WR_RDMA_WRITE_WITH_IMM | long   | 70102 | room   | 0x7fe3d2c1 |
      Then CQ "recv_cq" gains these CQEs:
        | wr_id              | byte_len | imm_data   |
        | 0x8fedcba987654320 | 70001    | 0x81c2d3f4 |
        | 0x8fedcba987654321 | 70102    | 0x7fe3d2c1 |
      And CQ "send_cq" gains these CQEs:
        | wr_id              |
        | 0xf123456789abcde0 |
        | 0xf123456789abcde1 |

    @needs.datagrams
    Scenario: The immediates of the work with immediate of a UD QP
      Given connected UD QPs:
        | QP     | send CQ | receive CQ |
        | client | send_cq |            |
        | server |         | recv_cq    |
      And memory "long" of 1000 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "room" of 1000 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ
      And these receives are posted on QP "server":
        | wr_id              | memory |
        | 0x8fedcba987654320 | room   |
      When QP "client" posts these sends:
        | wr_id              | opcode               | memory | bytes | imm_data   |
        | 0xf123456789abcde0 | IBV_WR_SEND_WITH_IMM | long   | 601   | 0x81c2d3f4 |
      Then CQ "recv_cq" gains these CQEs:
        | wr_id              | byte_len | imm_data   |
        | 0x8fedcba987654320 | 641      | 0x81c2d3f4 |
      And CQ "send_cq" gains these CQEs:
        | wr_id              |
        | 0xf123456789abcde0 |

    @needs.srq
    Scenario: The immediates of the messages with immediate that take a receive of an SRQ
      Given an SRQ "srq"
      And connected RC QPs:
        | QP     | send CQ | receive CQ | SRQ | access                                            |
        | client | send_cq |            |     |                                                   |
        | server |         | recv_cq    | srq | IBV_ACCESS_REMOTE_WRITE \| IBV_ACCESS_REMOTE_READ |
      And memory "long" of 70400 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "room" of 70400 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ
      And these receives are posted on SRQ "srq":
        | wr_id              | memory |
        | 0x8fedcba987654320 | room   |
        | 0x8fedcba987654321 | room   |
      When QP "client" posts these sends:
        | wr_id              | opcode                     | memory | bytes | remote | imm_data   |
        | 0xf123456789abcde0 | IBV_WR_SEND_WITH_IMM       | long   | 70001 |        | 0x81c2d3f4 |
        | 0xf123456789abcde1 | IBV_WR_RDMA_WRITE_WITH_IMM | long   | 70102 | room   | 0x7fe3d2c1 |
      Then CQ "recv_cq" gains these CQEs:
        | wr_id              | byte_len | imm_data   |
        | 0x8fedcba987654320 | 70001    | 0x81c2d3f4 |
        | 0x8fedcba987654321 | 70102    | 0x7fe3d2c1 |
      And CQ "send_cq" gains these CQEs:
        | wr_id              |
        | 0xf123456789abcde0 |
        | 0xf123456789abcde1 |

    Scenario: A message that waits for its receive keeps its immediate
      When QP "requester" posts these sends:
        | opcode               | imm_data   |
        | IBV_WR_SEND_WITH_IMM | 0x01020304 |
      And a moment passes
      And 1 receive is posted on QP "responder"
      Then CQ "recv_cq" gains these CQEs:
        | imm_data   |
        | 0x01020304 |

  @ibv_poll_cq.field-invalidated-rkey
  Rule: invalidated_rkey is the receiver's R_Key that the message invalidated

    @needs.memory-windows @needs.send-with-invalidate
    Scenario: Of two memory windows it names the one that the sender chose
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And memory window "first" onto memory "target", bound by QP "responder" with IBV_ACCESS_REMOTE_WRITE
      And memory window "second" onto memory "target", bound by QP "responder" with IBV_ACCESS_REMOTE_WRITE
      And 2 receives posted on QP "responder"
      When QP "requester" posts these sends:
        | opcode               | invalidates |
        | IBV_WR_SEND_WITH_INV | second      |
        | IBV_WR_SEND_WITH_INV | first       |
      Then CQ "recv_cq" gains these CQEs:
        | invalidated_rkey       |
        | memory window "second" |
        | memory window "first"  |

    @needs.memory-windows @needs.srq @needs.send-with-invalidate
    Scenario: A message that invalidates is whole on an SRQ too
      Given an SRQ "srq"
      And connected RC QPs:
        | QP     | send CQ | receive CQ | SRQ |
        | client | send_cq |            |     |
        | server |         | recv_cq    | srq |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And memory "long" of 70001 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "room" of 70001 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory window "window" onto memory "target", bound by QP "server" with IBV_ACCESS_REMOTE_WRITE
      And these receives are posted on SRQ "srq":
        | wr_id              | memory |
        | 0x8fedcba987654320 | room   |
        | 0x8fedcba987654321 | room   |
      When QP "client" posts these sends:
        | wr_id              | opcode               | memory | invalidates |
        | 0xf123456789abcde0 | IBV_WR_SEND_WITH_INV | long   | window      |
        | 0xf123456789abcde1 | IBV_WR_SEND          |        |             |
      Then CQ "recv_cq" gains these CQEs:
        | wr_id              | status         | opcode      | byte_len | qp_num      | invalidated_rkey       |
        | 0x8fedcba987654320 | IBV_WC_SUCCESS | IBV_WC_RECV | 70001    | QP "server" | memory window "window" |
        | 0x8fedcba987654321 | IBV_WC_SUCCESS | IBV_WC_RECV | 16       | QP "server" |                        |

  @ibv_poll_cq.field-imm-inv-union @ibv_poll_cq.flag-inv-excludes-imm
  Rule: A CQE has an immediate or an invalidated R_Key, never both

    That the two members lie in one place is the C compiler's affair; that a CQE claims one of them alone is the
    provider's.

    @needs.memory-windows @needs.send-with-invalidate
    Scenario: Messages with an immediate and with an invalidation take turns
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And memory window "first" onto memory "target", bound by QP "responder" with IBV_ACCESS_REMOTE_WRITE
      And memory window "second" onto memory "target", bound by QP "responder" with IBV_ACCESS_REMOTE_WRITE
      And 3 receives posted on QP "responder"
      When QP "requester" posts these sends:
        | opcode               | imm_data   | invalidates |
        | IBV_WR_SEND_WITH_INV |            | first       |
        | IBV_WR_SEND_WITH_IMM | 0x01020304 |             |
        | IBV_WR_SEND_WITH_INV |            | second      |
      Then CQ "recv_cq" gains these CQEs:
        | invalidated_rkey       | IBV_WC_WITH_IMM | imm_data   | IBV_WC_WITH_INV |
        | memory window "first"  | clear           |            |                 |
        |                        |                 | 0x01020304 | clear           |
        | memory window "second" | clear           |            |                 |

    @needs.memory-windows @needs.srq @needs.send-with-invalidate
    Scenario: The receive of an invalidation on an SRQ has no immediate
      Given an SRQ "srq"
      And connected RC QPs:
        | QP     | send CQ | receive CQ | SRQ |
        | client | send_cq |            |     |
        | server |         | recv_cq    | srq |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And memory window "window" onto memory "target", bound by QP "server" with IBV_ACCESS_REMOTE_WRITE
      And 1 receive posted on SRQ "srq"
      When QP "client" posts these sends:
        | opcode               | invalidates |
        | IBV_WR_SEND_WITH_INV | window      |
      Then CQ "recv_cq" gains these CQEs:
        | IBV_WC_WITH_IMM | invalidated_rkey       |
        | clear           | memory window "window" |

  @ibv_poll_cq.field-qp-num
  Rule: qp_num is the number of the local QP whose work has ended

    Scenario: QPs that share their CQs are told apart
      Given connected RC QPs:
        | QP     | send CQ | receive CQ |
        | client | send_cq |            |
        | server |         | recv_cq    |
      And 1 receive posted on QP "responder"
      And 1 receive posted on QP "server"
      When QP "client" sends 1 unsolicited message
      Then CQ "send_cq" gains these CQEs:
        | qp_num      |
        | QP "client" |
      And CQ "recv_cq" gains these CQEs:
        | qp_num      |
        | QP "server" |
      When QP "requester" sends 1 unsolicited message
      Then CQ "send_cq" gains these CQEs:
        | qp_num         |
        | QP "requester" |
      And CQ "recv_cq" gains these CQEs:
        | qp_num         |
        | QP "responder" |

    Scenario: Sends and receives of one QP carry the same number
      Given a CQ "shared_cq"
      And connected RC QPs:
        | QP     | send CQ   | receive CQ |
        | client | shared_cq | shared_cq  |
        | server |           |            |
      And 1 receive posted on QP "client"
      And 1 receive posted on QP "server"
      When QP "client" sends 1 unsolicited message
      Then CQ "shared_cq" gains these CQEs:
        | qp_num      |
        | QP "client" |
      When QP "server" sends 1 unsolicited message
      Then CQ "shared_cq" gains these CQEs:
        | qp_num      |
        | QP "client" |

    @needs.srq
    Scenario: Of the QPs of an SRQ it names the one that took the receive
      Given an SRQ "srq"
      And connected RC QPs:
        | QP     | receive CQ | SRQ |
        | client |            |     |
        | server | recv_cq    | srq |
      And connected RC QPs:
        | QP           | receive CQ | SRQ |
        | other_client |            |     |
        | other_server | recv_cq    | srq |
      And 2 receives posted on SRQ "srq"
      When QP "client" sends 1 unsolicited message
      Then CQ "recv_cq" gains these CQEs:
        | qp_num      |
        | QP "server" |
      When QP "other_client" sends 1 unsolicited message
      Then CQ "recv_cq" gains these CQEs:
        | qp_num            |
        | QP "other_server" |

    Scenario: The QPs of each kind of work of an RC QP
      Given connected RC QPs:
        | QP     | send CQ | receive CQ | access                                            |
        | client | send_cq |            |                                                   |
        | server |         | recv_cq    | IBV_ACCESS_REMOTE_WRITE \| IBV_ACCESS_REMOTE_READ |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ
      And these receives are posted on QP "server":
        | wr_id              |
        | 0x8fedcba987654320 |
        | 0x8fedcba987654321 |
        | 0x8fedcba987654322 |
      When QP "client" posts these sends:
        | wr_id              | opcode                     | remote | imm_data   |
        | 0xf123456789abcde0 | IBV_WR_SEND                |        |            |
        | 0xf123456789abcde1 | IBV_WR_SEND_WITH_IMM       |        | 0x81c2d3f4 |
        | 0xf123456789abcde2 | IBV_WR_RDMA_WRITE          | target |            |
        | 0xf123456789abcde3 | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x7fe3d2c1 |
        | 0xf123456789abcde4 | IBV_WR_RDMA_READ           | target |            |
      Then CQ "send_cq" gains these CQEs:
        | wr_id              | qp_num      |
        | 0xf123456789abcde0 | QP "client" |
        | 0xf123456789abcde1 | QP "client" |
        | 0xf123456789abcde2 | QP "client" |
        | 0xf123456789abcde3 | QP "client" |
        | 0xf123456789abcde4 | QP "client" |
      And CQ "recv_cq" gains these CQEs:
        | wr_id              | qp_num      |
        | 0x8fedcba987654320 | QP "server" |
        | 0x8fedcba987654321 | QP "server" |
        | 0x8fedcba987654322 | QP "server" |

    @needs.uc
    Scenario: The QPs of each kind of work of a UC QP
      Given connected UC QPs:
        | QP     | send CQ | receive CQ | access                  |
        | client | send_cq |            |                         |
        | server |         | recv_cq    | IBV_ACCESS_REMOTE_WRITE |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE
      And these receives are posted on QP "server":
        | wr_id              |
        | 0x8fedcba987654320 |
        | 0x8fedcba987654321 |
        | 0x8fedcba987654322 |
      When QP "client" posts these sends:
        | wr_id              | opcode                     | remote | imm_data   |
        | 0xf123456789abcde0 | IBV_WR_SEND                |        |            |
        | 0xf123456789abcde1 | IBV_WR_SEND_WITH_IMM       |        | 0x81c2d3f4 |
        | 0xf123456789abcde2 | IBV_WR_RDMA_WRITE          | target |            |
        | 0xf123456789abcde3 | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x7fe3d2c1 |
      Then CQ "send_cq" gains these CQEs:
        | wr_id              | qp_num      |
        | 0xf123456789abcde0 | QP "client" |
        | 0xf123456789abcde1 | QP "client" |
        | 0xf123456789abcde2 | QP "client" |
        | 0xf123456789abcde3 | QP "client" |
      And CQ "recv_cq" gains these CQEs:
        | wr_id              | qp_num      |
        | 0x8fedcba987654320 | QP "server" |
        | 0x8fedcba987654321 | QP "server" |
        | 0x8fedcba987654322 | QP "server" |

    @needs.datagrams
    Scenario: The QPs of each kind of work of a UD QP
      Given connected UD QPs:
        | QP     | send CQ | receive CQ |
        | client | send_cq |            |
        | server |         | recv_cq    |
      And these receives are posted on QP "server":
        | wr_id              |
        | 0x8fedcba987654320 |
        | 0x8fedcba987654321 |
      When QP "client" posts these sends:
        | wr_id              | opcode               | imm_data   |
        | 0xf123456789abcde0 | IBV_WR_SEND          |            |
        | 0xf123456789abcde1 | IBV_WR_SEND_WITH_IMM | 0x81c2d3f4 |
      Then CQ "send_cq" gains these CQEs:
        | wr_id              | qp_num      |
        | 0xf123456789abcde0 | QP "client" |
        | 0xf123456789abcde1 | QP "client" |
      And CQ "recv_cq" gains these CQEs:
        | wr_id              | qp_num      |
        | 0x8fedcba987654320 | QP "server" |
        | 0x8fedcba987654321 | QP "server" |

    @needs.srq
    Scenario: The QPs of each kind of message that takes a receive of an SRQ
      Given an SRQ "srq"
      And connected RC QPs:
        | QP     | send CQ | receive CQ | SRQ | access                                            |
        | client | send_cq |            |     |                                                   |
        | server |         | recv_cq    | srq | IBV_ACCESS_REMOTE_WRITE \| IBV_ACCESS_REMOTE_READ |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ
      And these receives are posted on SRQ "srq":
        | wr_id              |
        | 0x8fedcba987654320 |
        | 0x8fedcba987654321 |
        | 0x8fedcba987654322 |
      When QP "client" posts these sends:
        | wr_id              | opcode                     | remote | imm_data   |
        | 0xf123456789abcde0 | IBV_WR_SEND                |        |            |
        | 0xf123456789abcde1 | IBV_WR_SEND_WITH_IMM       |        | 0x81c2d3f4 |
        | 0xf123456789abcde2 | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x7fe3d2c1 |
      Then CQ "send_cq" gains these CQEs:
        | wr_id              | qp_num      |
        | 0xf123456789abcde0 | QP "client" |
        | 0xf123456789abcde1 | QP "client" |
        | 0xf123456789abcde2 | QP "client" |
      And CQ "recv_cq" gains these CQEs:
        | wr_id              | qp_num      |
        | 0x8fedcba987654320 | QP "server" |
        | 0x8fedcba987654321 | QP "server" |
        | 0x8fedcba987654322 | QP "server" |

    @needs.atomics
    Scenario: The QPs of each atomic
      Given connected RC QPs:
        | QP     | send CQ | receive CQ | access                   |
        | client | send_cq |            |                          |
        | server |         | recv_cq    | IBV_ACCESS_REMOTE_ATOMIC |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_ATOMIC
      When QP "client" posts these sends:
        | wr_id              | opcode                      | remote | bytes | compare_add | swap |
        | 0xf123456789abcde0 | IBV_WR_ATOMIC_CMP_AND_SWP   | target | 8     | 0x1         | 0x2  |
        | 0xf123456789abcde1 | IBV_WR_ATOMIC_FETCH_AND_ADD | target | 8     | 0x1         |      |
      Then CQ "send_cq" gains these CQEs:
        | wr_id              | qp_num      |
        | 0xf123456789abcde0 | QP "client" |
        | 0xf123456789abcde1 | QP "client" |

    @needs.memory-windows @needs.send-with-invalidate
    Scenario: The QPs of invalidations
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And memory window "theirs" onto memory "target", bound by QP "responder" with IBV_ACCESS_REMOTE_WRITE
      And memory "own target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And memory window "own" onto memory "own target", bound by QP "requester" with IBV_ACCESS_REMOTE_WRITE
      And these receives are posted on QP "responder":
        | wr_id              |
        | 0x8fedcba987654323 |
      When QP "requester" posts these sends:
        | wr_id              | opcode               | invalidates |
        | 0xf123456789abcde3 | IBV_WR_SEND_WITH_INV | theirs      |
        | 0xf123456789abcde4 | IBV_WR_LOCAL_INV     | own         |
      Then CQ "send_cq" gains these CQEs:
        | wr_id              | qp_num         |
        | 0xf123456789abcde3 | QP "requester" |
        | 0xf123456789abcde4 | QP "requester" |
      And CQ "recv_cq" gains these CQEs:
        | wr_id              | qp_num         |
        | 0x8fedcba987654323 | QP "responder" |

    @needs.memory-windows
    Scenario: The QP of an invalidation after the work of another QP
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And memory window "own" onto memory "target", bound by QP "requester" with IBV_ACCESS_REMOTE_WRITE
      And connected RC QPs "other" and "peer", where "other" sends on CQ "send_cq"
      And 1 receive posted on QP "peer"
      And QP "other" has sent 1 unsolicited message
      And CQ "send_cq" has been emptied of 1 CQE
      When QP "requester" posts these sends:
        | opcode           | invalidates |
        | IBV_WR_LOCAL_INV | own         |
      Then CQ "send_cq" gains these CQEs:
        | qp_num         |
        | QP "requester" |

    Scenario: The QPs of messages of no bytes, of several packets and of several scatter/gather entries
      Given connected RC QPs:
        | QP     | send CQ | receive CQ | SGEs |
        | client | send_cq |            | 2    |
        | server |         | recv_cq    | 2    |
      And memory "head" of 24 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "long" of 9000 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "front" of 8 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "room" of 9100 bytes with IBV_ACCESS_LOCAL_WRITE
      And these receives are posted on QP "server":
        | wr_id              | memory       |
        | 0x0102030405060708 | room         |
        | 0xf0e0d0c0b0a09080 | room         |
        | 0x7060504030201000 | front + room |
      When QP "client" posts these sends:
        | wr_id              | memory      |
        | 0xf1e2d3c4b5a69788 | none        |
        | 0x8797a7b7c7d7e7f7 | long        |
        | 0x1f2f3f4f5f6f7f8f | head + long |
      Then CQ "send_cq" gains these CQEs:
        | wr_id              | qp_num      |
        | 0xf1e2d3c4b5a69788 | QP "client" |
        | 0x8797a7b7c7d7e7f7 | QP "client" |
        | 0x1f2f3f4f5f6f7f8f | QP "client" |
      And CQ "recv_cq" gains these CQEs:
        | wr_id              | qp_num      |
        | 0x0102030405060708 | QP "server" |
        | 0xf0e0d0c0b0a09080 | QP "server" |
        | 0x7060504030201000 | QP "server" |

    Scenario Outline: <opcode> of two <qp_type> QPs on the same CQs tells which of them it is
      Given connected <qp_type> QPs:
        | QP      | send CQ | receive CQ | access                                            |
        | left 1  | send_cq |            |                                                   |
        | right 1 |         | recv_cq    | IBV_ACCESS_REMOTE_WRITE \| IBV_ACCESS_REMOTE_READ |
      And connected <qp_type> QPs:
        | QP      | send CQ | receive CQ | access                                            |
        | left 2  | send_cq |            |                                                   |
        | right 2 |         | recv_cq    | IBV_ACCESS_REMOTE_WRITE \| IBV_ACCESS_REMOTE_READ |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ
      And 1 receive posted on QP "right 1"
      And 1 receive posted on QP "right 2"
      When QP "left 1" posts these sends:
        | opcode   | remote   | imm_data   |
        | <opcode> | <remote> | <imm_data> |
      And CQ "send_cq" gains these CQEs:
        | qp_num      |
        | QP "left 1" |
      And QP "left 2" posts these sends:
        | opcode   | remote   | imm_data   |
        | <opcode> | <remote> | <imm_data> |
      Then CQ "send_cq" gains these CQEs:
        | qp_num      |
        | QP "left 2" |

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

    @needs.atomics
    Scenario Outline: <opcode> of two QPs on the same CQs tells which of them it is
      Given connected RC QPs:
        | QP      | send CQ | receive CQ | access                   |
        | left 1  | send_cq |            |                          |
        | right 1 |         | recv_cq    | IBV_ACCESS_REMOTE_ATOMIC |
      And connected RC QPs:
        | QP      | send CQ | receive CQ | access                   |
        | left 2  | send_cq |            |                          |
        | right 2 |         | recv_cq    | IBV_ACCESS_REMOTE_ATOMIC |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_ATOMIC
      And 1 receive posted on QP "right 1"
      And 1 receive posted on QP "right 2"
      When QP "left 1" posts these sends:
        | opcode   | remote | bytes | compare_add |
        | <opcode> | target | 8     | 0x1         |
      And CQ "send_cq" gains these CQEs:
        | qp_num      |
        | QP "left 1" |
      And QP "left 2" posts these sends:
        | opcode   | remote | bytes | compare_add |
        | <opcode> | target | 8     | 0x1         |
      Then CQ "send_cq" gains these CQEs:
        | qp_num      |
        | QP "left 2" |

      Examples:
        | opcode                      |
        | IBV_WR_ATOMIC_CMP_AND_SWP   |
        | IBV_WR_ATOMIC_FETCH_AND_ADD |

  @ibv_poll_cq.field-src-qp @ibv_poll_cq.field-src-qp-ud-only
  Rule: src_qp of a receive of a UD QP is the number of the QP that sent the message

    @needs.datagrams
    Scenario: Messages of a UD pair in both directions
      Given a CQ "back_cq"
      And connected UD QPs:
        | QP     | receive CQ |
        | client | back_cq    |
        | server | recv_cq    |
      And 1 receive posted on QP "client"
      And 1 receive posted on QP "server"
      When QP "client" sends 1 unsolicited message
      Then CQ "recv_cq" gains these CQEs:
        | src_qp      |
        | QP "client" |
      When QP "server" sends 1 unsolicited message
      Then CQ "back_cq" gains these CQEs:
        | src_qp      |
        | QP "server" |

    @needs.ud
    Scenario: Of a UD QP and an RC QP that share a CQ, the UD QP's CQE names the sender
      Given connected UD QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And 1 receive posted on QP "server"
      And 1 receive posted on QP "responder"
      When QP "requester" sends 1 unsolicited message
      Then CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS
      When QP "client" sends 1 unsolicited message
      Then CQ "recv_cq" gains these CQEs:
        | src_qp      |
        | QP "client" |

    @needs.datagrams
    Scenario: Two QPs send to one in turn
      Given connected UD QPs "left" and "right"
      And connected UD QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And 4 receives posted on QP "server"
      When QP "client" posts these sends:
        | to     |
        | server |
      Then CQ "recv_cq" gains these CQEs:
        | src_qp      |
        | QP "client" |
      When QP "left" posts these sends:
        | to     |
        | server |
      Then CQ "recv_cq" gains these CQEs:
        | src_qp    |
        | QP "left" |
      When QP "client" posts these sends:
        | to     |
        | server |
      Then CQ "recv_cq" gains these CQEs:
        | src_qp      |
        | QP "client" |

  @ibv_poll_cq.field-wc-flags
  Rule: wc_flags speaks of its own CQE and of no other

    Scenario: With and without an immediate in turn
      Given 4 receives posted on QP "responder"
      When QP "requester" posts these sends:
        | opcode               | imm_data |
        | IBV_WR_SEND          |          |
        | IBV_WR_SEND_WITH_IMM | 0x1      |
        | IBV_WR_SEND          |          |
        | IBV_WR_SEND_WITH_IMM | 0x2      |
      Then CQ "recv_cq" gains these CQEs:
        | IBV_WC_WITH_IMM |
        | clear           |
        | set             |
        | clear           |
        | set             |

    @needs.datagrams
    Scenario: Datagrams with and without an immediate in turn
      Given connected UD QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And 3 receives posted on QP "server"
      When QP "client" posts these sends:
        | opcode               | imm_data |
        | IBV_WR_SEND          |          |
        | IBV_WR_SEND_WITH_IMM | 0x1      |
        | IBV_WR_SEND          |          |
      Then CQ "recv_cq" gains these CQEs:
        | IBV_WC_WITH_IMM |
        | clear           |
        | set             |
        | clear           |

  @ibv_poll_cq.wc-flags-zero-or-or
  Rule: wc_flags holds no bits but IBV_WC_GRH, IBV_WC_WITH_IMM, IBV_WC_WITH_INV and IBV_WC_IP_CSUM_OK

    Scenario: Both ends of RC messages, with and without immediate
      Given 2 receives posted on QP "responder"
      When QP "requester" posts these sends:
        | opcode               | imm_data   |
        | IBV_WR_SEND          |            |
        | IBV_WR_SEND_WITH_IMM | 0x01020304 |
      Then CQ "recv_cq" gains these CQEs:
        | further wc_flags |
        | 0                |
        | 0                |
      And CQ "send_cq" gains these CQEs:
        | further wc_flags |
        | 0                |
        | 0                |

    @needs.datagrams
    Scenario: Both ends of UD messages, with and without immediate
      Given connected UD QPs:
        | QP     | send CQ | receive CQ |
        | client | send_cq |            |
        | server |         | recv_cq    |
      And 2 receives posted on QP "server"
      When QP "client" posts these sends:
        | opcode               | imm_data   |
        | IBV_WR_SEND          |            |
        | IBV_WR_SEND_WITH_IMM | 0x01020304 |
      Then CQ "recv_cq" gains these CQEs:
        | further wc_flags |
        | 0                |
        | 0                |
      And CQ "send_cq" gains these CQEs:
        | further wc_flags |
        | 0                |
        | 0                |

    Scenario: The flags of each kind of work of an RC QP
      Given connected RC QPs:
        | QP     | send CQ | receive CQ | access                                            |
        | client | send_cq |            |                                                   |
        | server |         | recv_cq    | IBV_ACCESS_REMOTE_WRITE \| IBV_ACCESS_REMOTE_READ |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ
      And these receives are posted on QP "server":
        | wr_id              |
        | 0x8fedcba987654320 |
        | 0x8fedcba987654321 |
        | 0x8fedcba987654322 |
      When QP "client" posts these sends:
        | wr_id              | opcode                     | remote | imm_data   |
        | 0xf123456789abcde0 | IBV_WR_SEND                |        |            |
        | 0xf123456789abcde1 | IBV_WR_SEND_WITH_IMM       |        | 0x81c2d3f4 |
        | 0xf123456789abcde2 | IBV_WR_RDMA_WRITE          | target |            |
        | 0xf123456789abcde3 | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x7fe3d2c1 |
        | 0xf123456789abcde4 | IBV_WR_RDMA_READ           | target |            |
      Then CQ "send_cq" gains these CQEs:
        | wr_id              | further wc_flags |
        | 0xf123456789abcde0 | 0                |
        | 0xf123456789abcde1 | 0                |
        | 0xf123456789abcde2 | 0                |
        | 0xf123456789abcde3 | 0                |
        | 0xf123456789abcde4 | 0                |
      And CQ "recv_cq" gains these CQEs:
        | wr_id              | IBV_WC_WITH_IMM | IBV_WC_WITH_INV | further wc_flags |
        | 0x8fedcba987654320 | clear           | clear           | 0                |
        | 0x8fedcba987654321 | set             | clear           | 0                |
        | 0x8fedcba987654322 | set             | clear           | 0                |

    @needs.uc
    Scenario: The flags of each kind of work of a UC QP
      Given connected UC QPs:
        | QP     | send CQ | receive CQ | access                  |
        | client | send_cq |            |                         |
        | server |         | recv_cq    | IBV_ACCESS_REMOTE_WRITE |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE
      And these receives are posted on QP "server":
        | wr_id              |
        | 0x8fedcba987654320 |
        | 0x8fedcba987654321 |
        | 0x8fedcba987654322 |
      When QP "client" posts these sends:
        | wr_id              | opcode                     | remote | imm_data   |
        | 0xf123456789abcde0 | IBV_WR_SEND                |        |            |
        | 0xf123456789abcde1 | IBV_WR_SEND_WITH_IMM       |        | 0x81c2d3f4 |
        | 0xf123456789abcde2 | IBV_WR_RDMA_WRITE          | target |            |
        | 0xf123456789abcde3 | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x7fe3d2c1 |
      Then CQ "send_cq" gains these CQEs:
        | wr_id              | further wc_flags |
        | 0xf123456789abcde0 | 0                |
        | 0xf123456789abcde1 | 0                |
        | 0xf123456789abcde2 | 0                |
        | 0xf123456789abcde3 | 0                |
      And CQ "recv_cq" gains these CQEs:
        | wr_id              | IBV_WC_WITH_IMM | IBV_WC_WITH_INV | further wc_flags |
        | 0x8fedcba987654320 | clear           | clear           | 0                |
        | 0x8fedcba987654321 | set             | clear           | 0                |
        | 0x8fedcba987654322 | set             | clear           | 0                |

    @needs.datagrams
    Scenario: The flags of each kind of work of a UD QP
      Given connected UD QPs:
        | QP     | send CQ | receive CQ |
        | client | send_cq |            |
        | server |         | recv_cq    |
      And these receives are posted on QP "server":
        | wr_id              |
        | 0x8fedcba987654320 |
        | 0x8fedcba987654321 |
      When QP "client" posts these sends:
        | wr_id              | opcode               | imm_data   |
        | 0xf123456789abcde0 | IBV_WR_SEND          |            |
        | 0xf123456789abcde1 | IBV_WR_SEND_WITH_IMM | 0x81c2d3f4 |
      Then CQ "send_cq" gains these CQEs:
        | wr_id              | further wc_flags |
        | 0xf123456789abcde0 | 0                |
        | 0xf123456789abcde1 | 0                |
      And CQ "recv_cq" gains these CQEs:
        | wr_id              | IBV_WC_WITH_IMM | IBV_WC_WITH_INV | further wc_flags |
        | 0x8fedcba987654320 | clear           | clear           | 0                |
        | 0x8fedcba987654321 | set             | clear           | 0                |

    @needs.srq
    Scenario: The flags of each kind of message that takes a receive of an SRQ
      Given an SRQ "srq"
      And connected RC QPs:
        | QP     | send CQ | receive CQ | SRQ | access                                            |
        | client | send_cq |            |     |                                                   |
        | server |         | recv_cq    | srq | IBV_ACCESS_REMOTE_WRITE \| IBV_ACCESS_REMOTE_READ |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ
      And these receives are posted on SRQ "srq":
        | wr_id              |
        | 0x8fedcba987654320 |
        | 0x8fedcba987654321 |
        | 0x8fedcba987654322 |
      When QP "client" posts these sends:
        | wr_id              | opcode                     | remote | imm_data   |
        | 0xf123456789abcde0 | IBV_WR_SEND                |        |            |
        | 0xf123456789abcde1 | IBV_WR_SEND_WITH_IMM       |        | 0x81c2d3f4 |
        | 0xf123456789abcde2 | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x7fe3d2c1 |
      Then CQ "send_cq" gains these CQEs:
        | wr_id              | further wc_flags |
        | 0xf123456789abcde0 | 0                |
        | 0xf123456789abcde1 | 0                |
        | 0xf123456789abcde2 | 0                |
      And CQ "recv_cq" gains these CQEs:
        | wr_id              | IBV_WC_WITH_IMM | IBV_WC_WITH_INV | further wc_flags |
        | 0x8fedcba987654320 | clear           | clear           | 0                |
        | 0x8fedcba987654321 | set             | clear           | 0                |
        | 0x8fedcba987654322 | set             | clear           | 0                |

    @needs.atomics
    Scenario: The flags of each atomic
      Given connected RC QPs:
        | QP     | send CQ | receive CQ | access                   |
        | client | send_cq |            |                          |
        | server |         | recv_cq    | IBV_ACCESS_REMOTE_ATOMIC |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_ATOMIC
      When QP "client" posts these sends:
        | wr_id              | opcode                      | remote | bytes | compare_add | swap |
        | 0xf123456789abcde0 | IBV_WR_ATOMIC_CMP_AND_SWP   | target | 8     | 0x1         | 0x2  |
        | 0xf123456789abcde1 | IBV_WR_ATOMIC_FETCH_AND_ADD | target | 8     | 0x1         |      |
      Then CQ "send_cq" gains these CQEs:
        | wr_id              | further wc_flags |
        | 0xf123456789abcde0 | 0                |
        | 0xf123456789abcde1 | 0                |

    @needs.memory-windows @needs.send-with-invalidate
    Scenario: The flags of invalidations
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And memory window "theirs" onto memory "target", bound by QP "responder" with IBV_ACCESS_REMOTE_WRITE
      And memory "own target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And memory window "own" onto memory "own target", bound by QP "requester" with IBV_ACCESS_REMOTE_WRITE
      And these receives are posted on QP "responder":
        | wr_id              |
        | 0x8fedcba987654323 |
      When QP "requester" posts these sends:
        | wr_id              | opcode               | invalidates |
        | 0xf123456789abcde3 | IBV_WR_SEND_WITH_INV | theirs      |
        | 0xf123456789abcde4 | IBV_WR_LOCAL_INV     | own         |
      Then CQ "send_cq" gains these CQEs:
        | wr_id              | further wc_flags |
        | 0xf123456789abcde3 | 0                |
        | 0xf123456789abcde4 | 0                |
      And CQ "recv_cq" gains these CQEs:
        | wr_id              | further wc_flags |
        | 0x8fedcba987654323 | 0                |

    Scenario: The flags of messages of no bytes, of several packets and of several scatter/gather entries
      Given connected RC QPs:
        | QP     | send CQ | receive CQ | SGEs |
        | client | send_cq |            | 2    |
        | server |         | recv_cq    | 2    |
      And memory "head" of 24 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "long" of 9000 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "front" of 8 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "room" of 9100 bytes with IBV_ACCESS_LOCAL_WRITE
      And these receives are posted on QP "server":
        | wr_id              | memory       |
        | 0x0102030405060708 | room         |
        | 0xf0e0d0c0b0a09080 | room         |
        | 0x7060504030201000 | front + room |
      When QP "client" posts these sends:
        | wr_id              | memory      |
        | 0xf1e2d3c4b5a69788 | none        |
        | 0x8797a7b7c7d7e7f7 | long        |
        | 0x1f2f3f4f5f6f7f8f | head + long |
      Then CQ "send_cq" gains these CQEs:
        | wr_id              | further wc_flags |
        | 0xf1e2d3c4b5a69788 | 0                |
        | 0x8797a7b7c7d7e7f7 | 0                |
        | 0x1f2f3f4f5f6f7f8f | 0                |
      And CQ "recv_cq" gains these CQEs:
        | wr_id              | IBV_WC_WITH_IMM | IBV_WC_WITH_INV | further wc_flags |
        | 0x0102030405060708 | clear           | clear           | 0                |
        | 0xf0e0d0c0b0a09080 | clear           | clear           | 0                |
        | 0x7060504030201000 | clear           | clear           | 0                |

  @ibv_poll_cq.flag-grh @ibv_poll_cq.flag-grh-ud-only
  Rule: IBV_WC_GRH is set in a receive of a UD QP whose message came with a GRH

    That the flag is clear is demanded nowhere: whether a message comes without a GRH is for the path to say, and one to
    the same port of a RoCE device never does.

    @needs.datagrams
    Scenario: A message over a global route comes with a GRH
      Given connected UD QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And 2 receives posted on QP "server"
      When QP "client" posts these sends:
        | opcode               | imm_data |
        | IBV_WR_SEND          |          |
        | IBV_WR_SEND_WITH_IMM | 0x1      |
      Then CQ "recv_cq" gains these CQEs:
        | IBV_WC_GRH |
        | set        |
        | set        |

    @needs.ud
    Scenario: Of a UD QP and an RC QP that share a CQ, the UD QP's CQE has the flag
      Given connected UD QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And 1 receive posted on QP "server"
      And 1 receive posted on QP "responder"
      When QP "requester" sends 1 unsolicited message
      Then CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS
      When QP "client" sends 1 unsolicited message
      Then CQ "recv_cq" gains these CQEs:
        | IBV_WC_GRH |
        | set        |

    @needs.datagrams
    Scenario: A message of no bytes comes with a GRH too
      Given connected UD QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And 1 receive posted on QP "server"
      When QP "client" posts these sends:
        | memory |
        | none   |
      Then CQ "recv_cq" gains these CQEs:
        | IBV_WC_GRH |
        | set        |

  @ibv_poll_cq.flag-with-imm
  Rule: IBV_WC_WITH_IMM is set where imm_data is the immediate of a message, and nowhere else

    An immediate is what a receive gets. The page does not say what the flag means on the CQE of a send, where providers
    set it beside an imm_data that they leave alone; nothing is demanded there.

    Scenario: Receives of an RC QP
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE
      And 3 receives posted on QP "responder"
      When QP "requester" posts these sends:
        | opcode                     | remote | imm_data   |
        | IBV_WR_SEND_WITH_IMM       |        | 0x01020304 |
        | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x05060708 |
        | IBV_WR_SEND                |        |            |
      Then CQ "recv_cq" gains these CQEs:
        | IBV_WC_WITH_IMM | imm_data   |
        | set             | 0x01020304 |
        | set             | 0x05060708 |
        | clear           |            |

    @needs.uc
    Scenario: Receives of a UC QP
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE
      And connected UC QPs:
        | QP     | receive CQ | access                  |
        | client |            |                         |
        | server | recv_cq    | IBV_ACCESS_REMOTE_WRITE |
      And 3 receives posted on QP "server"
      When QP "client" posts these sends:
        | opcode                     | remote | imm_data   |
        | IBV_WR_SEND_WITH_IMM       |        | 0x01020304 |
        | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x05060708 |
        | IBV_WR_SEND                |        |            |
      Then CQ "recv_cq" gains these CQEs:
        | IBV_WC_WITH_IMM | imm_data   |
        | set             | 0x01020304 |
        | set             | 0x05060708 |
        | clear           |            |

    @needs.datagrams
    Scenario: Receives of a UD QP
      Given connected UD QPs "client" and "server", where "server" receives on CQ "recv_cq"
      And 2 receives posted on QP "server"
      When QP "client" posts these sends:
        | opcode               | imm_data   |
        | IBV_WR_SEND_WITH_IMM | 0x01020304 |
        | IBV_WR_SEND          |            |
      Then CQ "recv_cq" gains these CQEs:
        | IBV_WC_WITH_IMM | imm_data   |
        | set             | 0x01020304 |
        | clear           |            |

    Scenario: An immediate of 0 is an immediate
      Given 1 receive posted on QP "responder"
      When QP "requester" posts these sends:
        | opcode               | imm_data |
        | IBV_WR_SEND_WITH_IMM | 0x0      |
      Then CQ "recv_cq" gains these CQEs:
        | IBV_WC_WITH_IMM | imm_data |
        | set             | 0x0      |

  @ibv_poll_cq.flag-with-inv
  Rule: IBV_WC_WITH_INV is set where invalidated_rkey is an R_Key that a message invalidated, and nowhere else

    @needs.memory-windows @needs.send-with-invalidate
    Scenario: A message with an invalidation and one without
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And memory window "window" onto memory "target", bound by QP "responder" with IBV_ACCESS_REMOTE_WRITE
      And 2 receives posted on QP "responder"
      When QP "requester" posts these sends:
        | opcode               | invalidates |
        | IBV_WR_SEND_WITH_INV | window      |
        | IBV_WR_SEND          |             |
      Then CQ "recv_cq" gains these CQEs:
        | IBV_WC_WITH_INV | invalidated_rkey       |
        | set             | memory window "window" |
        | clear           |                        |

    @needs.memory-windows @needs.srq @needs.send-with-invalidate
    Scenario: A message with an invalidation and one without, on an SRQ
      Given an SRQ "srq"
      And connected RC QPs:
        | QP     | send CQ | receive CQ | SRQ |
        | client | send_cq |            |     |
        | server |         | recv_cq    | srq |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And memory window "window" onto memory "target", bound by QP "server" with IBV_ACCESS_REMOTE_WRITE
      And 2 receives posted on SRQ "srq"
      When QP "client" posts these sends:
        | opcode               | invalidates |
        | IBV_WR_SEND_WITH_INV | window      |
        | IBV_WR_SEND          |             |
      Then CQ "recv_cq" gains these CQEs:
        | IBV_WC_WITH_INV | invalidated_rkey       |
        | set             | memory window "window" |
        | clear           |                        |

  @ibv_poll_cq.error-valid-wr-id
  Rule: wr_id of a failed CQE is that of the work request that failed

    Scenario: A send that fails, and those that were posted after it
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ
      When QP "requester" posts these sends:
        | wr_id              | opcode            | remote |
        | 0xfedcba9876543210 | IBV_WR_RDMA_WRITE | target |
        | 0x2                | IBV_WR_RDMA_READ  | target |
        | 0xffffffffffffffff | IBV_WR_RDMA_READ  | target |
      Then CQ "send_cq" gains these CQEs:
        | wr_id              | status             |
        | 0xfedcba9876543210 | not IBV_WC_SUCCESS |
        | 0x2                | not IBV_WC_SUCCESS |
        | 0xffffffffffffffff | not IBV_WC_SUCCESS |

    Scenario: A receive that fails, and those that were posted after it
      Given these receives are posted on QP "responder":
        | wr_id              | bytes |
        | 0xfedcba9876543210 | 128   |
        | 0x2                | 64    |
        | 0xffffffffffffffff | 64    |
      When QP "requester" posts these sends:
        | bytes |
        | 256   |
      Then CQ "recv_cq" gains these CQEs:
        | wr_id              | status             |
        | 0xfedcba9876543210 | not IBV_WC_SUCCESS |
        | 0x2                | not IBV_WC_SUCCESS |
        | 0xffffffffffffffff | not IBV_WC_SUCCESS |

    Scenario: Unsignaled sends make a CQE when they fail
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ
      When QP "requester" posts these sends:
        | wr_id | opcode            | remote | send_flags |
        | 0x1   | IBV_WR_RDMA_READ  | target | 0          |
        | 0x2   | IBV_WR_RDMA_WRITE | target | 0          |
        | 0x3   | IBV_WR_RDMA_READ  | target | 0          |
      Then CQ "send_cq" gains these CQEs:
        | wr_id | status             |
        | 0x2   | not IBV_WC_SUCCESS |
        | 0x3   | not IBV_WC_SUCCESS |
      And CQ "send_cq" is empty

    Scenario: The identifiers of a send from memory of another PD
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | near_cq |            |
        | right |         | far_cq     |
      And memory "foreign" of 64 bytes in another PD, with IBV_ACCESS_LOCAL_WRITE
      When QP "left" posts these sends:
        | wr_id              | memory  |
        | 0xfedcba9876543210 | foreign |
      Then CQ "near_cq" gains these CQEs:
        | wr_id              | status             |
        | 0xfedcba9876543210 | not IBV_WC_SUCCESS |

    Scenario: The identifiers of a message that is too long, and of its receive
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | near_cq |            |
        | right |         | far_cq     |
      And these receives are posted on QP "right":
        | wr_id              | bytes |
        | 0x0123456789abcdef | 255   |
      When QP "left" posts these sends:
        | wr_id              | bytes |
        | 0xfedcba9876543210 | 256   |
      Then CQ "near_cq" gains these CQEs:
        | wr_id              | status             |
        | 0xfedcba9876543210 | not IBV_WC_SUCCESS |
      And CQ "far_cq" gains these CQEs:
        | wr_id              | status             |
        | 0x0123456789abcdef | not IBV_WC_SUCCESS |

    Scenario: The identifiers of a message whose receive must not be written, and of that receive
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
      When QP "left" posts these sends:
        | wr_id              | bytes |
        | 0xfedcba9876543210 | 256   |
      Then CQ "near_cq" gains these CQEs:
        | wr_id              | status             |
        | 0xfedcba9876543210 | not IBV_WC_SUCCESS |
      And CQ "far_cq" gains these CQEs:
        | wr_id              | status             |
        | 0x0123456789abcdef | not IBV_WC_SUCCESS |

    Scenario: The identifiers of a write that the peer does not allow
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | near_cq |            |
        | right |         | far_cq     |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE
      When QP "left" posts these sends:
        | wr_id              | opcode            | remote |
        | 0xfedcba9876543210 | IBV_WR_RDMA_WRITE | target |
      Then CQ "near_cq" gains these CQEs:
        | wr_id              | status             |
        | 0xfedcba9876543210 | not IBV_WC_SUCCESS |

    Scenario: The identifiers of a send whose peer does not answer, after the work of another QP
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ | timeout | retry_cnt |
        | left  | near_cq |            | 14      | 2         |
        | right |         | far_cq     |         |           |
      And connected RC QPs "other" and "peer", where "other" sends on CQ "near_cq"
      And 1 receive posted on QP "peer"
      And QP "other" has sent 1 unsolicited message
      And CQ "near_cq" has been emptied of 1 CQE
      And QP "right" is moved to IBV_QPS_RESET
      When QP "left" posts these sends:
        | wr_id              | bytes |
        | 0xfedcba9876543210 | 16    |
      Then CQ "near_cq" gains these CQEs:
        | wr_id              | status             |
        | 0xfedcba9876543210 | not IBV_WC_SUCCESS |

    Scenario: The identifiers of a send for which its peer has no receive, after the work of another QP
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ | rnr_retry |
        | left  | near_cq |            | 1         |
        | right |         | far_cq     |           |
      And connected RC QPs "other" and "peer", where "other" sends on CQ "near_cq"
      And 1 receive posted on QP "peer"
      And QP "other" has sent 1 unsolicited message
      And CQ "near_cq" has been emptied of 1 CQE
      When QP "left" posts these sends:
        | wr_id              | bytes |
        | 0xfedcba9876543210 | 16    |
      Then CQ "near_cq" gains these CQEs:
        | wr_id              | status             |
        | 0xfedcba9876543210 | not IBV_WC_SUCCESS |

    Scenario: The identifiers of sends and receives that are flushed
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | near_cq |            |
        | right |         | far_cq     |
      And these receives are posted on QP "right":
        | wr_id              |
        | 0x0123456789abcdef |
      And QP "left" is moved to IBV_QPS_ERR
      And QP "right" is moved to IBV_QPS_ERR
      When QP "left" posts these sends:
        | wr_id              | bytes |
        | 0xfedcba9876543210 | 16    |
      Then CQ "near_cq" gains these CQEs:
        | wr_id              | status             |
        | 0xfedcba9876543210 | not IBV_WC_SUCCESS |
      And CQ "far_cq" gains these CQEs:
        | wr_id              | status             |
        | 0x0123456789abcdef | not IBV_WC_SUCCESS |

    Scenario Outline: The identifier of <opcode> that the peer does not allow
      Given a CQ "near_cq"
      And memory "closed" of 64 bytes with IBV_ACCESS_LOCAL_WRITE
      And connected RC QPs:
        | QP    | send CQ | access                                            |
        | left  | near_cq |                                                   |
        | right |         | IBV_ACCESS_REMOTE_WRITE \| IBV_ACCESS_REMOTE_READ |
      When QP "left" posts these sends:
        | wr_id              | opcode   | bytes   | remote | compare_add   |
        | 0xfedcba9876543210 | <opcode> | <bytes> | closed | <compare_add> |
      Then CQ "near_cq" gains these CQEs:
        | wr_id              | status             |
        | 0xfedcba9876543210 | not IBV_WC_SUCCESS |

      Examples:
        | opcode                     | bytes | compare_add |
        | IBV_WR_RDMA_WRITE          | 16    |             |
        | IBV_WR_RDMA_READ           | 16    |             |

      @needs.atomics
      Examples: on a device that has atomics
        | opcode                      | bytes | compare_add |
        | IBV_WR_ATOMIC_FETCH_AND_ADD | 8     | 0x1         |
        | IBV_WR_ATOMIC_CMP_AND_SWP   | 8     | 0x1         |

    Scenario Outline: The identifiers of a failed send and of a flushed receive of <qp_type> QPs
      Given a CQ "near_cq"
      And a CQ "far_cq"
      And connected <qp_type> QPs:
        | QP    | send CQ | receive CQ |
        | left  | near_cq |            |
        | right |         | far_cq     |
      And memory "foreign" of 64 bytes in another PD, with IBV_ACCESS_LOCAL_WRITE
      And these receives are posted on QP "right":
        | wr_id              |
        | 0x0123456789abcdef |
      When QP "left" posts these sends:
        | wr_id              | memory  |
        | 0xfedcba9876543210 | foreign |
      Then CQ "near_cq" gains these CQEs:
        | wr_id              | status             |
        | 0xfedcba9876543210 | not IBV_WC_SUCCESS |
      When QP "right" is moved to IBV_QPS_ERR
      Then CQ "far_cq" gains these CQEs:
        | wr_id              | status             |
        | 0x0123456789abcdef | not IBV_WC_SUCCESS |

      @needs.uc
      Examples: of UC QPs
        | qp_type |
        | UC      |

      @needs.ud
      Examples: of UD QPs
        | qp_type |
        | UD      |

    @needs.srq
    Scenario: The identifier of a receive of an SRQ that is too short
      Given a CQ "far_cq"
      And an SRQ "srq"
      And connected RC QPs:
        | QP    | receive CQ | SRQ |
        | left  |            |     |
        | right | far_cq     | srq |
      And these receives are posted on SRQ "srq":
        | wr_id              | bytes |
        | 0x0123456789abcdef | 255   |
      When QP "left" posts these sends:
        | bytes |
        | 256   |
      Then CQ "far_cq" gains these CQEs:
        | wr_id              | status             |
        | 0x0123456789abcdef | not IBV_WC_SUCCESS |

  @ibv_poll_cq.error-valid-status
  Rule: status of a failed CQE tells what went wrong

    The page says that the member is valid and leaves it to the InfiniBand Architecture Specification, 11.6.2, which
    status belongs to which error.

    Not provoked here are the statuses of other transports (IBV_WC_LOC_EEC_OP_ERR, _LOC_RDD_VIOL_ERR,
    _REM_INV_RD_REQ_ERR, _REM_ABORT_ERR, _INV_EECN_ERR, _INV_EEC_STATE_ERR), those of tag matching (IBV_WC_TM_*), those
    of broken devices and peers (IBV_WC_LOC_QP_OP_ERR, _BAD_RESP_ERR, _FATAL_ERR, _RESP_TIMEOUT_ERR, _GENERAL_ERR), and
    IBV_WC_LOC_ACCESS_ERR: no page says that a write with immediate takes a receive when it is refused.

    Scenario: IBV_WC_LOC_LEN_ERR: the message is longer than the buffer of the receive
      Given these receives are posted on QP "responder":
        | bytes |
        | 255   |
      When QP "requester" posts these sends:
        | bytes |
        | 256   |
      Then CQ "recv_cq" gains 1 CQE with status IBV_WC_LOC_LEN_ERR

    Scenario: IBV_WC_LOC_LEN_ERR: a message that may come within the CQE is longer than the buffer
      Given these receives are posted on QP "responder":
        | bytes |
        | 9     |
      When QP "requester" posts these sends:
        | bytes |
        | 16    |
      Then CQ "recv_cq" gains 1 CQE with status IBV_WC_LOC_LEN_ERR

    Scenario: IBV_WC_REM_INV_REQ_ERR: the message was longer than the buffer of the peer's receive
      Given these receives are posted on QP "responder":
        | bytes |
        | 255   |
      When QP "requester" posts these sends:
        | bytes |
        | 256   |
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_REM_INV_REQ_ERR

    Scenario: IBV_WC_LOC_PROT_ERR: a message lies in memory of another PD
      When QP "requester" sends 1 unsolicited message from memory of another PD
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_LOC_PROT_ERR

    @needs.uc
    Scenario: IBV_WC_LOC_PROT_ERR: a UC message lies in memory of another PD
      Given connected UC QPs "client" and "server", where "client" sends on CQ "send_cq"
      When QP "client" sends 1 unsolicited message from memory of another PD
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_LOC_PROT_ERR

    @needs.datagrams
    Scenario: IBV_WC_LOC_PROT_ERR: a UD message lies in memory of another PD
      Given connected UD QPs "client" and "server", where "client" sends on CQ "send_cq"
      When QP "client" sends 1 unsolicited message from memory of another PD
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_LOC_PROT_ERR

    Scenario: IBV_WC_LOC_PROT_ERR: a message lies in memory that has been deregistered
      Given memory "source" of 64 bytes with IBV_ACCESS_LOCAL_WRITE
      And memory "source" is deregistered
      When QP "requester" posts these sends:
        | memory |
        | source |
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_LOC_PROT_ERR

    Scenario: IBV_WC_LOC_PROT_ERR: an RDMA read goes to memory that must not be written
      Given memory "target" of 512 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ
      And memory "read_only" of 512 bytes with IBV_ACCESS_REMOTE_READ
      When QP "requester" posts these sends:
        | opcode           | memory    | remote |
        | IBV_WR_RDMA_READ | read_only | target |
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_LOC_PROT_ERR

    Scenario: IBV_WC_LOC_PROT_ERR: a receive names memory that must not be written
      Given memory "read_only" of 512 bytes with IBV_ACCESS_REMOTE_READ
      And these receives are posted on QP "responder":
        | memory    |
        | read_only |
      When QP "requester" posts these sends:
        | bytes |
        | 256   |
      Then CQ "recv_cq" gains 1 CQE with status IBV_WC_LOC_PROT_ERR

    Scenario: IBV_WC_REM_OP_ERR: the peer's receive names memory that must not be written
      Given memory "read_only" of 512 bytes with IBV_ACCESS_REMOTE_READ
      And these receives are posted on QP "responder":
        | memory    |
        | read_only |
      When QP "requester" posts these sends:
        | bytes |
        | 256   |
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_REM_OP_ERR

    Scenario: IBV_WC_REM_ACCESS_ERR: a write to memory that peers must not write
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ
      When QP "requester" posts these sends:
        | opcode            | remote |
        | IBV_WR_RDMA_WRITE | target |
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_REM_ACCESS_ERR

    Scenario: IBV_WC_REM_ACCESS_ERR: a read of memory that peers must not read
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE
      When QP "requester" posts these sends:
        | opcode           | remote |
        | IBV_WR_RDMA_READ | target |
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_REM_ACCESS_ERR

    Scenario: IBV_WC_REM_ACCESS_ERR: a write beyond the end of the peer's memory
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE
      When QP "requester" posts these sends:
        | wr_id | opcode            | bytes | remote |
        | 0x1   | IBV_WR_RDMA_WRITE | 64    | target |
        | 0x2   | IBV_WR_RDMA_WRITE | 65    | target |
      Then CQ "send_cq" gains these CQEs:
        | wr_id | status                |
        | 0x1   | IBV_WC_SUCCESS        |
        | 0x2   | IBV_WC_REM_ACCESS_ERR |

    Scenario: IBV_WC_REM_ACCESS_ERR: a write that begins before the peer's memory
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE
      When QP "requester" posts these sends:
        | opcode            | bytes | remote | remote_offset |
        | IBV_WR_RDMA_WRITE | 16    | target | -8            |
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_REM_ACCESS_ERR

    Scenario: IBV_WC_REM_ACCESS_ERR: a write to memory of another PD than that of the peer
      Given memory "target" of 64 bytes in another PD, with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE
      When QP "requester" posts these sends:
        | opcode            | remote |
        | IBV_WR_RDMA_WRITE | target |
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_REM_ACCESS_ERR

    Scenario: IBV_WC_REM_ACCESS_ERR: a write to memory that has been deregistered
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE
      And memory "target" is deregistered
      When QP "requester" posts these sends:
        | opcode            | remote |
        | IBV_WR_RDMA_WRITE | target |
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_REM_ACCESS_ERR

    @needs.atomics
    Scenario: IBV_WC_REM_ACCESS_ERR: an atomic on memory that peers must not change so
      Given memory "target" of 8 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE
      And connected RC QPs:
        | QP     | send CQ | access                   |
        | client | send_cq |                          |
        | server |         | IBV_ACCESS_REMOTE_ATOMIC |
      When QP "client" posts these sends:
        | opcode                      | bytes | remote | compare_add |
        | IBV_WR_ATOMIC_FETCH_AND_ADD | 8     | target | 0x1         |
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_REM_ACCESS_ERR

    @needs.memory-windows @needs.send-with-invalidate
    Scenario: IBV_WC_REM_ACCESS_ERR: a write by an R_Key that has been invalidated
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And memory window "window" onto memory "target", bound by QP "responder" with IBV_ACCESS_REMOTE_WRITE
      And 1 receive posted on QP "responder"
      When QP "requester" posts these sends:
        | wr_id | opcode               | remote | invalidates |
        | 0x1   | IBV_WR_RDMA_WRITE    | window |             |
        | 0x2   | IBV_WR_SEND_WITH_INV |        | window      |
        | 0x3   | IBV_WR_RDMA_WRITE    | window |             |
      Then CQ "send_cq" gains these CQEs:
        | wr_id | status                |
        | 0x1   | IBV_WC_SUCCESS        |
        | 0x2   | IBV_WC_SUCCESS        |
        | 0x3   | IBV_WC_REM_ACCESS_ERR |

    @needs.memory-windows
    Scenario: IBV_WC_REM_ACCESS_ERR: a write by the R_Key that a window had before it was bound
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And memory window "window" onto memory "target", bound by QP "responder" with IBV_ACCESS_REMOTE_WRITE
      When QP "requester" posts these sends:
        | wr_id | opcode            | remote | rkey         |
        | 0x1   | IBV_WR_RDMA_WRITE | window |              |
        | 0x2   | IBV_WR_RDMA_WRITE | window | as allocated |
      Then CQ "send_cq" gains these CQEs:
        | wr_id | status                |
        | 0x1   | IBV_WC_SUCCESS        |
        | 0x2   | IBV_WC_REM_ACCESS_ERR |

    @needs.memory-windows
    Scenario: IBV_WC_REM_ACCESS_ERR: a write through a window that another QP bound than the peer
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And memory window "window" onto memory "target", bound by QP "responder" with IBV_ACCESS_REMOTE_WRITE
      And connected RC QPs:
        | QP     | send CQ | access                  |
        | client | send_cq |                         |
        | server |         | IBV_ACCESS_REMOTE_WRITE |
      When QP "requester" posts these sends:
        | opcode            | remote |
        | IBV_WR_RDMA_WRITE | window |
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_SUCCESS
      When QP "client" posts these sends:
        | opcode            | remote |
        | IBV_WR_RDMA_WRITE | window |
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_REM_ACCESS_ERR

    @needs.memory-windows
    Scenario: IBV_WC_REM_ACCESS_ERR: a write through a window that was bound for reading
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_MW_BIND
      And memory window "window" onto memory "target", bound by QP "responder" with IBV_ACCESS_REMOTE_READ
      When QP "requester" posts these sends:
        | wr_id | opcode            | remote |
        | 0x1   | IBV_WR_RDMA_READ  | window |
        | 0x2   | IBV_WR_RDMA_WRITE | window |
      Then CQ "send_cq" gains these CQEs:
        | wr_id | status                |
        | 0x1   | IBV_WC_SUCCESS        |
        | 0x2   | IBV_WC_REM_ACCESS_ERR |

    @needs.memory-windows
    Scenario: IBV_WC_REM_ACCESS_ERR: a write through a window that has been deallocated
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And memory window "window" onto memory "target", bound by QP "responder" with IBV_ACCESS_REMOTE_WRITE
      When QP "requester" posts these sends:
        | opcode            | remote |
        | IBV_WR_RDMA_WRITE | window |
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_SUCCESS
      When memory window "window" is deallocated
      And QP "requester" posts these sends:
        | opcode            | remote |
        | IBV_WR_RDMA_WRITE | window |
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_REM_ACCESS_ERR

    @needs.memory-windows
    Scenario: IBV_WC_REM_ACCESS_ERR: a write beyond the end of a window
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And memory window "window" onto 32 bytes of memory "target" from byte 16 on, bound by QP "responder" with IBV_ACCESS_REMOTE_WRITE
      When QP "requester" posts these sends:
        | wr_id | opcode            | bytes | remote |
        | 0x1   | IBV_WR_RDMA_WRITE | 32    | window |
        | 0x2   | IBV_WR_RDMA_WRITE | 33    | window |
      Then CQ "send_cq" gains these CQEs:
        | wr_id | status                |
        | 0x1   | IBV_WC_SUCCESS        |
        | 0x2   | IBV_WC_REM_ACCESS_ERR |

    @needs.memory-windows
    Scenario: IBV_WC_REM_ACCESS_ERR: a write that begins before a window
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND
      And memory window "window" onto 32 bytes of memory "target" from byte 16 on, bound by QP "responder" with IBV_ACCESS_REMOTE_WRITE
      When QP "requester" posts these sends:
        | opcode            | bytes | remote | remote_offset |
        | IBV_WR_RDMA_WRITE | 16    | window | -8            |
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_REM_ACCESS_ERR

    # A provider may see what is wrong and refuse to post the binding.
    @needs.memory-windows
    Scenario: IBV_WC_MW_BIND_ERR: a window onto memory that takes none
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE
      Then binding memory window "window" onto memory "target" by QP "requester" with IBV_ACCESS_REMOTE_WRITE is refused, or CQ "send_cq" gains 1 CQE with status IBV_WC_MW_BIND_ERR

    Scenario: IBV_WC_RETRY_EXC_ERR: the peer does not answer any more
      Given connected RC QPs:
        | QP     | send CQ | timeout | retry_cnt |
        | client | send_cq | 14      | 2         |
        | server |         |         |           |
      And QP "server" is moved to IBV_QPS_RESET
      When QP "client" sends 1 unsolicited message
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_RETRY_EXC_ERR

    Scenario: IBV_WC_RETRY_EXC_ERR: the peer is reset while the message waits for a receive
      Given connected RC QPs:
        | QP     | send CQ | timeout | retry_cnt | rnr_retry |
        | client | send_cq | 17      | 2         | 7         |
        | server |         |         |           |           |
      And QP "client" has sent 1 unsolicited message
      And CQ "send_cq" is empty
      When QP "server" is moved to IBV_QPS_RESET
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_RETRY_EXC_ERR

    Scenario: IBV_WC_RETRY_EXC_ERR: the peer has gone to the error state
      Given connected RC QPs:
        | QP     | send CQ | timeout | retry_cnt |
        | client | send_cq | 14      | 2         |
        | server |         |         |           |
      And QP "server" is moved to IBV_QPS_ERR
      When QP "client" sends 1 unsolicited message
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_RETRY_EXC_ERR

    Scenario: IBV_WC_RETRY_EXC_ERR: the peer has been destroyed
      Given connected RC QPs:
        | QP     | send CQ | timeout | retry_cnt |
        | client | send_cq | 14      | 2         |
        | server |         |         |           |
      And destroying QP "server" succeeds
      When QP "client" sends 1 unsolicited message
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_RETRY_EXC_ERR

    Scenario: IBV_WC_RETRY_EXC_ERR: the peer has never been brought up
      Given connected RC QPs:
        | QP     | send CQ | state         | timeout | retry_cnt |
        | client | send_cq | IBV_QPS_RTS   | 14      | 2         |
        | server |         | IBV_QPS_RESET |         |           |
      When QP "client" sends 1 unsolicited message
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_RETRY_EXC_ERR

    Scenario: IBV_WC_RNR_RETRY_EXC_ERR: the peer has no receive, try after try
      Given connected RC QPs:
        | QP     | send CQ | rnr_retry |
        | client | send_cq | 1         |
        | server |         |           |
      When QP "client" sends 1 unsolicited message
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_RNR_RETRY_EXC_ERR

    Scenario: IBV_WC_RNR_RETRY_EXC_ERR: the peer has no receive for an RDMA write with immediate
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE
      And connected RC QPs:
        | QP     | send CQ | rnr_retry | access                  |
        | client | send_cq | 1         |                         |
        | server |         |           | IBV_ACCESS_REMOTE_WRITE |
      When QP "client" posts these sends:
        | opcode                     | remote | imm_data |
        | IBV_WR_RDMA_WRITE_WITH_IMM | target | 0x1      |
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_RNR_RETRY_EXC_ERR

    Scenario: IBV_WC_WR_FLUSH_ERR: receives of a QP that has gone to the error state
      Given 2 receives posted on QP "responder"
      When QP "responder" is moved to IBV_QPS_ERR
      Then CQ "recv_cq" gains 2 CQEs with status IBV_WC_WR_FLUSH_ERR

    Scenario: IBV_WC_WR_FLUSH_ERR: a send after one that has failed
      Given memory "source" of 64 bytes with IBV_ACCESS_LOCAL_WRITE
      When QP "requester" posts these sends:
        | wr_id | memory | bytes |
        | 0x1   | source | 65    |
        | 0x2   | source | 64    |
      Then CQ "send_cq" gains these CQEs:
        | wr_id | status              |
        | 0x1   | not IBV_WC_SUCCESS  |
        | 0x2   | IBV_WC_WR_FLUSH_ERR |

    @needs.uc
    Scenario: IBV_WC_WR_FLUSH_ERR: a UC send after one that has failed, and one that is posted later
      Given connected UC QPs "client" and "server", where "client" sends on CQ "send_cq"
      And memory "source" of 64 bytes with IBV_ACCESS_LOCAL_WRITE
      When QP "client" posts these sends:
        | wr_id | memory | bytes |
        | 0x1   | source | 65    |
        | 0x2   | source | 64    |
      Then CQ "send_cq" gains these CQEs:
        | wr_id | status              |
        | 0x1   | not IBV_WC_SUCCESS  |
        | 0x2   | IBV_WC_WR_FLUSH_ERR |
      When QP "client" posts these sends:
        | wr_id | memory | bytes |
        | 0x3   | source | 64    |
      Then CQ "send_cq" gains these CQEs:
        | wr_id | status              |
        | 0x3   | IBV_WC_WR_FLUSH_ERR |

    @needs.datagrams
    Scenario: IBV_WC_WR_FLUSH_ERR: a UD send after one that has failed, and one that is posted later
      Given connected UD QPs "client" and "server", where "client" sends on CQ "send_cq"
      And memory "source" of 64 bytes with IBV_ACCESS_LOCAL_WRITE
      When QP "client" posts these sends:
        | wr_id | memory | bytes |
        | 0x1   | source | 65    |
        | 0x2   | source | 64    |
      Then CQ "send_cq" gains these CQEs:
        | wr_id | status              |
        | 0x1   | not IBV_WC_SUCCESS  |
        | 0x2   | IBV_WC_WR_FLUSH_ERR |
      When QP "client" posts these sends:
        | wr_id | memory | bytes |
        | 0x3   | source | 64    |
      Then CQ "send_cq" gains these CQEs:
        | wr_id | status              |
        | 0x3   | IBV_WC_WR_FLUSH_ERR |

    Scenario: IBV_WC_WR_FLUSH_ERR: a send that waits for the answer of its peer is flushed once
      Given connected RC QPs:
        | QP     | send CQ | state        | timeout | retry_cnt |
        | client | send_cq | IBV_QPS_RTS  | 16      | 7         |
        | server |         | IBV_QPS_INIT |         |           |
      And 1 receive posted on QP "server"
      And QP "client" has sent 1 unsolicited message
      And a moment passes
      When QP "client" is moved to IBV_QPS_ERR
      Then CQ "send_cq" gains 1 CQE with status IBV_WC_WR_FLUSH_ERR
      And CQ "send_cq" is empty

    @needs.srq
    Scenario: IBV_WC_WR_FLUSH_ERR: not for receives of an SRQ, which serve the QPs that have not failed
      Given an SRQ "srq"
      And a CQ "failed_cq"
      And connected RC QPs:
        | QP       | receive CQ | SRQ |
        | sender   |            |     |
        | receiver | failed_cq  | srq |
      And connected RC QPs:
        | QP         | receive CQ | SRQ |
        | sender_2   |            |     |
        | receiver_2 | recv_cq    | srq |
      And these receives are posted on SRQ "srq":
        | wr_id |
        | 0x1   |
        | 0x2   |
      And QP "receiver" is moved to IBV_QPS_ERR
      When QP "sender_2" sends 1 unsolicited message
      Then CQ "recv_cq" gains these CQEs:
        | wr_id | status         |
        | 0x1   | IBV_WC_SUCCESS |
      And CQ "failed_cq" is empty

    Scenario: IBV_WC_WR_FLUSH_ERR: as many receives as there are
      Given a CQ "far_cq" of 20 entries
      And connected RC QPs "left" and "right", where "right" receives on CQ "far_cq"
      And 20 receives posted on QP "right"
      When QP "right" is moved to IBV_QPS_ERR
      Then CQ "far_cq" gains 20 CQEs with status IBV_WC_WR_FLUSH_ERR

  @ibv_poll_cq.error-valid-qp-num
  Rule: qp_num of a failed CQE is the number of the local QP whose work failed

    Scenario: Of QPs that share a CQ it names the one that failed
      Given connected RC QPs "client" and "server", where "client" sends on CQ "send_cq"
      And 1 receive posted on QP "responder"
      When QP "client" sends 1 unsolicited message from memory of another PD
      Then CQ "send_cq" gains these CQEs:
        | status             | qp_num      |
        | not IBV_WC_SUCCESS | QP "client" |
      When QP "requester" sends 1 unsolicited message
      Then CQ "send_cq" gains these CQEs:
        | status         | qp_num         |
        | IBV_WC_SUCCESS | QP "requester" |

    Scenario: Flushed work of both queues names its QP
      Given a CQ "shared_cq"
      And connected RC QPs:
        | QP     | send CQ   | receive CQ |
        | client | shared_cq | shared_cq  |
        | server | shared_cq | shared_cq  |
      And 1 receive posted on QP "client"
      And 1 receive posted on QP "server"
      And memory "source" of 64 bytes with IBV_ACCESS_LOCAL_WRITE
      When QP "client" is moved to IBV_QPS_ERR
      Then CQ "shared_cq" gains these CQEs:
        | status             | qp_num      |
        | not IBV_WC_SUCCESS | QP "client" |
      When QP "server" posts these sends:
        | memory | bytes |
        | source | 65    |
        | source | 64    |
      Then CQ "shared_cq" gains these CQEs:
        | status             | qp_num      |
        | not IBV_WC_SUCCESS | QP "server" |
        | not IBV_WC_SUCCESS | QP "server" |
        | not IBV_WC_SUCCESS | QP "server" |

    Scenario: A send that is flushed after the CQE of another QP
      Given connected RC QPs "client" and "server", where "client" sends on CQ "send_cq"
      And QP "client" is moved to IBV_QPS_ERR
      And 1 receive posted on QP "responder"
      And QP "requester" has sent 1 unsolicited message
      And CQ "send_cq" has been emptied of 1 CQE
      When QP "client" sends 1 unsolicited message
      Then CQ "send_cq" gains these CQEs:
        | status             | qp_num      |
        | not IBV_WC_SUCCESS | QP "client" |

    Scenario: The QPs of a send from memory of another PD
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | near_cq |            |
        | right |         | far_cq     |
      And memory "foreign" of 64 bytes in another PD, with IBV_ACCESS_LOCAL_WRITE
      When QP "left" posts these sends:
        | wr_id              | memory  |
        | 0xfedcba9876543210 | foreign |
      Then CQ "near_cq" gains these CQEs:
        | status             | qp_num    |
        | not IBV_WC_SUCCESS | QP "left" |

    Scenario: The QPs of a message that is too long, and of its receive
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | near_cq |            |
        | right |         | far_cq     |
      And these receives are posted on QP "right":
        | wr_id              | bytes |
        | 0x0123456789abcdef | 255   |
      When QP "left" posts these sends:
        | wr_id              | bytes |
        | 0xfedcba9876543210 | 256   |
      Then CQ "near_cq" gains these CQEs:
        | status             | qp_num    |
        | not IBV_WC_SUCCESS | QP "left" |
      And CQ "far_cq" gains these CQEs:
        | status             | qp_num     |
        | not IBV_WC_SUCCESS | QP "right" |

    Scenario: The QPs of a message whose receive must not be written, and of that receive
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
      When QP "left" posts these sends:
        | wr_id              | bytes |
        | 0xfedcba9876543210 | 256   |
      Then CQ "near_cq" gains these CQEs:
        | status             | qp_num    |
        | not IBV_WC_SUCCESS | QP "left" |
      And CQ "far_cq" gains these CQEs:
        | status             | qp_num     |
        | not IBV_WC_SUCCESS | QP "right" |

    Scenario: The QPs of a write that the peer does not allow
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | near_cq |            |
        | right |         | far_cq     |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE
      When QP "left" posts these sends:
        | wr_id              | opcode            | remote |
        | 0xfedcba9876543210 | IBV_WR_RDMA_WRITE | target |
      Then CQ "near_cq" gains these CQEs:
        | status             | qp_num    |
        | not IBV_WC_SUCCESS | QP "left" |

    Scenario: The QPs of a send whose peer does not answer
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ | timeout | retry_cnt |
        | left  | near_cq |            | 14      | 2         |
        | right |         | far_cq     |         |           |
      And QP "right" is moved to IBV_QPS_RESET
      When QP "left" posts these sends:
        | wr_id              | bytes |
        | 0xfedcba9876543210 | 16    |
      Then CQ "near_cq" gains these CQEs:
        | status             | qp_num    |
        | not IBV_WC_SUCCESS | QP "left" |

    Scenario: The QPs of a send for which its peer has no receive, after the work of another QP
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ | rnr_retry |
        | left  | near_cq |            | 1         |
        | right |         | far_cq     |           |
      And connected RC QPs "other" and "peer", where "other" sends on CQ "near_cq"
      And 1 receive posted on QP "peer"
      And QP "other" has sent 1 unsolicited message
      And CQ "near_cq" has been emptied of 1 CQE
      When QP "left" posts these sends:
        | wr_id              | bytes |
        | 0xfedcba9876543210 | 16    |
      Then CQ "near_cq" gains these CQEs:
        | status             | qp_num    |
        | not IBV_WC_SUCCESS | QP "left" |

    Scenario: The QPs of sends and receives that are flushed
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | near_cq |            |
        | right |         | far_cq     |
      And these receives are posted on QP "right":
        | wr_id              |
        | 0x0123456789abcdef |
      And QP "left" is moved to IBV_QPS_ERR
      And QP "right" is moved to IBV_QPS_ERR
      When QP "left" posts these sends:
        | wr_id              | bytes |
        | 0xfedcba9876543210 | 16    |
      Then CQ "near_cq" gains these CQEs:
        | status             | qp_num    |
        | not IBV_WC_SUCCESS | QP "left" |
      And CQ "far_cq" gains these CQEs:
        | status             | qp_num     |
        | not IBV_WC_SUCCESS | QP "right" |

    Scenario Outline: The QP of <opcode> that the peer does not allow
      Given a CQ "near_cq"
      And memory "closed" of 64 bytes with IBV_ACCESS_LOCAL_WRITE
      And connected RC QPs:
        | QP    | send CQ | access                                            |
        | left  | near_cq |                                                   |
        | right |         | IBV_ACCESS_REMOTE_WRITE \| IBV_ACCESS_REMOTE_READ |
      When QP "left" posts these sends:
        | wr_id              | opcode   | bytes   | remote | compare_add   |
        | 0xfedcba9876543210 | <opcode> | <bytes> | closed | <compare_add> |
      Then CQ "near_cq" gains these CQEs:
        | qp_num    | status             |
        | QP "left" | not IBV_WC_SUCCESS |

      Examples:
        | opcode                     | bytes | compare_add |
        | IBV_WR_RDMA_WRITE          | 16    |             |
        | IBV_WR_RDMA_READ           | 16    |             |

      @needs.atomics
      Examples: on a device that has atomics
        | opcode                      | bytes | compare_add |
        | IBV_WR_ATOMIC_FETCH_AND_ADD | 8     | 0x1         |
        | IBV_WR_ATOMIC_CMP_AND_SWP   | 8     | 0x1         |

    Scenario Outline: The QPs of a failed send and of a flushed receive of <qp_type> QPs
      Given a CQ "near_cq"
      And a CQ "far_cq"
      And connected <qp_type> QPs:
        | QP    | send CQ | receive CQ |
        | left  | near_cq |            |
        | right |         | far_cq     |
      And memory "foreign" of 64 bytes in another PD, with IBV_ACCESS_LOCAL_WRITE
      And these receives are posted on QP "right":
        | wr_id              |
        | 0x0123456789abcdef |
      When QP "left" posts these sends:
        | wr_id              | memory  |
        | 0xfedcba9876543210 | foreign |
      Then CQ "near_cq" gains these CQEs:
        | qp_num    | status             |
        | QP "left" | not IBV_WC_SUCCESS |
      When QP "right" is moved to IBV_QPS_ERR
      Then CQ "far_cq" gains these CQEs:
        | qp_num     | status             |
        | QP "right" | not IBV_WC_SUCCESS |

      @needs.uc
      Examples: of UC QPs
        | qp_type |
        | UC      |

      @needs.ud
      Examples: of UD QPs
        | qp_type |
        | UD      |

    @needs.srq
    Scenario: The QP of a receive of an SRQ that is too short
      Given a CQ "far_cq"
      And an SRQ "srq"
      And connected RC QPs:
        | QP    | receive CQ | SRQ |
        | left  |            |     |
        | right | far_cq     | srq |
      And these receives are posted on SRQ "srq":
        | wr_id              | bytes |
        | 0x0123456789abcdef | 255   |
      When QP "left" posts these sends:
        | bytes |
        | 256   |
      Then CQ "far_cq" gains these CQEs:
        | qp_num     | status             |
        | QP "right" | not IBV_WC_SUCCESS |

  @ibv_poll_cq.error-valid-vendor-err
  Rule: vendor_err of a failed CQE has been filled in

    Its value is the vendor's affair.

    Scenario: A send and a receive that failed
      Given these receives are posted on QP "responder":
        | bytes |
        | 128   |
      When QP "requester" posts these sends:
        | bytes |
        | 256   |
      Then CQ "send_cq" gains these CQEs:
        | status             | vendor_err |
        | not IBV_WC_SUCCESS | written    |
      And CQ "recv_cq" gains these CQEs:
        | status             | vendor_err |
        | not IBV_WC_SUCCESS | written    |

    Scenario: A receive that was flushed
      Given 1 receive posted on QP "responder"
      When QP "responder" is moved to IBV_QPS_ERR
      Then CQ "recv_cq" gains these CQEs:
        | status             | vendor_err |
        | not IBV_WC_SUCCESS | written    |

    Scenario: The vendor error of a send from memory of another PD
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | near_cq |            |
        | right |         | far_cq     |
      And memory "foreign" of 64 bytes in another PD, with IBV_ACCESS_LOCAL_WRITE
      When QP "left" posts these sends:
        | wr_id              | memory  |
        | 0xfedcba9876543210 | foreign |
      Then CQ "near_cq" gains these CQEs:
        | status             | vendor_err |
        | not IBV_WC_SUCCESS | written    |

    Scenario: The vendor error of a message that is too long, and of its receive
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | near_cq |            |
        | right |         | far_cq     |
      And these receives are posted on QP "right":
        | wr_id              | bytes |
        | 0x0123456789abcdef | 255   |
      When QP "left" posts these sends:
        | wr_id              | bytes |
        | 0xfedcba9876543210 | 256   |
      Then CQ "near_cq" gains these CQEs:
        | status             | vendor_err |
        | not IBV_WC_SUCCESS | written    |
      And CQ "far_cq" gains these CQEs:
        | status             | vendor_err |
        | not IBV_WC_SUCCESS | written    |

    Scenario: The vendor error of a message whose receive must not be written, and of that receive
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
      When QP "left" posts these sends:
        | wr_id              | bytes |
        | 0xfedcba9876543210 | 256   |
      Then CQ "near_cq" gains these CQEs:
        | status             | vendor_err |
        | not IBV_WC_SUCCESS | written    |
      And CQ "far_cq" gains these CQEs:
        | status             | vendor_err |
        | not IBV_WC_SUCCESS | written    |

    Scenario: The vendor error of a write that the peer does not allow
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | near_cq |            |
        | right |         | far_cq     |
      And memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE
      When QP "left" posts these sends:
        | wr_id              | opcode            | remote |
        | 0xfedcba9876543210 | IBV_WR_RDMA_WRITE | target |
      Then CQ "near_cq" gains these CQEs:
        | status             | vendor_err |
        | not IBV_WC_SUCCESS | written    |

    Scenario: The vendor error of a send whose peer does not answer
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ | timeout | retry_cnt |
        | left  | near_cq |            | 14      | 2         |
        | right |         | far_cq     |         |           |
      And QP "right" is moved to IBV_QPS_RESET
      When QP "left" posts these sends:
        | wr_id              | bytes |
        | 0xfedcba9876543210 | 16    |
      Then CQ "near_cq" gains these CQEs:
        | status             | vendor_err |
        | not IBV_WC_SUCCESS | written    |

    Scenario: The vendor error of a send for which its peer has no receive
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ | rnr_retry |
        | left  | near_cq |            | 1         |
        | right |         | far_cq     |           |
      When QP "left" posts these sends:
        | wr_id              | bytes |
        | 0xfedcba9876543210 | 16    |
      Then CQ "near_cq" gains these CQEs:
        | status             | vendor_err |
        | not IBV_WC_SUCCESS | written    |

    Scenario: The vendor error of sends and receives that are flushed
      Given a CQ "near_cq" on completion channel "near_channel"
      And a CQ "far_cq" on completion channel "far_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | near_cq |            |
        | right |         | far_cq     |
      And these receives are posted on QP "right":
        | wr_id              |
        | 0x0123456789abcdef |
      And QP "left" is moved to IBV_QPS_ERR
      And QP "right" is moved to IBV_QPS_ERR
      When QP "left" posts these sends:
        | wr_id              | bytes |
        | 0xfedcba9876543210 | 16    |
      Then CQ "near_cq" gains these CQEs:
        | status             | vendor_err |
        | not IBV_WC_SUCCESS | written    |
      And CQ "far_cq" gains these CQEs:
        | status             | vendor_err |
        | not IBV_WC_SUCCESS | written    |

  @ibv_poll_cq.signature @ibv_poll_cq.returns-count
  Rule: ibv_poll_cq() takes room for so many CQEs and returns the number of those that it handed out

    Scenario: More are asked for than there are
      Given 3 receives posted on QP "responder"
      And 3 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      Then polling CQ "recv_cq" for 5 entries gives 3 CQEs
      And ibv_poll_cq returned 3

    Scenario: Fewer are asked for than there are
      Given 3 receives posted on QP "responder"
      And 3 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      Then polling CQ "recv_cq" for 2 entries gives 2 CQEs
      And ibv_poll_cq returned 2

    Scenario: Failed CQEs count like the others
      Given 1 receive posted on QP "responder"
      And CQ "recv_cq" is armed for any CQE
      And QP "responder" is moved to IBV_QPS_ERR
      And the event of CQ "recv_cq" on completion channel "channel" is taken and acknowledged
      Then polling CQ "recv_cq" for 2 entries gives 1 CQE
      And ibv_poll_cq returned 1

  @ibv_poll_cq.returns-zero-empty
  Rule: ibv_poll_cq() returns 0 for an empty CQ

    Scenario: A CQ that has never had a CQE
      Then polling CQ "recv_cq" for 4 entries gives 0 CQEs
      And ibv_poll_cq returned 0

    Scenario: A CQ whose CQEs have all been polled
      Given 1 receive posted on QP "responder"
      And 1 event of CQ "recv_cq" for an unsolicited message has been taken from completion channel "channel"
      And CQ "recv_cq" has been emptied of 1 CQE
      Then polling CQ "recv_cq" for 4 entries gives 0 CQEs
      And ibv_poll_cq returned 0

  @ibv_poll_cq.status-to-be-checked
  Rule: A CQE that is handed out may be of work that failed

    Scenario: One CQ hands out work that succeeded, failed and was flushed
      Given memory "target" of 64 bytes with IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ
      When QP "requester" posts these sends:
        | wr_id | opcode            | remote |
        | 0x1   | IBV_WR_RDMA_READ  | target |
        | 0x2   | IBV_WR_RDMA_WRITE | target |
        | 0x3   | IBV_WR_RDMA_READ  | target |
      Then CQ "send_cq" gains these CQEs:
        | wr_id | status             |
        | 0x1   | IBV_WC_SUCCESS     |
        | 0x2   | not IBV_WC_SUCCESS |
        | 0x3   | not IBV_WC_SUCCESS |

    Scenario: One CQ hands out receives that succeeded, failed and were flushed
      Given these receives are posted on QP "responder":
        | wr_id | bytes |
        | 0x1   | 64    |
        | 0x2   | 128   |
        | 0x3   | 64    |
      When QP "requester" posts these sends:
        | bytes |
        | 16    |
        | 256   |
      Then CQ "recv_cq" gains these CQEs:
        | wr_id | status             |
        | 0x1   | IBV_WC_SUCCESS     |
        | 0x2   | not IBV_WC_SUCCESS |
        | 0x3   | not IBV_WC_SUCCESS |

  @ibv_poll_cq.drain-loop
  Rule: Polling until 0 comes back empties the CQ

    Scenario: Three CQEs, polled one by one
      Given 4 receives posted on QP "responder"
      And 3 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      Then polling CQ "recv_cq" for 1 entry gives 1 CQE
      And polling CQ "recv_cq" for 1 entry gives 1 CQE
      And polling CQ "recv_cq" for 1 entry gives 1 CQE
      And polling CQ "recv_cq" for 1 entry gives 0 CQEs
      When QP "requester" sends 1 unsolicited message
      Then CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS

  @ibv_poll_cq.removed-once-polled
  Rule: A CQE that has been handed out is not handed out again

    Scenario: The next poll begins after it
      Given these receives are posted on QP "responder":
        | wr_id |
        | 0x1   |
        | 0x2   |
      And 2 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      Then polling CQ "recv_cq" for 1 entry gives these CQEs:
        | wr_id |
        | 0x1   |
      And CQ "recv_cq" gains these CQEs:
        | wr_id |
        | 0x2   |
      And CQ "recv_cq" is empty

    Scenario: It does not come back when another CQE is added
      Given these receives are posted on QP "responder":
        | wr_id |
        | 0x1   |
        | 0x2   |
      And 1 event of CQ "recv_cq" for an unsolicited message has been taken from completion channel "channel"
      And CQ "recv_cq" has been emptied of 1 CQE
      When QP "requester" sends 1 unsolicited message
      Then CQ "recv_cq" gains these CQEs:
        | wr_id |
        | 0x2   |
      And CQ "recv_cq" is empty

    Scenario: CQEs that one poll handed out together do not come back
      Given these receives are posted on QP "responder":
        | wr_id |
        | 0x1   |
        | 0x2   |
        | 0x3   |
      And 2 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      And polling CQ "recv_cq" for 2 entries gives 2 CQEs
      When QP "requester" sends 1 unsolicited message
      Then CQ "recv_cq" gains these CQEs:
        | wr_id |
        | 0x3   |
      And CQ "recv_cq" is empty

    Scenario: It does not come back when the CQ is armed
      Given 1 receive posted on QP "responder"
      And 1 event of CQ "recv_cq" for an unsolicited message has been taken from completion channel "channel"
      And CQ "recv_cq" has been emptied of 1 CQE
      When CQ "recv_cq" is armed for any CQE
      Then CQ "recv_cq" is empty
      And completion channel "channel" delivers no event

    Scenario Outline: The CQEs of a QP stay in the CQ when another of its QPs is <moved>
      Given connected RC QPs "left" and "right", where "right" receives on CQ "recv_cq"
      And 1 receive posted on QP "right"
      And these receives are posted on QP "responder":
        | wr_id |
        | 0xa1  |
      And QP "requester" has sent 1 unsolicited message
      And CQ "send_cq" has been emptied of 1 CQE
      And a moment passes
      When <step>
      Then CQ "recv_cq" gains these CQEs:
        | wr_id | status         | qp_num         |
        | 0xa1  | IBV_WC_SUCCESS | QP "responder" |

      Examples:
        | moved     | step                                |
        | reset     | QP "right" is moved to IBV_QPS_RESET |
        | destroyed | QPs "left" and "right" are destroyed |

  @ibv_poll_cq.overrun-async-event
  Rule: A CQ that overruns raises IBV_EVENT_CQ_ERR, which names that CQ

    A CQ may take a few CQEs more than its cqe member says, so it overruns at the first CQE for which it truly has no
    room.

    Background:
      Given a CQ "small_cq" of 4 entries
      And connected RC QPs "client" and "server", where "client" sends on CQ "small_cq"
      And as many receives posted on QP "server" as it takes to overrun CQ "small_cq"

    Scenario: More CQEs than the CQ holds raise the event
      When QP "client" sends as many messages as it takes to overrun CQ "small_cq"
      Then the device raises IBV_EVENT_CQ_ERR for CQ "small_cq"

    Scenario: A CQ that is just full raises no event
      When QP "client" sends as many messages as CQ "small_cq" has entries
      Then QP "server" receives as many messages as CQ "small_cq" has entries
      And the device raises no IBV_EVENT_CQ_ERR
      And CQ "small_cq" gains as many CQEs as it has entries, with status IBV_WC_SUCCESS

  @ibv_poll_cq.overrun-cq-unusable
  Rule: A CQ that has overrun is of no further use

    The page does not say how that shows: a device may refuse to post to its QPs or to poll it, or let what it held
    before be polled. Any will do, as long as it reports no work that comes later.

    @needs.cq-overrun-event
    Scenario: Work that is posted after the overrun is never reported, although the CQ has been emptied
      Given a CQ "small_cq" of 4 entries
      And connected RC QPs "client" and "server", where "client" sends on CQ "small_cq"
      And as many receives posted on QP "server" as it takes to overrun CQ "small_cq"
      And QP "client" has sent as many messages as it takes to overrun CQ "small_cq"
      And the device has raised IBV_EVENT_CQ_ERR for CQ "small_cq"
      And CQ "small_cq" has been emptied as far as it can be polled
      When QP "client" tries to send wr_id 0xfeedfacecafebeef
      Then CQ "small_cq" reports no completion of that message
