import { callsOf, mayHaveSucceeded, type CallRecord, type Handle } from '../../drivers/contract';
import { hasEndedBefore } from './ended';
import type { CqOfTrace } from './queues';

/** Completion events of one CQ that nothing accounts for. */
export interface StrayCompEvents {
  readonly cq: Handle;
  readonly count: number;
  readonly why: string;
}

/**
 * The completion events that nothing accounts for: of CQs of another channel, or more than the CQ was armed for, each time
 * for one, or than there can be CQEs.
 *
 * @param completionsMax - how many CQEs of a CQ there can be
 */
export function strayCompEvents(
  trace: readonly CallRecord[],
  cqs: readonly CqOfTrace[],
  completionsMax: (cq: Handle) => number,
): StrayCompEvents[] {
  const armed = callsOf(trace, 'ibv_req_notify_cq').filter(mayHaveSucceeded);
  const events = callsOf(trace, 'ibv_get_cq_event').flatMap(({ args, outputs, returned, startedAt }) =>
    returned === 0 && outputs.cq !== undefined ? [{ cq: outputs.cq, channel: args.channel, startedAt }] : [],
  );
  const misplaced = events.flatMap(({ cq, channel, startedAt }) => {
    const why = hasEndedBefore(trace, cq, startedAt)
      ? 'it had been destroyed'
      : cqs.some((one) => one.cq === cq && one.channel === channel)
        ? undefined
        : 'it is not bound to that completion channel';
    return why === undefined ? [] : [{ cq, count: 1, why }];
  });
  const excessive = cqs.flatMap(({ cq }) => {
    const count = events.filter((event) => event.cq === cq).length;
    const arms = armed.filter(({ args }) => args.cq === cq).length;
    const completions = completionsMax(cq);
    if (count > arms) return [{ cq, count, why: `it was armed ${times(arms)}` }];
    return count > completions ? [{ cq, count, why: `it can have gained ${completions} CQEs` }] : [];
  });
  return [...misplaced, ...excessive];
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);
