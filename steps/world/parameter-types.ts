import type { Call } from './world';
import { defineParameterType } from '@cucumber/cucumber';
import type { AccessFlag, QpAttr, QpState, QpType } from '../../drivers/contract';
import { callOf, callPatterns } from '../calls/calls';
import { contentOf, contentPattern } from '../mr/content';
import type { CqKind } from '../cq/cq-attributes';
import { eventSourceOf, eventSourcePattern } from '../channel/event-source';
import { otherUses } from '../others/other-objects';
import { objectRefOf, objectPattern, type ObjectRef } from './object-ref';
import { placeOf, placePattern } from './place';
import { resultCheckOf, resultPatterns } from '../calls/raw-results';

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

/** A type of asynchronous event that must not come, for any object or for any other than one. */
export interface UnwantedEvent {
  readonly eventType: string;
  readonly butFor: ObjectRef | undefined;
}

defineParameterType({
  name: 'unwanted-event',
  regexp: new RegExp(`IBV_EVENT_[A-Z_]+(?: except for ${objectPattern.source})?`),
  transformer: (text: string): UnwantedEvent => {
    const [eventType = '', named] = text.split(' except for ');
    return { eventType, butFor: named === undefined ? undefined : objectRefOf(named) };
  },
});

/** Whether an event that is taken is acknowledged at once. */
defineParameterType({
  name: 'taking',
  regexp: /taken(?: and acknowledged)?/,
  transformer: (text: string) => ({ andAcknowledged: text !== 'taken' }),
});

/** Which verb creates a CQ. */
defineParameterType({ name: 'cq-kind', regexp: /a CQ|an extended CQ/, transformer: (text: string) => text as CqKind });

/** A type of QP as scenarios say it: RC for IBV_QPT_RC. */
defineParameterType({
  name: 'qp-type',
  regexp: /RC|UC|UD/,
  transformer: (text: string) => `IBV_QPT_${text}` as QpType,
});

/** Where a QP is moved to by ibv_modify_qp(3). */
export interface QpMove extends QpAttr {
  readonly qpState: QpState;
}

defineParameterType({
  name: 'qp-move',
  regexp: /IBV_QPS_[A-Z]+(?: with en_sqd_async_notify)?/,
  transformer: (text: string): QpMove => {
    const [qpState, ...more] = text.split(' ');
    return { qpState: qpState as QpState, ...(more.length > 0 && { enSqdAsyncNotify: true }) };
  },
});

/** Which of its CQs a QP is said to use. */
defineParameterType({
  name: 'direction',
  regexp: /sends|receives/,
  transformer: (text: string) => (text === 'sends' ? 'sendCq' : 'recvCq'),
});

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

/** What it returned; see raw-results.ts. */
defineParameterType({ name: 'result', regexp: resultPatterns, transformer: resultCheckOf });

/** A completion channel or the asynchronous event queue. */
defineParameterType({ name: 'event-source', regexp: eventSourcePattern, transformer: eventSourceOf });

/** A device context of the scenario. */
defineParameterType({ name: 'place', regexp: placePattern, transformer: placeOf });

/** What memory holds: a text, or a number of 64 bits. */
defineParameterType({ name: 'content', regexp: contentPattern, transformer: contentOf });

/** Objects that a program has beside those of the scenario, or a CQ of the scenario; see other-objects.ts. */
defineParameterType({
  name: 'others',
  regexp: [
    ...Object.keys(otherUses).map((others) => new RegExp(others)),
    /CQ "[^"]*" in other ways/,
    /a batch of CQ "[^"]*"(?: with time stamps)?/,
  ],
  transformer: (text: string) => text,
});

/** Whether the link of the port comes up. */
defineParameterType({
  name: 'link-change',
  regexp: /taken down|brought up/,
  transformer: (text: string) => text === 'brought up',
});

/** Whether the port is said to be active. */
defineParameterType({
  name: 'port-activity',
  regexp: /(?:not )?IBV_PORT_ACTIVE/,
  transformer: (text: string) => text,
});

/** What an asynchronous event names. */
defineParameterType({
  name: 'subject',
  regexp: [objectPattern, /its port/],
  transformer: (text: string): ObjectRef | 'its port' => (text === 'its port' ? text : objectRefOf(text)),
});

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
