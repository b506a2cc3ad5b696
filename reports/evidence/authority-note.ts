import { authorities, authorityNames, type Authority } from '../../catalog/authority';
import type { RuleEntry } from '../judge/verdicts';

/** What a report notes at a rule that does not rest on the man page: `RDMAmojo`. */
export function authorityNote({ authority = 'page' }: Pick<RuleEntry, 'authority'>): string | undefined {
  return authority === 'page' ? undefined : authorityNames[authority];
}

/** How many rules that are violated rest on what, the strongest authority first; empty if it is the page alone. */
export function violatedAuthorities(rules: readonly RuleEntry[]): string[] {
  const violated = rules.filter(({ verdict }) => verdict === 'violates');
  if (violated.every((rule) => authorityNote(rule) === undefined)) return [];
  const count = (wanted: Authority): number => violated.filter(({ authority = 'page' }) => authority === wanted).length;
  return authorities.flatMap((each) => (count(each) === 0 ? [] : [`${count(each)} ${authorityNames[each]}`]));
}
