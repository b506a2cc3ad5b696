import type { VerbName } from '../../drivers/conventions';

/** A planted departure of a provider from a rule, which drivers/native/fixtures/provider-faults.c commits by its name. */
export interface ProviderFault {
  /** What goes wrong, in a program's eyes. */
  readonly effect: string;
  /** The verbs that misbehave: a scenario that calls none of them cannot tell the difference. */
  readonly verbs: readonly VerbName[];
  /** What the record of such a call shows on a sound device where the fault would make a difference; each unless given. */
  readonly where?: RegExp;
  /** Clause ids of the rules that it breaks. */
  readonly rules: readonly string[];
  /** Clause ids of rules that fail with them, by the reason why they must. */
  readonly alsoBreaks?: Readonly<Record<string, readonly string[]>>;
}

/** Faults by name. */
export type ProviderFaults = Readonly<Record<string, ProviderFault>>;

/** The clause ids of all rules that a fault may fail. */
export function accountedFor({ rules, alsoBreaks = {} }: ProviderFault): ReadonlySet<string> {
  return new Set([...rules, ...Object.values(alsoBreaks).flat()]);
}

/** Clause ids of a page, by their slugs. */
export function onPage(page: string, ...slugs: readonly string[]): readonly string[] {
  return slugs.map((slug) => `${page}.${slug}`);
}

/** Arguments of a CQ that is bound to a completion channel. */
export const onChannel = /"channel":"/;
