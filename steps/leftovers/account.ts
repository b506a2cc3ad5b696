import { callsOf, type CallRecord, type Handle } from '../../drivers/contract';
import { causesIn } from './causes-in-trace';
import { mayHaveOverrun } from './overrun';
import { completionsIn, type PolledCompletion } from './polled-completions';
import { workIn, workOn } from './posted-work';
import { cqsIn, qpsIn } from './queues';
import { strayAsyncEvents, type StrayAsyncEvents } from './stray-async-events';
import { strayCompEvents, type StrayCompEvents } from './stray-comp-events';
import { strayCompletions } from './stray-completions';

/** What a device gave a scenario that nothing in it accounts for. */
export interface Unaccounted {
  readonly completions: readonly PolledCompletion[];
  readonly compEvents: readonly StrayCompEvents[];
  readonly asyncEvents: readonly StrayAsyncEvents[];
}

/** What a trace does not say. */
export interface Surroundings {
  /** Ports of the device. */
  readonly ports: number;
  /** Whether anything was sent, from this device or from another one. */
  readonly hasSent: boolean;
}

/** Accounts for all CQEs and events that a device gave a scenario, from the calls that the scenario made. */
export function unaccountedIn(trace: readonly CallRecord[], { ports, hasSent }: Surroundings): Unaccounted {
  const [cqs, qps] = [cqsIn(trace), qpsIn(trace)];
  const [work, completions] = [workIn(trace, qps), completionsIn(trace)];
  const accounts = cqs.map((cq) => {
    const own = workOn(cq.cq, work, qps);
    const given = completions.filter((one) => one.cq === cq.cq);
    return { cq: cq.cq, own, given, hasOverrun: mayHaveOverrun(cq, own, given) };
  });
  const workOf = (cq: Handle): number => accounts.find((one) => one.cq === cq)?.own.length ?? 0;
  const lost = (cq: Handle): number => (accounts.some((one) => one.cq === cq && one.hasOverrun) ? workOf(cq) : 0);
  const elements = {
    cqs: cqs.map(({ cq }) => cq),
    qps: qps.map(({ qp }) => qp),
    srqs: callsOf(trace, 'ibv_create_srq').map(({ returned }) => String(returned)),
    ports,
  };
  return {
    completions: accounts.flatMap(({ cq, own, given, hasOverrun }) =>
      hasOverrun ? [] : strayCompletions(cq, qps, own, given),
    ),
    compEvents: strayCompEvents(trace, cqs, workOf),
    asyncEvents: strayAsyncEvents(trace, elements, causesIn(trace, qps, hasSent, lost)),
  };
}

/** Whether a scenario posted anything that a QP sends. */
export function hasSentIn(trace: readonly CallRecord[]): boolean {
  return callsOf(trace, 'ibv_post_send').length > 0;
}
