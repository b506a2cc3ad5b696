@ibv_create_comp_channel @needs.connection @needs.cq-notifications
Feature: ibv_create_comp_channel(3), ibv_destroy_comp_channel(3) - create or destroy a completion event channel

  A completion channel carries completion events from the device to the process. A CQ is attached to the channel that it
  was created with, and as long as it lives.

  Background:
    Given a CQ "recv_cq" on completion channel "channel"
    And connected RC QPs "client" and "server", where "server" receives on CQ "recv_cq"
    And 4 receives posted on QP "server"

  @ibv_create_comp_channel.signature @ibv_create_comp_channel.returns-pointer
  Rule: Creating a channel takes a context and returns a pointer

    That destroying takes the pointer and returns an int is shown with its result, below.

    Scenario: The result of creating a second channel on a context
      When creating a completion channel returns
      Then ibv_create_comp_channel returned a pointer

  @ibv_create_comp_channel.creates-on-context
  Rule: The channel belongs to the context on which it was created

    Scenario: The context of the channel is the one it was created on
      Given completion channel "spare_channel"
      Then completion channel "spare_channel" belongs to the device context

    Scenario: It stays the same when another context has been opened
      Given completion channel "spare_channel"
      When the program uses other contexts
      Then completion channel "spare_channel" belongs to the device context

  @ibv_create_comp_channel.event-conduit
  Rule: Completion events travel over the channel

    Scenario: An event comes out of the channel
      Given CQ "recv_cq" is armed for any CQE
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

    Scenario: Each of three events comes out of the channel
      When 2 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      And CQ "recv_cq" is armed for any CQE
      And QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

  @ibv_create_comp_channel.destroys
  Rule: Destroying a channel gives back what it took

    That a channel is gone shows in its file descriptor: where no other is left, the next channel can have it.

    Scenario: With no file descriptor left but that of a channel, a new one can be created once it is destroyed
      Given completion channel "spare_channel"
      And the process may open no more files than it has open with completion channel "spare_channel"
      And creating a completion channel is refused
      When destroying completion channel "spare_channel" begins
      Then destroying completion channel "spare_channel" succeeds
      And creating a completion channel succeeds

    Scenario: The descriptor of a channel that has had a CQ can be had, too
      Given completion channel "used_channel"
      And a CQ "used_cq" on completion channel "used_channel"
      And the process may open no more files than it has open with completion channel "used_channel"
      And creating a completion channel is refused
      And destroying CQ "used_cq" succeeds
      When destroying completion channel "used_channel" succeeds
      Then creating a completion channel succeeds

  @ibv_create_comp_channel.returns-null
  Rule: A channel that cannot be created is NULL

    A channel is a file descriptor, so a process that may open no further file cannot have one.

    Scenario: No file descriptor is free, then one is
      When creating a completion channel without a free file descriptor returns
      Then ibv_create_comp_channel returned NULL
      And creating a completion channel succeeds

  @ibv_create_comp_channel.errno-on-null
  Rule: errno says why there is no channel

    The page says so from rdma-core 65 on; older ones promise NULL and no more. None says which errno it is.

    @needs.rdma-core-65
    Scenario: errno after a channel could not be created
      When creating a completion channel without a free file descriptor returns
      Then ibv_create_comp_channel returned NULL and left an errno

  @ibv_create_comp_channel.destroy-returns-zero
  Rule: Destroying a channel returns 0

    Scenario: A channel to which no CQ was ever attached
      Given completion channel "spare_channel"
      When destroying completion channel "spare_channel" returns
      Then ibv_destroy_comp_channel returned 0

  @ibv_create_comp_channel.destroy-returns-errno
  Rule: A channel that cannot be destroyed is reported with the errno number

    The page does not say which errno stands for a CQ that is still attached; the scenario takes any.

    Scenario: The number for a channel with a CQ
      When destroying completion channel "channel" returns
      Then ibv_destroy_comp_channel returned an errno number

  @ibv_create_comp_channel.is-file-descriptor
  Rule: A channel is a file descriptor that tells of events

    Scenario: The descriptor is one of the process, and becomes readable with an event
      Given completion channel "channel" is non-blocking
      And CQ "recv_cq" is armed for any CQE
      Then completion channel "channel" delivers no event
      And poll returned 0
      When QP "client" sends 1 unsolicited message
      Then an event waits on completion channel "channel"
      And poll returned 1

    Scenario: Two channels have two descriptors, and keep them
      Given completion channel "other_channel"
      Then completion channels "channel" and "other_channel" each have a file descriptor of their own, and keep it

  @ibv_create_comp_channel.delivers-via-attached
  Rule: The event of a CQ comes out of the channel that the CQ is attached to, and of no other

    Scenario: A channel that was created later gets nothing
      Given completion channel "later_channel"
      And CQ "recv_cq" is armed for any CQE
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more
      And completion channel "later_channel" delivers no event

    Scenario: A channel that was created earlier gets nothing
      Given a CQ "later_cq" on completion channel "later_channel"
      And connected RC QPs "left" and "right", where "right" receives on CQ "later_cq"
      And 1 receive posted on QP "right"
      And CQ "recv_cq" is armed for any CQE
      And CQ "later_cq" is armed for any CQE
      When QP "left" sends 1 unsolicited message
      Then completion channel "later_channel" delivers 1 event for CQ "later_cq" and no more
      And completion channel "channel" delivers no event

  @ibv_create_comp_channel.multiple-channels-steer
  Rule: An event wakes the thread that waits on its own channel, and leaves the others asleep

    Scenario: Two threads wait on two channels
      Given a CQ "other_cq" on completion channel "other_channel"
      And connected RC QPs "left" and "right", where "right" receives on CQ "other_cq"
      And 1 receive posted on QP "right"
      And CQ "recv_cq" is armed for any CQE
      And CQ "other_cq" is armed for any CQE
      When getting an event from completion channel "channel" begins
      And getting an event from completion channel "other_channel" begins
      Then getting an event from completion channel "channel" is blocked
      And getting an event from completion channel "other_channel" is blocked
      When QP "left" sends 1 unsolicited message
      Then getting an event from completion channel "other_channel" gives an event of CQ "other_cq"
      And getting an event from completion channel "channel" is blocked
      When QP "client" sends 1 unsolicited message
      Then getting an event from completion channel "channel" gives an event of CQ "recv_cq"

    Scenario Outline: Threads wait on the channels of two device contexts, and QP <sender> sends first
      Given the program works on device context "other"
      And a CQ "other_cq" on completion channel "other_channel"
      And connected RC QPs "left" and "right", where "right" receives on CQ "other_cq"
      And 1 receive posted on QP "right"
      And CQ "recv_cq" is armed for any CQE
      And CQ "other_cq" is armed for any CQE
      And getting an event from completion channel "channel" has begun and is blocked
      And getting an event from completion channel "other_channel" has begun and is blocked
      When QP <sender> sends 1 unsolicited message
      Then getting an event from <first channel> gives an event of CQ <first CQ>
      And getting an event from <second channel> is blocked
      When QP <second sender> sends 1 unsolicited message
      Then getting an event from <second channel> gives an event of CQ <second CQ>

      Examples:
        | sender   | first channel                      | first CQ   | second sender | second channel                     | second CQ  |
        | "client" | completion channel "channel"       | "recv_cq"  | "left"        | completion channel "other_channel" | "other_cq" |
        | "left"   | completion channel "other_channel" | "other_cq" | "client"      | completion channel "channel"       | "recv_cq"  |

  @ibv_create_comp_channel.shared-by-cqs
  Rule: Several CQs can share a channel

    Scenario: Two CQs notify over one channel, one after the other
      Given a CQ "send_cq" on completion channel "channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | send_cq |            |
        | right |         | recv_cq    |
      And 2 receives posted on QP "right"
      And CQ "recv_cq" is armed for any CQE
      When QP "left" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more
      Given CQ "send_cq" is armed for any CQE
      When QP "left" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "send_cq" and no more

    Scenario: Six CQs have one channel, and the last of them notifies as the first
      Given a CQ "cq_1" on completion channel "shared_channel"
      And a CQ "cq_2" on completion channel "shared_channel"
      And a CQ "cq_3" on completion channel "shared_channel"
      And a CQ "cq_4" on completion channel "shared_channel"
      And a CQ "cq_5" on completion channel "shared_channel"
      And a CQ "cq_6" on completion channel "shared_channel"
      And connected RC QPs:
        | QP    | send CQ | receive CQ |
        | left  | cq_1    |            |
        | right |         | cq_6       |
      And 2 receives posted on QP "right"
      And CQ "cq_6" is armed for any CQE
      When QP "left" sends 1 unsolicited message
      Then completion channel "shared_channel" delivers 1 event for CQ "cq_6" and no more
      Given CQ "cq_1" is armed for any CQE
      When QP "left" sends 1 unsolicited message
      Then completion channel "shared_channel" delivers 1 event for CQ "cq_1" and no more

  @ibv_create_comp_channel.destroy-busy
  Rule: A channel is not destroyed while a CQ is attached to it

    Scenario: The channel of one CQ, which goes on working
      When destroying completion channel "channel" begins
      Then destroying completion channel "channel" is refused
      Given CQ "recv_cq" is armed for any CQE
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

    Scenario: The channel of two CQs of which one is destroyed
      Given a CQ "first_cq" on completion channel "shared_channel"
      And a CQ "second_cq" on completion channel "shared_channel"
      And destroying CQ "first_cq" succeeds
      When destroying completion channel "shared_channel" begins
      Then destroying completion channel "shared_channel" is refused

    Scenario: The refusal leaves the events of the channel in it, and comes again
      Given CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      And an event waits on completion channel "channel"
      When destroying completion channel "channel" is refused
      Then destroying completion channel "channel" is refused
      And completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

  @ibv_create_comp_channel.destroy-ok-after-cqs
  Rule: A channel can be destroyed when the last of its CQs is gone

    Scenario: Refused with two CQs and with one, done with none
      Given a CQ "first_cq" on completion channel "shared_channel"
      And a CQ "second_cq" on completion channel "shared_channel"
      Then destroying completion channel "shared_channel" is refused
      When destroying CQ "second_cq" succeeds
      Then destroying completion channel "shared_channel" is refused
      When destroying CQ "first_cq" succeeds
      And destroying completion channel "shared_channel" begins
      Then destroying completion channel "shared_channel" succeeds

    Scenario: Events that were taken and acknowledged do not hold the channel
      Given 2 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      And 2 events of CQ "recv_cq" are acknowledged
      And QPs "client" and "server" are destroyed
      And destroying CQ "recv_cq" succeeds
      When destroying completion channel "channel" begins
      Then destroying completion channel "channel" succeeds

    Scenario: A CQ that could not be created does not hold the channel
      Given completion channel "other_channel"
      And creating a CQ of more entries than the device allows on completion channel "other_channel" is refused
      When destroying completion channel "other_channel" begins
      Then destroying completion channel "other_channel" succeeds
