import type { FeatureRule } from '../../cli/inputs/features';
import { mayFail, type ProviderFault } from './fault';
import { isAmiss, type Shown, type Sound } from './judge-fault';

/**
 * Rules that stand for all others where not all features run: few scenarios, which together call each verb that a fault
 * misbehaves in, do so in the ways of a common program, and look at nothing special. A fault that is blunter than it
 * says does not get past them.
 */
const bystanders: readonly string[] = [
  'ibv_req_notify_cq.event-without-polling',
  'ibv_poll_cq.drain-loop',
  'ibv_poll_cq.status-to-be-checked',
  'ibv_create_cq_ex.start-begins-batch',
  'ibv_resize_cq.shrink-may-noop',
  'ibv_get_async_event.element-by-type',
];

/** Scenarios to run under a fault. */
export interface Selection<T> {
  /** Those of the rules that it breaks, and maybe of those that it is known to make fail. */
  readonly toFail: readonly T[];
  /** Those of other rules. */
  readonly toPass: readonly T[];
}

/** A fault by the rules that it breaks and by the rules that stand for all others. */
export function ownAndBystanders<T extends Sound>(
  fault: ProviderFault,
  met: readonly string[],
  all: readonly T[],
): Selection<T> {
  const sound = all.filter((one) => !isAmiss(one));
  return {
    toFail: sound.filter(({ clauseIds }) => clauseIds.some((id) => fault.rules.includes(id))),
    toPass: sound.filter(
      ({ clauseIds }) => bystanders.some((id) => clauseIds.includes(id)) && !mayFail(fault, met, clauseIds),
    ),
  };
}

/**
 * A fault by all scenarios that can notice it. One that does not pass without a fault says nothing.
 */
export function allExposed<T extends Sound>(
  fault: ProviderFault,
  met: readonly string[],
  all: readonly T[],
): Selection<T> {
  const exposed = all.filter((one) => !isAmiss(one) && fault.exposes(one.calls));
  const isAccountedFor = ({ clauseIds }: T): boolean => mayFail(fault, met, clauseIds);
  return { toFail: exposed.filter(isAccountedFor), toPass: exposed.filter((one) => !isAccountedFor(one)) };
}

/** A selection of which nobody knows yet what fails. */
export function allToFail<T>({ toFail, toPass }: Selection<T>): Selection<T> {
  return { toFail: [...toFail, ...toPass], toPass: [] };
}

/** Paths with lines for Cucumber, a feature each. */
export function pathsOf(scenarios: readonly Shown[]): string[] {
  const byFeature = new Map<string, number[]>();
  for (const { uri, line } of scenarios) byFeature.set(uri, [...(byFeature.get(uri) ?? []), line]);
  return [...byFeature].map(([uri, lines]) => [uri, ...lines].join(':'));
}

/** Paths with lines of all scenarios that {@link ownAndBystanders} may take. */
export function pathsFor(faults: readonly ProviderFault[], rules: readonly FeatureRule[]): string[] {
  const ids = new Set([...bystanders, ...faults.flatMap((fault) => fault.rules)]);
  const taken = rules.filter((rule) => rule.scenarios.length > 0 && rule.ids.some((id) => ids.has(id)));
  return taken.map(({ uri, scenarios }) => [uri, ...scenarios.map(({ line }) => line)].join(':'));
}
