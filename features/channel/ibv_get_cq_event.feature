@ibv_get_cq_event @needs.connection @needs.cq-notifications
Feature: ibv_get_cq_event(3), ibv_ack_cq_events(3) - get and acknowledge completion events

  To get an event is to take it from the channel; each one taken is owed an ack. Destroying a CQ waits until as many of
  its events were acknowledged as were taken. Where scenarios destroy a CQ its QPs are gone before, so that nothing but
  the events can hold it up. A channel blocks unless a scenario says that it is non-blocking.

  Background:
    Given a CQ "recv_cq" on completion channel "channel"
    And connected RC QPs "client" and "server", where "server" receives on CQ "recv_cq"
    And 4 receives posted on QP "server"

  @ibv_get_cq_event.signature-get @ibv_get_cq_event.get-returns-zero
  Rule: A get takes a channel, fills in a CQ and its context, and returns 0

    Scenario: One event is taken
      Given a CQ "other_cq" with:
        | cqe        | 16 |
        | cq_context | 0x5eed |
        | channel    | channel |
      And connected RC QPs "left" and "right", where "right" receives on CQ "other_cq"
      And 1 receive posted on QP "right"
      And CQ "other_cq" is armed for any CQE
      When QP "left" sends 1 unsolicited message
      Then completion channel "channel" delivers an event for CQ "other_cq" with user context 0x5eed
      And ibv_get_cq_event returned 0

  @ibv_get_cq_event.waits-next
  Rule: A get waits until an event comes

    Scenario: A get that began before the event is woken by it
      Given CQ "recv_cq" is armed for any CQE
      When getting an event from completion channel "channel" begins
      Then getting an event from completion channel "channel" is blocked
      When QP "client" sends 1 unsolicited message
      Then getting an event from completion channel "channel" gives an event of CQ "recv_cq"

    @needs.solicited-events
    Scenario: A CQE that makes no event leaves the get waiting
      Given CQ "recv_cq" is armed for solicited CQEs only
      When getting an event from completion channel "channel" begins
      Then getting an event from completion channel "channel" is blocked
      When QP "client" sends 1 unsolicited message
      Then CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And getting an event from completion channel "channel" is blocked
      When QP "client" sends 1 solicited message
      Then getting an event from completion channel "channel" gives an event of CQ "recv_cq"

    Scenario Outline: A get that waits goes on waiting through the use of <others>
      Given CQ "recv_cq" is armed for any CQE
      And getting an event from completion channel "channel" has begun and is blocked
      When the program uses <others>
      Then getting an event from completion channel "channel" is blocked
      When QP "client" sends 1 unsolicited message
      Then getting an event from completion channel "channel" gives an event of CQ "recv_cq"

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

    Scenario: Of two gets that wait on one channel, each event lets one go on
      Given CQ "recv_cq" is armed for any CQE
      And getting an event from completion channel "channel" has begun in 2 threads and is blocked
      When QP "client" sends 1 unsolicited message
      Then getting an event from completion channel "channel" has returned in 1 of 2 threads
      When CQ "recv_cq" is armed for any CQE
      And QP "client" sends 1 unsolicited message
      Then getting an event from completion channel "channel" has returned in 2 of 2 threads

    Scenario Outline: A get goes on waiting when in another thread <what happens>
      Given completion channel "spare_channel"
      And a CQ "idle_cq" on completion channel "channel"
      And a CQ "other_cq" on completion channel "channel"
      And connected RC QPs "left" and "right", where "right" receives on CQ "other_cq"
      And 1 receive posted on QP "right"
      And 1 event of CQ "other_cq" for an unsolicited message has been taken from completion channel "channel"
      And CQ "recv_cq" is armed for any CQE
      And getting an event from completion channel "channel" has begun and is blocked
      When <what happens>
      Then getting an event from completion channel "channel" is blocked
      When QP "client" sends 1 unsolicited message
      Then getting an event from completion channel "channel" gives an event of CQ "recv_cq"

      Examples:
        | what happens                                      |
        | CQ "recv_cq" is armed for any CQE                 |
        | CQ "other_cq" has been emptied of 1 CQE           |
        | 1 event of CQ "other_cq" is acknowledged          |
        | QPs "left" and "right" are destroyed              |
        | CQ "idle_cq" is destroyed |
        | completion channel "spare_channel" is destroyed |

      @needs.resize-cq
      Examples: on a device that has the verb
        | what happens                                      |
        | resizing CQ "recv_cq" to 32 entries succeeds      |

      @needs.arm-ignores-backlog
      Examples: where a CQ can be armed beside its backlog
        | what happens                       |
        | CQ "other_cq" is armed for any CQE |

  @ibv_get_cq_event.takes-queued-at-once
  Rule: A get takes an event that is there already

    Scenario: The only event that there will be
      Given CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      And an event waits on completion channel "channel"
      When getting an event from completion channel "channel" begins
      Then getting an event from completion channel "channel" gives an event of CQ "recv_cq"
      And completion channel "channel" delivers no event

    Scenario: Two events of two CQs, taken by two gets
      Given a CQ "other_cq" on completion channel "channel"
      And connected RC QPs "left" and "right", where "right" receives on CQ "other_cq"
      And 1 receive posted on QP "right"
      And CQ "recv_cq" is armed for any CQE
      And CQ "other_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      And QP "left" has sent 1 unsolicited message
      And CQ "recv_cq" has been emptied of 1 CQE
      And CQ "other_cq" has been emptied of 1 CQE
      When getting an event from completion channel "channel" succeeds
      Then getting an event from completion channel "channel" succeeds
      And completion channel "channel" delivers no event

    @needs.arm-before-get
    Scenario: Two events of one CQ, which was armed again while the first one waited
      Given CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      And an event waits on completion channel "channel"
      And CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      And CQ "recv_cq" has been emptied of 2 CQEs
      When getting an event from completion channel "channel" succeeds
      Then getting an event from completion channel "channel" succeeds
      And completion channel "channel" delivers no event

    Scenario Outline: Events that wait are taken once each and in their order, also after the use of <others>
      Given a CQ "other_cq" on completion channel "channel"
      And connected RC QPs "left" and "right", where "right" receives on CQ "other_cq"
      And 1 receive posted on QP "right"
      And CQ "recv_cq" is armed for any CQE
      And CQ "other_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      And CQ "recv_cq" has been emptied of 1 CQE
      And QP "left" has sent 1 unsolicited message
      And CQ "other_cq" has been emptied of 1 CQE
      When the program uses <others>
      Then the event of CQ "recv_cq" on completion channel "channel" is taken and acknowledged
      And completion channel "channel" delivers 1 event for CQ "other_cq" and no more

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
    Scenario Outline: An event that waits is taken once, also after <batch>
      Given an extended CQ "lazy_cq" on completion channel "lazy_channel" that provides "IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_IMM | IBV_WC_EX_WITH_QP_NUM | IBV_WC_EX_WITH_SRC_QP | IBV_WC_EX_WITH_SLID | IBV_WC_EX_WITH_SL | IBV_WC_EX_WITH_DLID_PATH_BITS <flags>"
      And connected RC QPs "left" and "right", where "right" receives on CQ "lazy_cq"
      And 4 receives posted on QP "right"
      And 2 events of CQ "lazy_cq" for unsolicited messages have been taken from completion channel "lazy_channel"
      And CQ "lazy_cq" is armed for any CQE
      And QP "left" has sent 1 unsolicited message
      And an event waits on completion channel "lazy_channel"
      When the program uses <batch>
      Then completion channel "lazy_channel" delivers 1 event for CQ "lazy_cq" and no more

      @needs.extended-cq
      Examples:
        | batch                   | flags |
        | a batch of CQ "lazy_cq" |       |

      @needs.extended-cq @needs.completion-timestamps
      Examples:
        | batch                                    | flags                                  |
        | a batch of CQ "lazy_cq" with time stamps | \| IBV_WC_EX_WITH_COMPLETION_TIMESTAMP |

  @ibv_get_cq_event.blocking-by-default
  Rule: It is the get that blocks where nothing was changed, and not the request

    Scenario: The CQ is armed at once, and the get blocks
      Given arming CQ "recv_cq" succeeds
      When getting an event from completion channel "channel" begins
      Then getting an event from completion channel "channel" is blocked
      When QP "client" sends 1 unsolicited message
      Then getting an event from completion channel "channel" gives an event of CQ "recv_cq"

    Scenario Outline: A get blocks, also after <kind> could not be created on the channel
      Given creating <kind> of more entries than the device allows on completion channel "channel" is refused
      When getting an event from completion channel "channel" begins
      Then getting an event from completion channel "channel" is blocked
      When CQ "recv_cq" is armed for any CQE
      And QP "client" sends 1 unsolicited message
      Then getting an event from completion channel "channel" gives an event of CQ "recv_cq"

      Examples:
        | kind |
        | a CQ |

      @needs.extended-cq
      Examples: on a device that has them
        | kind           |
        | an extended CQ |

    Scenario Outline: A get blocks, also after the use of <others>
      When the program uses <others>
      And getting an event from completion channel "channel" begins
      Then getting an event from completion channel "channel" is blocked
      When CQ "recv_cq" is armed for any CQE
      And QP "client" sends 1 unsolicited message
      Then getting an event from completion channel "channel" gives an event of CQ "recv_cq"

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

    Scenario: A get blocks on a channel that is new, also after a non-blocking one was destroyed
      Given completion channel "spare_channel"
      And completion channel "spare_channel" is non-blocking
      And getting an event from completion channel "spare_channel" is refused
      And completion channel "spare_channel" is destroyed
      And a CQ "fresh_cq" on completion channel "fresh_channel"
      And connected RC QPs "left" and "right", where "right" receives on CQ "fresh_cq"
      And 1 receive posted on QP "right"
      And CQ "fresh_cq" is armed for any CQE
      When getting an event from completion channel "fresh_channel" begins
      Then getting an event from completion channel "fresh_channel" is blocked
      When QP "left" sends 1 unsolicited message
      Then getting an event from completion channel "fresh_channel" gives an event of CQ "fresh_cq"

    Scenario: A get blocks, also where the asynchronous event queue does not
      Given the asynchronous event queue is non-blocking
      And CQ "recv_cq" is armed for any CQE
      When getting an event from completion channel "channel" begins
      Then getting an event from completion channel "channel" is blocked
      When QP "client" sends 1 unsolicited message
      Then getting an event from completion channel "channel" gives an event of CQ "recv_cq"

  @ibv_get_cq_event.blocking-can-be-changed
  Rule: The blocking can be switched off, and on again

    Scenario: Off, then on
      Given completion channel "channel" is non-blocking
      And getting an event from completion channel "channel" is refused
      And CQ "recv_cq" is armed for any CQE
      And completion channel "channel" is blocking
      When getting an event from completion channel "channel" begins
      Then getting an event from completion channel "channel" is blocked
      When QP "client" sends 1 unsolicited message
      Then getting an event from completion channel "channel" gives an event of CQ "recv_cq"

    Scenario: An event waits through it
      Given completion channel "channel" is non-blocking
      And CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      And an event waits on completion channel "channel"
      When completion channel "channel" is blocking
      And completion channel "channel" is non-blocking
      Then getting an event from completion channel "channel" gives an event of CQ "recv_cq"

    Scenario: Off, on, and off again
      Given completion channel "channel" is non-blocking
      And getting an event from completion channel "channel" is refused
      And completion channel "channel" is blocking
      And CQ "recv_cq" is armed for any CQE
      And getting an event from completion channel "channel" has begun and is blocked
      And QP "client" has sent 1 unsolicited message
      And getting an event from completion channel "channel" gives an event of CQ "recv_cq"
      When completion channel "channel" is non-blocking
      Then getting an event from completion channel "channel" is refused

  @ibv_get_cq_event.fills-cq
  Rule: The get fills in the CQ that the event belongs to

    Scenario: The one CQ of the channel
      Given CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      And an event waits on completion channel "channel"
      When getting an event from completion channel "channel" begins
      Then getting an event from completion channel "channel" gives an event of CQ "recv_cq"

    Scenario: The get waits for the event
      Given CQ "recv_cq" is armed for any CQE
      And getting an event from completion channel "channel" has begun and is blocked
      When QP "client" sends 1 unsolicited message
      Then getting an event from completion channel "channel" gives an event of CQ "recv_cq"

  @ibv_get_cq_event.fills-cq-shared-channel
  Rule: Where CQs share a channel, the get tells which of them has the event

    Scenario: The CQ that was created first, then the one created last
      Given a CQ "last_cq" on completion channel "channel"
      And connected RC QPs "left" and "right", where "right" receives on CQ "last_cq"
      And 1 receive posted on QP "right"
      And CQ "recv_cq" is armed for any CQE
      And CQ "last_cq" is armed for any CQE
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more
      When QP "left" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "last_cq" and no more

    Scenario: Two gets wait on the channel, and two CQs notify: each event is given once
      Given a CQ "last_cq" on completion channel "channel"
      And connected RC QPs "left" and "right", where "right" receives on CQ "last_cq"
      And 1 receive posted on QP "right"
      And CQ "recv_cq" is armed for any CQE
      And CQ "last_cq" is armed for any CQE
      And getting an event from completion channel "channel" has begun in 2 threads and is blocked
      When QP "client" sends 1 unsolicited message
      And QP "left" sends 1 unsolicited message
      Then getting an event from completion channel "channel" in 2 threads gives one event each of CQs "recv_cq" and "last_cq"

    Scenario: Twelve CQs notify before the first event is taken
      Given receive CQs "cq_1" to "cq_12" on completion channel "channel"
      And CQs "cq_1" to "cq_12" are armed for any CQE
      When an unsolicited message comes in for each of CQs "cq_1" to "cq_12"
      Then completion channel "channel" delivers one event for each of CQs "cq_1" to "cq_12", and no more

    Scenario: An event stays on the channel when the CQ of the one before it is destroyed
      Given a CQ "first_cq" on completion channel "channel"
      And connected RC QPs "left" and "right", where "right" receives on CQ "first_cq"
      And 1 receive posted on QP "right"
      And CQ "first_cq" is armed for any CQE
      And CQ "recv_cq" is armed for any CQE
      And QP "left" has sent 1 unsolicited message
      And CQ "first_cq" has been emptied of 1 CQE
      And an event waits on completion channel "channel"
      And QP "client" has sent 1 unsolicited message
      And CQ "recv_cq" has been emptied of 1 CQE
      When QPs "left" and "right" are destroyed
      And destroying CQ "first_cq" succeeds
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

  @ibv_get_cq_event.fills-cq-context
  Rule: The get fills in the user context that the CQ was created with

    Scenario: A CQ without user context gives NULL
      Given CQ "recv_cq" is armed for any CQE
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers an event for CQ "recv_cq" with user context 0

    Scenario: Two CQs of one channel give each its own, all 64 bits of it
      Given a CQ "one_cq" with:
        | cqe        | 16 |
        | cq_context | 0x1111222233334444 |
        | channel    | channel |
      And a CQ "other_cq" with:
        | cqe        | 16 |
        | cq_context | 0xfedcba9876543210 |
        | channel    | channel |
      And connected RC QPs:
        | QP    | receive CQ |
        | left  | one_cq     |
        | right | other_cq   |
      And 1 receive posted on QP "left"
      And 1 receive posted on QP "right"
      And CQ "one_cq" is armed for any CQE
      And CQ "other_cq" is armed for any CQE
      When QP "left" sends 1 unsolicited message
      Then completion channel "channel" delivers an event for CQ "other_cq" with user context 0xfedcba9876543210
      When QP "right" sends 1 unsolicited message
      Then completion channel "channel" delivers an event for CQ "one_cq" with user context 0x1111222233334444

    Scenario: The user context is the one of the CQ, also after an ack
      Given a CQ "named_cq" with:
        | cqe        | 4                  |
        | cq_context | 0x0123456789abcdef |
        | channel    | channel            |
      And connected RC QPs "left" and "right", where "right" receives on CQ "named_cq"
      And 3 receives posted on QP "right"
      And 2 events of CQ "named_cq" for unsolicited messages have been taken from completion channel "channel"
      And 2 events of CQ "named_cq" are acknowledged
      And CQ "named_cq" is armed for any CQE
      When QP "left" sends 1 unsolicited message
      Then completion channel "channel" delivers an event for CQ "named_cq" with user context 0x0123456789abcdef

    Scenario Outline: The user context is the one of the CQ, also after the use of <others>
      Given a CQ "named_cq" with:
        | cqe        | 4                  |
        | cq_context | 0x0123456789abcdef |
        | channel    | channel            |
      And connected RC QPs "left" and "right", where "right" receives on CQ "named_cq"
      And 1 receive posted on QP "right"
      And CQ "named_cq" is armed for any CQE
      When the program uses <others>
      And QP "left" sends 1 unsolicited message
      Then completion channel "channel" delivers an event for CQ "named_cq" with user context 0x0123456789abcdef

      Examples:
        | others |
        | other contexts |
        | other memory |
        | other channels |
        | other CQs |
        | other QPs |
        | calls that are refused |
        | this context in other ways |
        | CQ "named_cq" in other ways |

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
    Scenario Outline: The user context is the one of the CQ, also after <batch>
      Given an extended CQ "lazy_cq" with:
        | cqe        | 8                  |
        | cq_context | 0x0123456789abcdef |
        | channel    | lazy_channel       |
        | wc_flags   | IBV_WC_EX_WITH_BYTE_LEN \| IBV_WC_EX_WITH_IMM \| IBV_WC_EX_WITH_QP_NUM \| IBV_WC_EX_WITH_SRC_QP \| IBV_WC_EX_WITH_SLID \| IBV_WC_EX_WITH_SL \| IBV_WC_EX_WITH_DLID_PATH_BITS <flags> |
      And connected RC QPs "left" and "right", where "right" receives on CQ "lazy_cq"
      And 3 receives posted on QP "right"
      And 2 events of CQ "lazy_cq" for unsolicited messages have been taken from completion channel "lazy_channel"
      And CQ "lazy_cq" is armed for any CQE
      When the program uses <batch>
      And QP "left" sends 1 unsolicited message
      Then completion channel "lazy_channel" delivers an event for CQ "lazy_cq" with user context 0x0123456789abcdef

      @needs.extended-cq
      Examples:
        | batch                   | flags |
        | a batch of CQ "lazy_cq" |       |

      @needs.extended-cq @needs.completion-timestamps
      Examples:
        | batch                                    | flags                                  |
        | a batch of CQ "lazy_cq" with time stamps | \| IBV_WC_EX_WITH_COMPLETION_TIMESTAMP |

  @ibv_get_cq_event.signature-ack @ibv_get_cq_event.ack-count
  Rule: An ack takes a CQ and a number, and settles that many events of that CQ

    Scenario: All three events in one call
      Given 3 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      When 3 events of CQ "recv_cq" are acknowledged
      And QPs "client" and "server" are destroyed
      Then destroying CQ "recv_cq" succeeds

    Scenario: An ack of 1 does not settle 2
      Given 2 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      And QPs "client" and "server" are destroyed
      When 1 event of CQ "recv_cq" is acknowledged
      And destroying CQ "recv_cq" begins
      Then destroying CQ "recv_cq" is blocked
      When 1 event of CQ "recv_cq" is acknowledged
      Then destroying CQ "recv_cq" succeeds

    Scenario: An ack for one CQ settles nothing of another on the same channel
      Given a CQ "other_cq" on completion channel "channel"
      And connected RC QPs "left" and "right", where "right" receives on CQ "other_cq"
      And 1 receive posted on QP "right"
      And 1 event of CQ "other_cq" for an unsolicited message has been taken from completion channel "channel"
      And 1 event of CQ "recv_cq" for an unsolicited message has been taken from completion channel "channel"
      And QPs "client" and "server" are destroyed
      When 1 event of CQ "other_cq" is acknowledged
      And destroying CQ "recv_cq" begins
      Then destroying CQ "recv_cq" is blocked
      When 1 event of CQ "recv_cq" is acknowledged
      Then destroying CQ "recv_cq" succeeds

    Scenario: An ack of 0 settles nothing
      Given 1 event of CQ "recv_cq" for an unsolicited message has been taken from completion channel "channel"
      And 0 events of CQ "recv_cq" are acknowledged
      And QPs "client" and "server" are destroyed
      When destroying CQ "recv_cq" begins
      Then destroying CQ "recv_cq" is blocked

  @ibv_get_cq_event.get-returns-minus-one
  Rule: A get that fails returns -1

    The page promises -1 and no errno number as the result. It does not speak of errno at all.

    Scenario: A get that finds no event on a non-blocking channel
      Given completion channel "channel" is non-blocking
      When getting an event from completion channel "channel" returns
      Then ibv_get_cq_event returned -1

  @ibv_get_cq_event.ack-returns-nothing
  Rule: An ack has no result; that it counted shows in the destruction of its CQ

    Scenario: An ack of two events says nothing, and nothing is owed after it
      Given 2 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      And QPs "client" and "server" are destroyed
      When 2 events of CQ "recv_cq" are acknowledged
      Then ibv_ack_cq_events returned nothing
      And destroying CQ "recv_cq" succeeds

  @ibv_get_cq_event.every-event-acked
  Rule: Every event that was taken is owed an ack of its own, whether its CQE was polled or not

    Scenario: Polling the CQE and arming again do not stand for the ack
      Given 1 event of CQ "recv_cq" for an unsolicited message has been taken from completion channel "channel"
      And CQ "recv_cq" has been emptied of 1 CQE
      And CQ "recv_cq" is armed for any CQE
      And QPs "client" and "server" are destroyed
      When destroying CQ "recv_cq" begins
      Then destroying CQ "recv_cq" is blocked
      When 1 event of CQ "recv_cq" is acknowledged
      Then destroying CQ "recv_cq" succeeds

    Scenario: The ack of the first event does not cover the second
      Given CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      And the event of CQ "recv_cq" on completion channel "channel" is taken and acknowledged
      And 1 event of CQ "recv_cq" for an unsolicited message has been taken from completion channel "channel"
      And QPs "client" and "server" are destroyed
      When destroying CQ "recv_cq" begins
      Then destroying CQ "recv_cq" is blocked
      When 1 event of CQ "recv_cq" is acknowledged
      Then destroying CQ "recv_cq" succeeds

  @ibv_get_cq_event.destroy-waits-for-acks
  Rule: Destroying a CQ blocks while events that were taken are not acknowledged

    Scenario: One event taken, none acknowledged
      Given 1 event of CQ "recv_cq" for an unsolicited message has been taken from completion channel "channel"
      And QPs "client" and "server" are destroyed
      When destroying CQ "recv_cq" begins
      Then destroying CQ "recv_cq" is blocked

    Scenario: Three events taken, two acknowledged
      Given 3 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      And 2 events of CQ "recv_cq" are acknowledged
      And QPs "client" and "server" are destroyed
      When destroying CQ "recv_cq" begins
      Then destroying CQ "recv_cq" is blocked

    Scenario: Acknowledging a part while destroy waits does not release it
      Given 2 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      And QPs "client" and "server" are destroyed
      When destroying CQ "recv_cq" begins
      Then destroying CQ "recv_cq" is blocked
      When 1 event of CQ "recv_cq" is acknowledged
      Then destroying CQ "recv_cq" is blocked

    Scenario: Sixteen events taken, none acknowledged
      Given 16 receives posted on QP "server"
      And 16 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      And QPs "client" and "server" are destroyed
      When destroying CQ "recv_cq" begins
      Then destroying CQ "recv_cq" is blocked

    Scenario: All but one of 257 events have been acknowledged
      Given QP "server" has received 257 unsolicited messages, each with an event taken from completion channel "channel"
      And QPs "client" and "server" are destroyed
      And 256 events of CQ "recv_cq" are acknowledged
      When destroying CQ "recv_cq" begins
      Then destroying CQ "recv_cq" is blocked

    Scenario Outline: A destroy that waits holds up no CQ on <place> and <channel>
      Given 1 event of CQ "recv_cq" for an unsolicited message has been taken from completion channel "channel"
      And the program works on <place>
      And a CQ "other_cq" on <channel>
      And connected RC QPs "left" and "right", where "right" receives on CQ "other_cq"
      And 2 receives posted on QP "right"
      And QPs "client" and "server" are destroyed
      And destroying CQ "recv_cq" has begun and is blocked
      When 2 events of CQ "other_cq" for unsolicited messages have been taken from <channel>
      And 2 events of CQ "other_cq" are acknowledged
      And QPs "left" and "right" are destroyed
      Then destroying CQ "other_cq" succeeds
      And destroying CQ "recv_cq" is blocked

      Examples:
        | place                    | channel                            |
        | the first device context | completion channel "channel"       |
        | the first device context | completion channel "other_channel" |
        | device context "other"   | completion channel "other_channel" |

  @ibv_get_cq_event.destroy-resumes-on-ack
  Rule: A blocked destroy goes on when the missing acks come

    Scenario: The one missing ack releases the destroy
      Given 1 event of CQ "recv_cq" for an unsolicited message has been taken from completion channel "channel"
      And QPs "client" and "server" are destroyed
      And destroying CQ "recv_cq" has begun and is blocked
      When 1 event of CQ "recv_cq" is acknowledged
      Then destroying CQ "recv_cq" succeeds

    Scenario: Acks that come one by one release the destroy with the last
      Given 2 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      And QPs "client" and "server" are destroyed
      And destroying CQ "recv_cq" has begun and is blocked
      When 1 event of CQ "recv_cq" is acknowledged
      And 1 event of CQ "recv_cq" is acknowledged
      Then destroying CQ "recv_cq" succeeds

  @ibv_get_cq_event.acks-match-gets
  Rule: As many acks are owed as gets succeeded

    Scenario: As many acks as gets, in one call and singly, leave nothing to wait for
      Given 3 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      And 2 events of CQ "recv_cq" are acknowledged
      And 1 event of CQ "recv_cq" is acknowledged
      And QPs "client" and "server" are destroyed
      When destroying CQ "recv_cq" begins
      Then destroying CQ "recv_cq" succeeds

    Scenario Outline: Two gets that waited are owed an ack each, on <place>
      Given the program works on <place>
      And a CQ "own_cq" on completion channel "own_channel"
      And connected RC QPs "left" and "right", where "right" receives on CQ "own_cq"
      And 2 receives posted on QP "right"
      And CQ "own_cq" is armed for any CQE
      And getting an event from completion channel "own_channel" has begun in 2 threads and is blocked
      And QP "left" has sent 1 unsolicited message
      And getting an event from completion channel "own_channel" has returned in 1 of 2 threads
      And CQ "own_cq" is armed for any CQE
      And QP "left" has sent 1 unsolicited message
      And getting an event from completion channel "own_channel" has returned in 2 of 2 threads
      And QPs "left" and "right" are destroyed
      When destroying CQ "own_cq" begins
      Then destroying CQ "own_cq" is blocked
      When 1 event of CQ "own_cq" is acknowledged
      Then destroying CQ "own_cq" is blocked

      Examples:
        | place                    |
        | the first device context |
        | device context "other"   |

    Scenario: An event that nobody took is owed no ack
      Given CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      And an event waits on completion channel "channel"
      And QPs "client" and "server" are destroyed
      When destroying CQ "recv_cq" begins
      Then destroying CQ "recv_cq" succeeds

    Scenario: A get that found no event is owed no ack
      Given completion channel "channel" is non-blocking
      And getting an event from completion channel "channel" is refused
      And QPs "client" and "server" are destroyed
      When destroying CQ "recv_cq" begins
      Then destroying CQ "recv_cq" succeeds

    Scenario: Beside an event that was taken, one that nobody took is owed none
      Given 1 event of CQ "recv_cq" for an unsolicited message has been taken from completion channel "channel"
      And CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      And an event waits on completion channel "channel"
      And QPs "client" and "server" are destroyed
      And destroying CQ "recv_cq" has begun and is blocked
      When 1 event of CQ "recv_cq" is acknowledged
      Then destroying CQ "recv_cq" succeeds

    Scenario Outline: Two acks are owed for two gets, also after the use of <others>
      Given 2 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      When the program uses <others>
      And QPs "client" and "server" are destroyed
      And destroying CQ "recv_cq" has begun and is blocked
      When 1 event of CQ "recv_cq" is acknowledged
      Then destroying CQ "recv_cq" is blocked
      When 1 event of CQ "recv_cq" is acknowledged
      Then destroying CQ "recv_cq" succeeds

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
    Scenario Outline: Two acks are owed for two gets, also after <batch>
      Given an extended CQ "lazy_cq" on completion channel "lazy_channel" that provides "IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_IMM | IBV_WC_EX_WITH_QP_NUM | IBV_WC_EX_WITH_SRC_QP | IBV_WC_EX_WITH_SLID | IBV_WC_EX_WITH_SL | IBV_WC_EX_WITH_DLID_PATH_BITS <flags>"
      And connected RC QPs "left" and "right", where "right" receives on CQ "lazy_cq"
      And 4 receives posted on QP "right"
      And 2 events of CQ "lazy_cq" for unsolicited messages have been taken from completion channel "lazy_channel"
      When the program uses <batch>
      And QPs "left" and "right" are destroyed
      And destroying CQ "lazy_cq" has begun and is blocked
      When 1 event of CQ "lazy_cq" is acknowledged
      Then destroying CQ "lazy_cq" is blocked
      When 1 event of CQ "lazy_cq" is acknowledged
      Then destroying CQ "lazy_cq" succeeds

      @needs.extended-cq
      Examples:
        | batch                   | flags |
        | a batch of CQ "lazy_cq" |       |

      @needs.extended-cq @needs.completion-timestamps
      Examples:
        | batch                                    | flags                                  |
        | a batch of CQ "lazy_cq" with time stamps | \| IBV_WC_EX_WITH_COMPLETION_TIMESTAMP |

  @ibv_get_cq_event.ack-batching
  Rule: Acks can be saved up and given in one call

    Scenario: Four events taken over four rounds of get and request, one ack
      Given 4 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      And CQ "recv_cq" has been emptied of 4 CQEs
      And 4 events of CQ "recv_cq" are acknowledged
      And QPs "client" and "server" are destroyed
      When destroying CQ "recv_cq" begins
      Then destroying CQ "recv_cq" succeeds

    Scenario: Three events acknowledged in one call, and the fourth in another
      Given 4 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      And CQ "recv_cq" has been emptied of 4 CQEs
      And QPs "client" and "server" are destroyed
      When 3 events of CQ "recv_cq" are acknowledged
      And 1 event of CQ "recv_cq" is acknowledged
      Then destroying CQ "recv_cq" succeeds

    Scenario: 257 events, one ack
      Given QP "server" has received 257 unsolicited messages, each with an event taken from completion channel "channel"
      And 257 events of CQ "recv_cq" are acknowledged
      And QPs "client" and "server" are destroyed
      When destroying CQ "recv_cq" begins
      Then destroying CQ "recv_cq" succeeds

    Scenario: Twelve events, one ack
      Given 12 receives posted on QP "server"
      And 12 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      And 12 events of CQ "recv_cq" are acknowledged
      And QPs "client" and "server" are destroyed
      When destroying CQ "recv_cq" begins
      Then destroying CQ "recv_cq" succeeds

  @ibv_get_cq_event.example-arm-before-work
  Rule: A CQ that was armed before any work was posted notifies of the very first completion

    Scenario: The request comes before the QPs and the receives
      Given a CQ "early_cq" on completion channel "channel"
      And CQ "early_cq" is armed for any CQE
      And connected RC QPs "left" and "right", where "right" receives on CQ "early_cq"
      And 1 receive posted on QP "right"
      When QP "left" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "early_cq" and no more

  @ibv_get_cq_event.example-minimal-cq
  Rule: One entry, a user context, a channel and vector 0 make a CQ that is fit for events

    Scenario: The CQ of the example notifies
      Given a CQ "example_cq" with:
        | cqe         | 1       |
        | cq_context  | 0xabc   |
        | channel     | channel |
        | comp_vector | 0       |
      And connected RC QPs "left" and "right", where "right" receives on CQ "example_cq"
      And 1 receive posted on QP "right"
      And CQ "example_cq" is armed for any CQE
      When QP "left" sends 1 unsolicited message
      Then completion channel "channel" delivers an event for CQ "example_cq" with user context 0xabc
      And CQ "example_cq" gains 1 CQE with status IBV_WC_SUCCESS

  @ibv_get_cq_event.example-order
  Rule: Get and ack, then request, then empty the CQ: in this order no completion is missed

    Scenario: A completion before the request is found by emptying the CQ
      Given CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 2 unsolicited messages
      And the event of CQ "recv_cq" on completion channel "channel" is taken and acknowledged
      When CQ "recv_cq" is armed for any CQE
      Then CQ "recv_cq" gains 2 CQEs with status IBV_WC_SUCCESS

    Scenario: A completion after the request is told by an event, although the CQ was emptied in between
      Given CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      And the event of CQ "recv_cq" on completion channel "channel" is taken and acknowledged
      And CQ "recv_cq" is armed for any CQE
      When CQ "recv_cq" has been emptied of 1 CQE
      And QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more
      And CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS

  @ibv_get_cq_event.example-ack-before-poll
  Rule: An event can be acknowledged before its completion is polled

    Scenario: The completion is there after the ack
      Given CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      When the event of CQ "recv_cq" on completion channel "channel" is taken and acknowledged
      Then polling CQ "recv_cq" for 1 entry gives 1 CQE

  @ibv_get_cq_event.example-ev-cq-usable
  Rule: The CQ that a get fills in can be acknowledged and armed

    It is the same pointer that ibv_create_cq() gave: that is what the steps compare, and then use.

    Scenario: The CQ of the event is acknowledged and armed, and notifies again
      Given CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      When getting an event from completion channel "channel" gives an event of CQ "recv_cq"
      And 1 event of CQ "recv_cq" is acknowledged
      And CQ "recv_cq" is armed for any CQE
      And QP "client" sends 1 unsolicited message
      Then getting an event from completion channel "channel" gives an event of CQ "recv_cq"

  @ibv_get_cq_event.spurious-event
  Rule: A completion between the request and the emptying leaves an event behind

    Scenario: Emptying the CQ takes both completions; the event of the second stays
      Given CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      And the event of CQ "recv_cq" on completion channel "channel" is taken and acknowledged
      And CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      When CQ "recv_cq" has been emptied of 2 CQEs
      Then polling CQ "recv_cq" for 1 entry gives 0 CQEs
      And completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

  @ibv_get_cq_event.spurious-empty-poll @ibv_get_cq_event.drain-may-be-empty
  Rule: After such an event the CQ is empty, a poll returns 0, and the next completion notifies as ever

    Scenario: The event that is left over is taken, acknowledged and answered with a request
      Given CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      And the event of CQ "recv_cq" on completion channel "channel" is taken and acknowledged
      And CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      And CQ "recv_cq" has been emptied of 2 CQEs
      When the event of CQ "recv_cq" on completion channel "channel" is taken and acknowledged
      And CQ "recv_cq" is armed for any CQE
      Then polling CQ "recv_cq" for 1 entry gives 0 CQEs
      And ibv_poll_cq returned 0
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

  @ibv_get_cq_event.example-create-failure
  Rule: A failure shows as NULL from ibv_create_cq() and as a result other than 0 from the get

    The example looks at the result of the request in the same way; nothing that a program does makes a request fail.

    Scenario: A CQ that cannot be had is NULL
      When creating a CQ of more entries than the device allows returns
      Then ibv_create_cq returned NULL

    Scenario: A get that has nothing to take is not 0
      Given completion channel "channel" is non-blocking
      When getting an event from completion channel "channel" returns
      Then ibv_get_cq_event returned -1

  @ibv_get_cq_event.fd-nonblock
  Rule: O_NONBLOCK on the descriptor of a channel makes it non-blocking

    Scenario: A get returns that would block otherwise
      Given completion channel "channel" is non-blocking
      When getting an event from completion channel "channel" begins
      Then getting an event from completion channel "channel" is refused

    Scenario: A get still takes the event that waited before
      Given CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      And an event waits on completion channel "channel"
      When completion channel "channel" is non-blocking
      Then getting an event from completion channel "channel" gives an event of CQ "recv_cq"

  @ibv_get_cq_event.fd-getfl-preserve
  Rule: O_NONBLOCK is added to the flags that the descriptor has

    Scenario: The flags read first are all there, and O_NONBLOCK
      When completion channel "channel" is non-blocking
      Then completion channel "channel" has the file status flags that it had at first, and O_NONBLOCK

    Scenario: Added a second time, it stays
      Given completion channel "channel" is non-blocking
      When completion channel "channel" is non-blocking
      Then completion channel "channel" has the file status flags that it had at first, and O_NONBLOCK

  @ibv_get_cq_event.fd-nonblock-empty-get
  Rule: On a non-blocking channel without events a get fails instead of waiting

    The page leaves the errno open. EAGAIN is what O_NONBLOCK means for a read of any descriptor, by read(2).

    Scenario: A channel on which there never was an event
      Given completion channel "channel" is non-blocking
      When getting an event from completion channel "channel" returns
      Then ibv_get_cq_event returned -1 and left EAGAIN in errno

    Scenario: A channel whose only event was taken
      Given completion channel "channel" is non-blocking
      And 1 event of CQ "recv_cq" for an unsolicited message has been taken from completion channel "channel"
      When getting an event from completion channel "channel" begins
      Then getting an event from completion channel "channel" fails with EAGAIN

    Scenario: A second get fails as the first did
      Given completion channel "channel" is non-blocking
      Then getting an event from completion channel "channel" fails with EAGAIN
      And getting an event from completion channel "channel" fails with EAGAIN

    Scenario Outline: A channel stays non-blocking with the use of <others>
      Given completion channel "channel" is non-blocking
      When the program uses <others>
      Then getting an event from completion channel "channel" fails with EAGAIN

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
    Scenario: A further extended CQ leaves its channel non-blocking
      Given completion channel "channel" is non-blocking
      And an extended CQ "lazy_cq" on completion channel "channel" that provides "IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_IMM | IBV_WC_EX_WITH_QP_NUM | IBV_WC_EX_WITH_SRC_QP | IBV_WC_EX_WITH_SLID | IBV_WC_EX_WITH_SL | IBV_WC_EX_WITH_DLID_PATH_BITS"
      Then getting an event from completion channel "channel" fails with EAGAIN

    Scenario: The event that comes after a refused get is there to be taken
      Given completion channel "channel" is non-blocking
      And getting an event from completion channel "channel" is refused
      And CQ "recv_cq" is armed for any CQE
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

  @ibv_get_cq_event.fd-pollin-on-event
  Rule: poll() reports the descriptor of a channel readable once there is an event

    Scenario: The event is there before poll()
      Given CQ "recv_cq" is armed for any CQE
      When QP "client" sends 1 unsolicited message
      Then an event waits on completion channel "channel"
      And poll returned 1

    Scenario: The event comes while poll() waits
      Given CQ "recv_cq" is armed for any CQE
      And waiting with poll for an event on completion channel "channel" begins
      When QP "client" sends 1 unsolicited message
      When waiting with poll for an event on completion channel "channel" returns
      Then poll returned 1

  @ibv_get_cq_event.fd-poll-timeout
  Rule: Without an event poll() returns 0 when its time has elapsed, and not before

    Scenario: A channel on which nothing happens
      When waiting a moment with poll for an event on completion channel "channel" returns
      Then poll returned 0

    Scenario: A channel whose only event was taken while its CQE is still in the CQ
      Given 1 event of CQ "recv_cq" for an unsolicited message has been taken from completion channel "channel"
      When waiting a moment with poll for an event on completion channel "channel" returns
      Then poll returned 0

  @ibv_get_cq_event.fd-get-after-pollin
  Rule: Once poll() has reported the descriptor readable, a get on a non-blocking channel succeeds

    Scenario: One get takes the event, another finds none
      Given completion channel "channel" is non-blocking
      And CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      And an event waits on completion channel "channel"
      When getting an event from completion channel "channel" begins
      Then getting an event from completion channel "channel" gives an event of CQ "recv_cq"
      And getting an event from completion channel "channel" is refused

  @ibv_get_cq_event.fd-events-need-ack
  Rule: Events that were taken in non-blocking mode are owed acks like any other

    Scenario: One event taken from a non-blocking channel, acknowledged while destroy waits
      Given completion channel "channel" is non-blocking
      And 1 event of CQ "recv_cq" for an unsolicited message has been taken from completion channel "channel"
      And QPs "client" and "server" are destroyed
      When destroying CQ "recv_cq" begins
      Then destroying CQ "recv_cq" is blocked
      When 1 event of CQ "recv_cq" is acknowledged
      Then destroying CQ "recv_cq" succeeds
