@ibv_req_notify_cq
Feature: ibv_req_notify_cq(3) - request completion notification on a CQ

  A CQ makes a completion event only when it was armed before, and only for a CQE that matches what was asked for: any
  CQE, or a solicited one. A receive is solicited when its sender set IBV_SEND_SOLICITED.

  Background:
    Given a CQ "recv_cq" on completion channel "channel"
    And connected RC QPs "client" and "server", where "server" receives on CQ "recv_cq"
    And 4 receives posted on QP "server"

  # NOTES: the request is "one shot".
  @ibv_req_notify_cq.one-shot
  Rule: One request adds at most one completion event

    Scenario: Two CQEs after one request add one event
      Given CQ "recv_cq" is armed for any CQE
      When QP "client" sends 2 unsolicited messages
      Then CQ "recv_cq" gains 2 CQEs with status IBV_WC_SUCCESS
      And completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

    Scenario: Two solicited CQEs after one request for solicited CQEs add one event
      Given CQ "recv_cq" is armed for solicited CQEs only
      When QP "client" sends 2 solicited messages
      Then CQ "recv_cq" gains 2 CQEs with status IBV_WC_SUCCESS
      And completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

  # DESCRIPTION (RDMAmojo): after a notification one has to ask again.
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

  # DESCRIPTION (RDMAmojo): asking again brings further notifications.
  @ibv_req_notify_cq.rearm-restores
  Rule: Arming again after a notification makes the next CQE notify again

    Scenario: Each of three requests is answered by an event of its own
      Given 2 events of CQ "recv_cq" for unsolicited messages have been taken from completion channel "channel"
      And CQ "recv_cq" is armed for any CQE
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

    Scenario: The event before need not be acknowledged to arm again
      Given CQ "recv_cq" is armed for any CQE
      And QP "client" has sent 1 unsolicited message
      And the event of CQ "recv_cq" on completion channel "channel" is taken
      And CQ "recv_cq" is armed for any CQE
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

  # DESCRIPTION (RDMAmojo): CQEs that were there before the call notify nobody.
  @ibv_req_notify_cq.existing-cqe-ignored
  Rule: CQEs that are in the CQ when it is armed do not notify

    Scenario: An unsolicited CQE waits in the CQ that is armed for any CQE
      Given 1 event of CQ "recv_cq" for an unsolicited message has been taken from completion channel "channel"
      When CQ "recv_cq" is armed for any CQE
      Then completion channel "channel" delivers no event
      And CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS

    Scenario: A solicited CQE waits in the CQ that is armed for solicited CQEs
      Given 1 event of CQ "recv_cq" for a solicited message has been taken from completion channel "channel"
      When CQ "recv_cq" is armed for solicited CQEs only
      Then completion channel "channel" delivers no event
      And CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS

  # DESCRIPTION (RDMAmojo): while a request is pending, the same request again has no effect.
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

  # DESCRIPTION (RDMAmojo): CQEs of the kind not asked for leave the request pending.
  @ibv_req_notify_cq.nonzero-survives-unsolicited
  Rule: An unsolicited CQE does not spend a request for solicited CQEs

    Scenario: The solicited CQE after an unsolicited one adds the event
      Given CQ "recv_cq" is armed for solicited CQEs only
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers no event
      When QP "client" sends 1 solicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more
      And CQ "recv_cq" gains 2 CQEs with status IBV_WC_SUCCESS

    Scenario: The request outlasts unsolicited CQEs that are polled meanwhile
      Given CQ "recv_cq" is armed for solicited CQEs only
      When QP "client" sends 2 unsolicited messages
      Then CQ "recv_cq" gains 2 CQEs with status IBV_WC_SUCCESS
      And completion channel "channel" delivers no event
      When QP "client" sends 1 solicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

  # DESCRIPTION: a CQE is solicited if it is a receive of a message with the Solicited Event bit.
  @ibv_req_notify_cq.solicited-recv-send
  Rule: The receive CQE of a Send with IBV_SEND_SOLICITED is solicited

    Scenario: A solicited message notifies a CQ that is armed for solicited CQEs
      Given CQ "recv_cq" is armed for solicited CQEs only
      When QP "client" sends 1 solicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more
      And CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS

  # DESCRIPTION: all other successful receives are unsolicited.
  @ibv_req_notify_cq.unsolicited-recv-success
  Rule: The receive CQE of a message without the Solicited Event bit is unsolicited

    Scenario: An unsolicited message leaves a CQ silent that is armed for solicited CQEs
      Given CQ "recv_cq" is armed for solicited CQEs only
      When QP "client" sends 1 unsolicited message
      Then CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS
      And completion channel "channel" delivers no event

  # DESCRIPTION (RDMAmojo): a request for the next completion takes precedence over one for a solicited completion.
  @ibv_req_notify_cq.solicited-then-next
  Rule: A request for any CQE widens a pending request for solicited CQEs

    Scenario: Armed for solicited CQEs, then for any: an unsolicited CQE notifies
      Given CQ "recv_cq" is armed for solicited CQEs only
      And CQ "recv_cq" is armed for any CQE
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

  # DESCRIPTION (RDMAmojo): the precedence holds in either order.
  @ibv_req_notify_cq.next-then-solicited
  Rule: A request for solicited CQEs does not narrow a pending request for any CQE

    Scenario: Armed for any CQE, then for solicited ones: an unsolicited CQE notifies
      Given CQ "recv_cq" is armed for any CQE
      And CQ "recv_cq" is armed for solicited CQEs only
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

  # FAQ (RDMAmojo): several requests of both kinds end in one notification.
  @ibv_req_notify_cq.mixed-single-event
  Rule: Pending requests of both kinds are answered by one event, at the next CQE

    Scenario: Armed for solicited CQEs, then for any: an unsolicited CQE notifies, a solicited one after it does not
      Given CQ "recv_cq" is armed for solicited CQEs only
      And CQ "recv_cq" is armed for any CQE
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more
      When QP "client" sends 1 solicited message
      Then CQ "recv_cq" gains 2 CQEs with status IBV_WC_SUCCESS
      And completion channel "channel" delivers no event

    Scenario: Armed for any CQE, then for solicited ones: an unsolicited CQE notifies, a solicited one after it does not
      Given CQ "recv_cq" is armed for any CQE
      And CQ "recv_cq" is armed for solicited CQEs only
      When QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more
      When QP "client" sends 1 solicited message
      Then CQ "recv_cq" gains 2 CQEs with status IBV_WC_SUCCESS
      And completion channel "channel" delivers no event
