import { effectNote } from '../evidence/effect-note';
import type { RuleVerdict } from '../../catalog/verdict';
import type { RuleEntry } from '../judge/verdicts';

/** What stands in a cell: the verdict, or that the run had no such rule. */
export type CellVerdict = RuleVerdict | 'absent';

/** The verdicts in the order in which totals list them. */
export const cellVerdicts: readonly CellVerdict[] = [
  'conforms',
  'violates',
  'blocked',
  'broken',
  'deviates',
  'not-applicable',
  'untested',
  'absent',
];

/** Letters for cells where there is no room for words; capitals are what to look at. */
export const cellLetters: Readonly<Record<CellVerdict, string>> = {
  conforms: 'c',
  violates: 'V',
  blocked: 'B',
  broken: 'X',
  deviates: 'D',
  'not-applicable': 'n',
  untested: 'u',
  absent: '-',
};

/** What a cell says. */
export function cellVerdictOf(cell: RuleEntry | undefined): CellVerdict {
  return cell?.verdict ?? 'absent';
}

/** What a cell says, with what there is to note of it. */
export function cellWords(cell: RuleEntry | undefined): string {
  return cell?.effectNotShown ? `${cell.verdict}: ${effectNote}` : cellVerdictOf(cell);
}
