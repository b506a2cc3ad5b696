import { defineParameterType } from '@cucumber/cucumber';
import type { AccessFlag, QpState, QpType } from '../drivers/contract';
import { callOf, callPatterns, type Call } from './calls';
import type { CqKind } from './cq-attributes';
import { objectRefOf, objectPattern, type ObjectRef } from './object-ref';

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

/** Which verb creates a CQ. */
defineParameterType({ name: 'cq-kind', regexp: /a CQ|an extended CQ/, transformer: (text: string) => text as CqKind });

/** A type of QP as scenarios say it: RC for IBV_QPT_RC. */
defineParameterType({
  name: 'qp-type',
  regexp: /RC|UC|UD/,
  transformer: (text: string) => `IBV_QPT_${text}` as QpType,
});

/** A state of ibv_modify_qp(3). */
defineParameterType({ name: 'qp-state', regexp: /IBV_QPS_[A-Z]+/, transformer: (text: string) => text as QpState });

/** Access flags of ibv_reg_mr(3), joined as in C. */
defineParameterType({
  name: 'access',
  regexp: /IBV_ACCESS_[A-Z_]+(?: \| IBV_ACCESS_[A-Z_]+)*/,
  transformer: (text: string) => text.split(' | ') as AccessFlag[],
});

/** How the descriptor of events is read: with O_NONBLOCK or without. */
defineParameterType({
  name: 'blocking',
  regexp: /non-blocking|blocking/,
  transformer: (text: string) => text === 'blocking',
});

/** The symbolic name of an errno value. */
defineParameterType({ name: 'errno', regexp: /E[A-Z]+/, transformer: (text: string) => text });

/** A C function whose raw result a scenario looks at. */
defineParameterType({ name: 'verb', regexp: /ibv_[a-z_]+|poll/, transformer: (text: string) => text });

/** A number as C code has it: decimal or hexadecimal. */
defineParameterType({ name: 'number', regexp: /0x[0-9a-f]+|-?\d+/, transformer: (text: string) => BigInt(text) });

/** An object of the scenario that events name and that can be destroyed. */
defineParameterType({
  name: 'object',
  regexp: objectPattern,
  transformer: (text: string): ObjectRef => objectRefOf(text),
});

/** A call that may be refused or may block; see calls.ts. */
defineParameterType({ name: 'call', regexp: callPatterns, transformer: (text: string): Call => callOf(text) });
