import { callsOf, type CallRecord, type Handle } from '../../drivers/contract';
import { eventCauses, isAsyncEventType, type AsyncCauses, type EventCause } from './async-event-causes';
import { hasEndedBefore } from './ended';

/** What an asynchronous event names. */
export type Element = Handle | number | null;

/** Asynchronous events of one type and element that nothing accounts for. */
export interface StrayAsyncEvents {
  readonly eventType: string;
  readonly element: Element;
  readonly count: number;
  readonly why: string;
}

interface Raised {
  readonly eventType: string;
  readonly element: Element;
  /** When it was asked for, in microseconds as in the trace. */
  readonly atUs: number;
}

/** Where the elements of events come from. */
export interface Elements {
  readonly cqs: readonly Handle[];
  readonly qps: readonly Handle[];
  readonly srqs: readonly Handle[];
  readonly ports: number;
}

/**
 * The asynchronous events that nothing accounts for: the header does not have their type, the scenario did not make what
 * they name or had destroyed it, or there are more of them than causes.
 */
export function strayAsyncEvents(
  trace: readonly CallRecord[],
  elements: Elements,
  causes: AsyncCauses,
): StrayAsyncEvents[] {
  const raised = callsOf(trace, 'ibv_get_async_event').flatMap(({ outputs, returned, startedAt }): Raised[] => {
    const { eventType = '', element = null } = outputs;
    return returned === 0 ? [{ eventType, element, atUs: startedAt }] : [];
  });
  const bad = raised.flatMap((event) => {
    const why = whatIsWrong(event, trace, elements);
    return why === undefined ? [] : [{ event, why }];
  });
  const good = raised.filter((event) => !bad.some((one) => one.event === event));
  return [
    ...bad.map(({ event: { eventType, element }, why }) => ({ eventType, element, count: 1, why })),
    ...kindsOf(good).flatMap((kind) => excessive(kind, causes)),
  ];
}

function whatIsWrong({ eventType, element, atUs }: Raised, trace: readonly CallRecord[], elements: Elements) {
  if (!isAsyncEventType(eventType)) return 'there is no such type';
  const { names } = eventCauses[eventType];
  if (!isNamed(names, element, elements)) return 'it names something else than its type does';
  const isGone = typeof element === 'string' && hasEndedBefore(trace, element, atUs);
  return isGone ? 'it had been destroyed' : undefined;
}

function isNamed(names: EventCause['names'], element: Element, { cqs, qps, srqs, ports }: Elements): boolean {
  if (names === 'nothing') return element === null;
  if (names === 'port') return typeof element === 'number' && element >= 1 && element <= ports;
  return typeof element === 'string' && { cq: cqs, qp: qps, srq: srqs }[names].includes(element);
}

/** Events that say the same, together. */
function kindsOf(raised: readonly Raised[]): readonly (readonly Raised[])[] {
  const kinds = new Map<string, Raised[]>();
  for (const event of raised) {
    const key = `${event.eventType} ${event.element}`;
    kinds.set(key, [...(kinds.get(key) ?? []), event]);
  }
  return [...kinds.values()];
}

function excessive(same: readonly Raised[], causes: AsyncCauses): StrayAsyncEvents[] {
  const [{ eventType, element } = { eventType: '', element: null }] = same;
  if (!isAsyncEventType(eventType)) return [];
  const most = eventCauses[eventType].most(causes, String(element));
  const why = most === 0 ? 'the scenario gave no cause for it' : `the scenario gave cause for ${most}`;
  return same.length > most ? [{ eventType, element, count: same.length, why }] : [];
}
