@ibv_modify_cq @needs.connection @needs.cq-notifications
Feature: ibv_modify_cq(3) - modify a CQ

  Moderation makes one completion event for several CQEs: when cq_count of them have come, or when cq_period has elapsed.
  The page names the two members and no more. It does not say from when on cq_period counts, and on some devices that is the
  event before, so the first CQE of an idle CQ may make its event at once: the scenarios ask for no exact moment. Nor does
  the page limit cq_period, but there are devices that take 4095 microseconds at most. A device may lack the verb.

  Background:
    Given a CQ "recv_cq" on completion channel "channel"
    And connected RC QPs "client" and "server", where "server" receives on CQ "recv_cq"
    And 4 receives posted on QP "server"

  @ibv_modify_cq.signature @ibv_modify_cq.returns-errno
  Rule: ibv_modify_cq() takes a CQ and what to modify, and returns 0 or the number of an errno

    Scenario: The result says whether the device can moderate
      Then modifying CQ "recv_cq" with attr_mask IBV_CQ_ATTR_MODERATE, cq_count 2 and cq_period 100 succeeds or is refused with an errno number

    Scenario: A CQ works whether it could be modified or not
      When modifying CQ "recv_cq" with attr_mask IBV_CQ_ATTR_MODERATE, cq_count 1 and cq_period 1 succeeds or is refused with an errno number
      And CQ "recv_cq" is armed for any CQE
      And QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more
      And CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS

  @ibv_modify_cq.modifies-by-mask
  Rule: What attr_mask does not name is not modified

    Whether an empty mask is refused the page does not say.

    @needs.cq-moderation
    Scenario: Without IBV_CQ_ATTR_MODERATE the event does not wait for more CQEs
      When modifying CQ "recv_cq" with attr_mask IBV_CQ_ATTR_MODERATE, cq_count 1 and cq_period 1 succeeds
      And modifying CQ "recv_cq" with attr_mask 0, cq_count 3 and cq_period 0 succeeds or is refused with an errno number
      And CQ "recv_cq" is armed for any CQE
      And QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more
      And CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS

    @needs.cq-moderation
    Scenario: An empty attr_mask leaves the CQ armed
      Given CQ "recv_cq" is armed for any CQE
      When modifying CQ "recv_cq" with attr_mask 0, cq_count 1 and cq_period 0 succeeds or is refused with an errno number
      And QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

  @ibv_modify_cq.moderate-count
  Rule: A moderated CQ makes one event for cq_count CQEs

    That no event comes before, the page lets no program see: cq_period may have elapsed.

    @needs.cq-moderation
    Scenario: Three CQEs make one event
      When modifying CQ "recv_cq" with attr_mask IBV_CQ_ATTR_MODERATE, cq_count 3 and cq_period 4095 succeeds
      And CQ "recv_cq" is armed for any CQE
      And QP "client" sends 3 unsolicited messages
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more
      And CQ "recv_cq" gains 3 CQEs with status IBV_WC_SUCCESS

  @ibv_modify_cq.moderate-period
  Rule: A moderated CQ makes its event after cq_period microseconds although fewer CQEs have come

    4095 microseconds have elapsed long before this suite gives up waiting.

    @needs.cq-moderation
    Scenario: The event comes although two of three CQEs are missing
      When modifying CQ "recv_cq" with attr_mask IBV_CQ_ATTR_MODERATE, cq_count 3 and cq_period 4095 succeeds
      And CQ "recv_cq" is armed for any CQE
      And QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more
      And CQ "recv_cq" gains 1 CQE with status IBV_WC_SUCCESS

    @needs.cq-moderation
    Scenario: The period counts for each event anew
      When modifying CQ "recv_cq" with attr_mask IBV_CQ_ATTR_MODERATE, cq_count 3 and cq_period 4095 succeeds
      And CQ "recv_cq" is armed for any CQE
      And QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more
      When CQ "recv_cq" is armed for any CQE
      And QP "client" sends 1 unsolicited message
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

    @needs.cq-moderation
    Scenario: The event comes although the CQE was polled before
      When modifying CQ "recv_cq" with attr_mask IBV_CQ_ATTR_MODERATE, cq_count 3 and cq_period 4095 succeeds
      And CQ "recv_cq" is armed for any CQE
      And QP "client" sends 1 unsolicited message
      And CQ "recv_cq" has been emptied of 1 CQE
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

    @needs.cq-moderation @needs.resize-cq
    Scenario: The event comes although the CQ is resized before
      When modifying CQ "recv_cq" with attr_mask IBV_CQ_ATTR_MODERATE, cq_count 3 and cq_period 4095 succeeds
      And CQ "recv_cq" is armed for any CQE
      And QP "client" sends 1 unsolicited message
      And CQ "recv_cq" has been emptied of 1 CQE
      And resizing CQ "recv_cq" to 32 entries succeeds
      Then completion channel "channel" delivers 1 event for CQ "recv_cq" and no more

  @ibv_modify_cq.returns-zero
  Rule: ibv_modify_cq() returns 0 when it has modified the CQ

    @needs.cq-moderation
    Scenario: A moderation that the device can do returns 0
      When modifying CQ "recv_cq" with attr_mask IBV_CQ_ATTR_MODERATE, cq_count 2 and cq_period 100 returns
      Then ibv_modify_cq returned 0

    @needs.cq-moderation
    Scenario: A further moderation returns 0, too
      When modifying CQ "recv_cq" with attr_mask IBV_CQ_ATTR_MODERATE, cq_count 2 and cq_period 100 succeeds
      And modifying CQ "recv_cq" with attr_mask IBV_CQ_ATTR_MODERATE, cq_count 4 and cq_period 200 returns
      Then ibv_modify_cq returned 0
