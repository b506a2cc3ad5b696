import { oneLine } from '../../catalog/plain-text';
import { wrap } from '../evidence/wrap';
import type { Layout } from '../summary/summary-layout';
import type { Cause, Causes } from './causes';

/** Causes that are listed, and rules that are named of each. */
const listedMax = 10;
const rulesMax = 3;

/** What the failures of a run look like, for a terminal; nothing where nothing failed. */
export function causesPart({ causes }: Causes, layout: Pick<Layout, 'columns' | 'colors'>): string[] {
  if (causes.length === 0) return [];
  const more = causes.slice(listedMax).reduce((sum, { scenarios }) => sum + scenarios.length, 0);
  return [
    layout.colors.bold('Causes, as far as one can see'),
    ...causes.slice(0, listedMax).flatMap((cause) => causeLines(cause, layout)),
    ...(more > 0 ? [`  … and ${causes.length - listedMax} more, with ${more} ${scenarioNoun(more)}`] : []),
  ];
}

function causeLines(cause: Cause, { columns, colors }: Pick<Layout, 'columns' | 'colors'>): string[] {
  const { words, first, scenarios } = cause;
  const example = `${scenarios.length === 1 ? 'it is' : 'one is'} "${oneLine(first.name)}", ${oneLine(first.uri)}:${first.line}`;
  const rules = rulesOf(cause);
  return [
    ...wrap(oneLine(words), columns, '  ', '    ').map((text) => colors.red(text)),
    ...(rules === undefined ? [] : wrap(rules, columns, '    ').map((text) => colors.dim(text))),
    ...wrap(example, columns, '    ').map((text) => colors.dim(text)),
  ];
}

/** `against ibv_poll_cq.fifo and 2 more`; nothing where no known fault explains it. */
export function rulesOf({ rules }: Cause): string | undefined {
  if (rules.length === 0) return undefined;
  const more = rules.length - rulesMax;
  return oneLine(`against ${rules.slice(0, rulesMax).join(', ')}${more > 0 ? ` and ${more} more` : ''}`);
}

function scenarioNoun(count: number): string {
  return count === 1 ? 'scenario' : 'scenarios';
}
