import type { BluntFault, ProvedFault } from './proof';

/** By the name of a fault: the ids of the rules that meet it, beside those that it breaks. */
export type Reliances = Readonly<Record<string, readonly string[]>>;

/** Other rules that a fault meets until it is said to be blunt. */
export const bluntFrom = 50;

const remedy = 'if that is meant, `verbspec prove --accept`';

/** The other rules that each fault meets; faults that meet none are left out. */
export function reliancesOf(faults: readonly ProvedFault[]): Reliances {
  const entries = faults.map((fault) => [fault.name, otherRules(fault)] as const);
  return Object.fromEntries(entries.filter(([, rules]) => rules.length > 0).sort(([one], [two]) => compare(one, two)));
}

/**
 * What differs from what was recorded, one line each.
 *
 * @param isWhole - whether all scenarios ran: what is recorded and does not show is a difference, too
 */
export function changedReliances(recorded: Reliances, faults: readonly ProvedFault[], isWhole: boolean): string[] {
  const added = faults.flatMap((fault) => {
    const before = new Set(recorded[fault.name] ?? []);
    const { name, summary } = fault;
    return otherRules(fault)
      .filter((rule) => !before.has(rule))
      .map((rule) => `fault ${name} (${summary}) meets ${rule} too, ${placesOf(fault, rule)}: ${remedy}`);
  });
  return isWhole ? [...added, ...goneReliances(recorded, faults)] : added;
}

function goneReliances(recorded: Reliances, faults: readonly ProvedFault[]): string[] {
  const now = new Map(faults.map((fault) => [fault.name, new Set(otherRules(fault))]));
  return Object.entries(recorded).flatMap(([name, rules]) => {
    const met = now.get(name);
    if (met === undefined) return [`fault ${name} is recorded, and there is none: ${remedy}`];
    return rules
      .filter((rule) => !met.has(rule))
      .map((rule) => `fault ${name} met ${rule}, and does no more: ${remedy}`);
  });
}

/** Faults that many other rules meet, the worst first; what was recorded counts where not all scenarios ran. */
export function bluntFaults(faults: readonly ProvedFault[], recorded: Reliances = {}): BluntFault[] {
  return faults
    .map((fault) => ({
      name: fault.name,
      otherRules: new Set([...otherRules(fault), ...(recorded[fault.name] ?? [])]).size,
    }))
    .filter(({ otherRules: count }) => count > bluntFrom)
    .sort((one, other) => other.otherRules - one.otherRules);
}

function otherRules({ reliant, crossKills }: ProvedFault): string[] {
  return [...new Set([...reliant, ...crossKills].map(({ rule }) => rule))].sort(compare);
}

function placesOf({ reliant }: ProvedFault, rule: string): string {
  const [first] = reliant.filter((one) => one.rule === rule);
  if (first === undefined) return 'and breaks it';
  return `in ${first.at.join(', ')} of "${first.scenarios[0]}"`;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
