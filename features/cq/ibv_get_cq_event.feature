@ibv_get_cq_event
Feature: ibv_get_cq_event(3), ibv_ack_cq_events(3) - get and acknowledge completion events

  Destroying a CQ waits until as many of its events were acknowledged as were taken from the completion channel. In these
  scenarios the QPs are gone before the CQ is destroyed, so that nothing but the events can hold it up.

  Background:
    Given a CQ "recv_cq" on completion channel "channel"
    And connected RC QPs "client" and "server", where "server" receives on CQ "recv_cq"
    And 4 receives posted on QP "server"

  # NOTES: destroying a CQ waits for all completion events to be acknowledged.
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
      And destroying CQ "recv_cq" has begun and is blocked
      When 1 event of CQ "recv_cq" is acknowledged
      Then destroying CQ "recv_cq" is blocked

  # NOTES: destroy waits for the acks, and for nothing else.
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

  # NOTES: acks and successful gets correspond one to one.
  @ibv_get_cq_event.acks-match-gets
  Rule: As many acks are owed as gets succeeded

    Scenario: As many acks as gets, in one call and singly, leave nothing to wait for
      Given 3 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      And 2 events of CQ "recv_cq" are acknowledged
      And 1 event of CQ "recv_cq" is acknowledged
      And QPs "client" and "server" are destroyed
      When destroying CQ "recv_cq" begins
      Then destroying CQ "recv_cq" succeeds

    Scenario: An event that nobody took is owed no ack
      Given CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      And an event waits on completion channel "channel"
      And QPs "client" and "server" are destroyed
      When destroying CQ "recv_cq" begins
      Then destroying CQ "recv_cq" succeeds

    Scenario: A get that found no event is owed no ack
      Given completion channel "channel" is non-blocking
      And getting an event from completion channel "channel" fails with EAGAIN
      And QPs "client" and "server" are destroyed
      When destroying CQ "recv_cq" begins
      Then destroying CQ "recv_cq" succeeds
