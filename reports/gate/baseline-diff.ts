import { oneLine } from '../../catalog/plain-text';
import type { Baseline, BaselineRule } from './baseline';

/** What an update changes in a baseline, a line each: `+` new, `-` gone, `~` another; none if nothing does. */
export function baselineDiff(before: Baseline, after: Baseline): string[] {
  return [
    ...differences({ driver: before.driver }, { driver: after.driver }, String),
    ...differences({ ...before.dut }, { ...after.dut }, String),
    ...differences(before.recorded, after.recorded, String),
    ...differences(asNames(before.capabilities), asNames(after.capabilities), () => 'capability'),
    ...differences(before.rules, after.rules, ruleInWords),
  ].map(oneLine);
}

function asNames(names: readonly string[]): Record<string, true> {
  return Object.fromEntries(names.map((name) => [name, true]));
}

function differences<T>(
  before: Readonly<Record<string, T>>,
  after: Readonly<Record<string, T>>,
  inWords: (value: T) => string,
): string[] {
  const [old, now] = [before, after].map(
    (record) => new Map(Object.entries(record).map(([name, value]) => [name, inWords(value)])),
  );
  const names = [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])];
  return names.flatMap((name) => {
    const [was, is] = [old?.get(name), now?.get(name)];
    if (was === is) return [];
    if (was === undefined) return [`+ ${name}: ${is}`];
    return [is === undefined ? `- ${name}: ${was}` : `~ ${name}: ${was} → ${is}`];
  });
}

/** `deviates (2 pass; deviates: "The second one")` */
function ruleInWords({ verdict, pass, others = {} }: BaselineRule): string {
  const named = Object.entries(others).map(([name, other]) => `${other}: "${name}"`);
  return verdict === 'untested' ? verdict : `${verdict} (${[`${pass} pass`, ...named].join('; ')})`;
}
