import { oneLine } from '../../catalog/plain-text';
import { violations, type RuleVerdict } from '../../catalog/verdict';
import { authorityNote } from '../evidence/authority-note';
import { effectNote } from '../evidence/effect-note';
import { wrap } from '../evidence/wrap';
import type { RuleEntry, Verdicts } from '../judge/verdicts';
import { paintedCounts } from './summary-counts';
import { glue, paint, type Layout } from './summary-layout';

/** Rules that are listed by their titles in a short overview; more of them have hardly more causes. */
const listedMax = 12;

/**
 * The man pages with what their rules came to: a line for each page, and below it what did not conform. With `verbose` a
 * part for each page, with a line for each Rule: clauses that share one are listed once. Rules without scenarios say the
 * same in every run; they are counted at the end.
 */
export function overview(verdicts: Verdicts, layout: Layout): string[][] {
  const rules = verdicts.rules.filter(({ scenarios }) => scenarios.length > 0);
  const pages = [...new Set(rules.map((rule) => rule.page))].map((page): [string, RuleEntry[]] => {
    const own = new Map(rules.filter((rule) => rule.page === page).map((rule) => [placeOf(rule), rule]));
    return [page, [...own.values()]];
  });
  return layout.verbose ? everyRule(pages, layout) : [shortOverview(pages, layout)];
}

type Page = readonly [string, readonly RuleEntry[]];

function everyRule(pages: readonly Page[], layout: Layout): string[][] {
  const labelWidth = Math.max(...pages.flatMap(([, rules]) => rules.map(({ verdict }) => verdict.length)));
  return pages.map(([page, rules]) => [
    layout.colors.bold(oneLine(`${page}(3)`)),
    ...pageLines(rules, labelWidth, layout),
  ]);
}

/** Told by its title, unless there are many. */
const listed: ReadonlySet<RuleVerdict> = new Set(['violates', 'broken']);

function shortOverview(pages: readonly Page[], layout: Layout): string[] {
  const nameWidth = Math.max(...pages.map(([page]) => page.length + '(3)'.length));
  const amiss = pages.flatMap(([, rules]) => rules.filter(({ verdict }) => listed.has(verdict)));
  const isLong = amiss.length > listedMax;
  const lines = pages.flatMap(([page, rules]) => [
    ...pageCounts(oneLine(`${page}(3)`).padEnd(nameWidth), rules, layout),
    ...(isLong ? [] : rules.filter(({ verdict }) => listed.has(verdict))).flatMap((rule) =>
      ruleLines(rule, 'violates'.length, layout),
    ),
  ]);
  return isLong ? [...lines, layout.colors.dim('(--verbose lists the rules)')] : lines;
}

const order = ['conforms', 'violates', 'blocked', 'broken', 'deviates', 'not-applicable'] as const;

function pageCounts(name: string, rules: readonly RuleEntry[], layout: Layout): string[] {
  const heading = `${name} `.replaceAll(' ', glue);
  const lines = paintedCounts({ heading, margin: '    ', none: '' }, rules, order, layout);
  return lines.map((line) => line.replace(name, layout.colors.bold(name)));
}

/** Blocked rules of a page that are listed by their titles; more of them have hardly more causes. */
const blockedListedMax = 3;

function pageLines(rules: readonly RuleEntry[], labelWidth: number, layout: Layout): string[] {
  const blocked = rules.filter(({ verdict }) => verdict === 'blocked').length;
  const listed = blocked > blockedListedMax ? rules.filter(({ verdict }) => verdict !== 'blocked') : rules;
  const lines = listed.flatMap((rule) => ruleLines(rule, labelWidth, layout));
  if (listed === rules) return lines;
  return [...lines, `  ${paint('blocked', 'blocked'.padEnd(labelWidth + 2), layout)}${blocked} rules`];
}

function placeOf({ title, scenarios }: RuleEntry): string {
  return [title, ...scenarios.map(({ uri, line }) => `${uri}:${line}`)].join('\n');
}

/** The reason stands below where no details follow. */
function ruleLines(rule: RuleEntry, labelWidth: number, layout: Layout): string[] {
  const { verdict, title, effectNotShown, reason, scenarios } = rule;
  const notes = [...(effectNotShown ? [effectNote] : []), ...(reason === undefined ? [] : [reason])];
  const margin = ' '.repeat(labelWidth + 4);
  const [first = '', ...others] = wrap(oneLine(title) + otherAuthority(rule), layout.columns, margin);
  const label = paint(verdict, verdict.padEnd(labelWidth + 2), layout);
  const lines = [`  ${label}${first.slice(margin.length)}`, ...others];
  const isToldBelow =
    ['blocked', 'broken', 'deviates'].includes(verdict) || scenarios.some((one) => violations.has(one.verdict));
  if (notes.length === 0 || isToldBelow) return lines;
  return [...lines, ...wrap(notes.join('; '), layout.columns, margin).map((line) => layout.colors.dim(line))];
}

/** Whoever reads of a violation asks first who demands that. */
function otherAuthority(rule: RuleEntry): string {
  const note = rule.verdict === 'violates' ? authorityNote(rule) : undefined;
  return note === undefined ? '' : ` [${note}]`;
}
