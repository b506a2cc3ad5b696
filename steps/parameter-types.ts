import { defineParameterType } from '@cucumber/cucumber';

/** What ibv_req_notify_cq(3) is asked for: the value of its `solicited_only`. */
defineParameterType({
  name: 'scope',
  regexp: /any CQE|solicited CQEs only/,
  transformer: (text: string) => (text === 'any CQE' ? 0 : 1),
});

/** Whether a message is sent with IBV_SEND_SOLICITED. */
defineParameterType({
  name: 'solicitation',
  regexp: /solicited|unsolicited/,
  transformer: (text: string) => text === 'solicited',
});

/** A status of ibv_poll_cq(3). */
defineParameterType({ name: 'status', regexp: /IBV_WC_[A-Z_]+/, transformer: (text: string) => text });

/** An event of ibv_get_async_event(3). */
defineParameterType({ name: 'async-event', regexp: /IBV_EVENT_[A-Z_]+/, transformer: (text: string) => text });

/** The symbolic name of an errno value. */
defineParameterType({ name: 'errno', regexp: /E[A-Z]+/, transformer: (text: string) => text });
