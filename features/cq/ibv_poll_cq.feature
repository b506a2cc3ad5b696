@ibv_poll_cq
Feature: ibv_poll_cq(3) - poll a CQ for completions

  A CQ may take a few CQEs more than its cqe member says, so it overruns at the first CQE for which it truly has no room.

  Background:
    Given a CQ "small_cq" of 4 entries
    And a CQ "other_cq" of 4 entries
    And connected RC QPs "client" and "server", where "client" sends on CQ "small_cq"
    And as many receives posted on QP "server" as it takes to overrun CQ "small_cq"

  # NOTES: a CQ that overruns raises IBV_EVENT_CQ_ERR.
  @ibv_poll_cq.overrun-async-event
  Rule: A CQ that overruns raises IBV_EVENT_CQ_ERR, which names that CQ

    Scenario: More CQEs than the CQ holds raise the event
      When QP "client" sends messages until CQ "small_cq" has no room for their CQEs
      Then the device raises IBV_EVENT_CQ_ERR for CQ "small_cq"

    Scenario: A CQ that is just full raises no event
      When QP "client" sends as many messages as CQ "small_cq" has entries
      Then QP "server" receives as many messages as CQ "small_cq" has entries
      And the device raises no IBV_EVENT_CQ_ERR
      And CQ "small_cq" gains as many CQEs as it has entries, with status IBV_WC_SUCCESS

  # NOTES: after an overrun the CQ cannot be used. The page does not say how that shows: a device may refuse to post to its
  # QPs or to poll it, or let what it held before be polled. Any will do, as long as it reports no work that comes later.
  @ibv_poll_cq.overrun-cq-unusable
  Rule: A CQ that has overrun is of no further use

    Scenario: Work that is posted after the overrun is never reported, although the CQ has been emptied
      Given QP "client" has sent messages until CQ "small_cq" had no room for their CQEs
      And the device has raised IBV_EVENT_CQ_ERR for CQ "small_cq"
      And CQ "small_cq" has been emptied as far as it can be polled
      When QP "client" tries to send 1 more message
      Then CQ "small_cq" reports no completion of that message
