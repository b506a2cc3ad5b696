import type { VerbName } from '../../drivers/pipeline/conventions';

/** The C functions that a scenario called without a fault, each with the record of the call as JSON. */
export type RecordedCalls = readonly (readonly [verb: string, record: string])[];

/** A planted departure of a provider from a rule, which drivers/native/fixtures/provider-faults.c commits by its name. */
export interface ProviderFault {
  /** What goes wrong, in a program's eyes. */
  readonly effect: string;
  /** Whether a scenario can notice it. One that cannot goes as it goes without the fault. */
  readonly exposes: (calls: RecordedCalls) => boolean;
  /** Clause ids of the rules that it breaks. */
  readonly rules: readonly string[];
  /** Clause ids of rules that fail with them, by the reason why they must. */
  readonly alsoBreaks?: Readonly<Record<string, readonly string[]>>;
  /** For a fault that hits most programs: the scenarios that may fail with them, whatever their rule, and why. */
  readonly alsoFails?: { readonly because: string; readonly scenarios: (calls: RecordedCalls) => boolean };
}

/** Faults by name. */
export type ProviderFaults = Readonly<Record<string, ProviderFault>>;

/** The clause ids of the rules that fail with those that a fault breaks. */
export function declaredIds({ alsoBreaks = {} }: ProviderFault): readonly string[] {
  return Object.values(alsoBreaks).flat();
}

/** Whether a fault breaks the scenario's rule, or declares why the scenario may fail. */
export function mayFail(fault: ProviderFault, clauseIds: readonly string[], calls: RecordedCalls): boolean {
  const accounted = [...fault.rules, ...declaredIds(fault)];
  return clauseIds.some((id) => accounted.includes(id)) || fault.alsoFails?.scenarios(calls) === true;
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
