import type { RuleVerdict } from '../../catalog/verdict';
import type { Baseline } from './baseline';
import type { Change } from './changes';
import { pageOf } from './page-counts';

/** What another device is known to do. */
export interface NamedBaseline {
  readonly name: string;
  readonly baseline: Baseline;
}

/** Baselines that are named, of those with the same verdict. */
const namedMax = 4;

/** The changes, each regression with what the rule comes to in other baselines. */
export function withOthers(changes: readonly Change[], others: readonly NamedBaseline[]): Change[] {
  return changes.map((change) => {
    const told = change.kind === 'regression' ? inOtherBaselines(change.subject, others) : undefined;
    return told === undefined ? change : { ...change, elsewhere: told };
  });
}

/** `conforms in 2 other baselines: a, b; deviates in 1: c`; nothing where none of them has the page of the rule. */
function inOtherBaselines(rule: string, others: readonly NamedBaseline[]): string | undefined {
  const names = new Map<RuleVerdict, string[]>();
  for (const { name, baseline } of others) {
    if (!Object.hasOwn(baseline.counts, pageOf(rule))) continue;
    const verdict = Object.hasOwn(baseline.exceptions, rule) ? baseline.exceptions[rule]?.verdict : undefined;
    const known = verdict ?? 'conforms';
    names.set(known, [...(names.get(known) ?? []), name]);
  }
  const told = [...names].map(([verdict, own], index) => {
    const noun = index > 0 ? '' : own.length === 1 ? ' other baseline' : ' other baselines';
    const more = own.length > namedMax ? [`${own.length - namedMax} more`] : [];
    return `${verdict} in ${own.length}${noun}: ${[...own.slice(0, namedMax), ...more].join(', ')}`;
  });
  return told.length === 0 ? undefined : told.join('; ');
}
