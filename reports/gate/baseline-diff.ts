import { oneLine } from '../../catalog/plain-text';
import type { Baseline, OldBaseline, RuleException } from './baseline';
import { countsInWords } from './page-counts';

/** What an update changes in a baseline, a line each: `+` new, `-` gone, `~` another; none if nothing does. */
export function baselineDiff(before: Baseline | OldBaseline, after: Baseline): string[] {
  return [
    ...differences({ schemaVersion: before.schemaVersion }, { schemaVersion: after.schemaVersion }, String),
    ...differences({ driver: before.driver }, { driver: after.driver }, String),
    ...differences({ ...before.dut }, { ...after.dut }, String),
    ...(before.schemaVersion === 1 ? [] : differencesOfContents(before, after)),
  ].map(oneLine);
}

function differencesOfContents(before: Baseline, after: Baseline): string[] {
  return [
    ...differences(before.recorded, after.recorded, String),
    ...differences(asNames(before.capabilities), asNames(after.capabilities), () => 'capability'),
    ...differences(before.counts, after.counts, countsInWords),
    ...differences(before.exceptions, after.exceptions, exceptionInWords),
  ];
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
function exceptionInWords({ verdict, pass, others }: RuleException): string {
  const named = Object.entries(others).map(([name, other]) => `${other}: "${name}"`);
  return `${verdict} (${[`${pass} pass`, ...named].join('; ')})`;
}
