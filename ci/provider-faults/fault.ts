import type { VerbName } from '../../drivers/pipeline/conventions';

/** The C functions that a scenario called without a fault, each with the record of the call as JSON. */
export type RecordedCalls = readonly (readonly [verb: string, record: string])[];

/** A planted departure of a provider from a rule, which drivers/native/fixtures/provider-faults.c commits by its name. */
export interface ProviderFault {
  /** What goes wrong, in a program's eyes. */
  readonly effect: string;
  /** Whether a scenario can notice it, by its calls without the fault. One that cannot has to go as it goes without it. */
  readonly exposes: (calls: RecordedCalls) => boolean;
  /** Clause ids of the rules that it breaks. */
  readonly rules: readonly string[];
}

/** Faults by name. */
export type ProviderFaults = Readonly<Record<string, ProviderFault>>;

/** Whether a fault breaks the scenario's rule, or was seen to make it fail. */
export function mayFail(fault: ProviderFault, met: readonly string[], clauseIds: readonly string[]): boolean {
  return clauseIds.some((id) => fault.rules.includes(id) || met.includes(id));
}

/** Clause ids of a page, by their slugs. */
export function onPage(page: string, ...slugs: readonly string[]): readonly string[] {
  return slugs.map((slug) => `${page}.${slug}`);
}

/** Scenarios that call one of these C functions, so that the record of the call is like this; `times` times at least. */
export function callersOf(verbs: readonly VerbName[], where = /^/, times = 1): ProviderFault['exposes'] {
  const isSuch = ([verb, record]: RecordedCalls[number]): boolean =>
    verbs.some((one) => one === verb) && where.test(record);
  return (calls) => calls.filter(isSuch).length >= times;
}

/** Arguments of a CQ that is bound to a completion channel. */
export const onChannel = /"channel":"/;
