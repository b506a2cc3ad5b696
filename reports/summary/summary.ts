import { createColors } from 'picocolors';
import { dutFacts } from '../evidence/dut-text';
import { authorityNote, violatedAuthorities } from '../evidence/authority-note';
import { countEffectsNotShown, effectNote } from '../evidence/effect-note';
import type { JudgedRun } from '../judge/judged-run';
import { oneLine } from '../../catalog/plain-text';
import { capabilityLines } from './summary-capabilities';
import { blockedPart } from './summary-blocked';
import { deviationParts } from './summary-deviations';
import { details } from './summary-details';
import { glue, paint, type Layout, type SummaryOptions } from './summary-layout';
import { verdictsInReportOrder, violations, type RuleVerdict, type ScenarioVerdict } from '../../catalog/verdict';
import { scenariosOf, type RuleEntry, type Verdicts } from '../judge/verdicts';
import { wrap } from '../evidence/wrap';

export type { SummaryOptions } from './summary-layout';

/** Tells a run in text for a terminal: the rules of each man page, what does not conform and why, the counts. */
export function renderSummary(judged: JudgedRun, options: SummaryOptions): string {
  const layout = { columns: 80, callsMax: 6, detailsMax: 20, ...options, colors: createColors(options.color) };
  const parts = [
    header(judged.verdicts, layout),
    ...overview(judged.verdicts, layout),
    ...blockedPart(judged, layout),
    ...details(judged, layout),
    ...deviationParts(judged, layout),
    ...capabilityLines(judged.verdicts, layout),
    counts(judged, layout),
  ];
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function header(
  { suite, driver, dut, durationMs, order, authorities }: Verdicts,
  { columns, colors }: Layout,
): string[] {
  const facts = [
    ...dutFacts(dut),
    ...(order === undefined ? [] : [`order ${oneLine(order)}`]),
    ...(authorities === undefined ? [] : [`authority ${authorities.join(' or ')}`]),
  ];
  const commit = suite.commit.replace(/^([0-9a-f]{10})[0-9a-f]+/, '$1');
  const title = `verbspec ${suite.version} (${commit}), driver ${driver}, ${seconds(durationMs)}`;
  const lines = wrap(title, columns).map((line) => colors.bold(line.replaceAll(glue, ' ')));
  return facts.length === 0 ? lines : [...lines, ...wrap(facts.join(', '), columns)];
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)}${glue}s`;
}

/**
 * A part for each man page, with a line for each Rule: clauses that share one are listed once. Rules without scenarios
 * say the same in every run; they are counted below.
 */
function overview(verdicts: Verdicts, layout: Layout): string[][] {
  const rules = verdicts.rules.filter(({ scenarios }) => scenarios.length > 0);
  const pages = [...new Set(rules.map((rule) => rule.page))];
  const labelWidth = Math.max(...rules.map((rule) => rule.verdict.length));
  return pages.map((page) => {
    const own = new Map(rules.filter((rule) => rule.page === page).map((rule) => [placeOf(rule), rule]));
    return [layout.colors.bold(oneLine(`${page}(3)`)), ...pageLines([...own.values()], labelWidth, layout)];
  });
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

const ruleVerdicts = ['conforms', 'violates', 'blocked', 'broken', 'deviates', 'not-applicable', 'untested'] as const;

function counts({ verdicts, problems }: JudgedRun, layout: Layout): string[] {
  const scenarios = scenariosOf(verdicts);
  return [
    ...[...lossOf(verdicts), ...problems].flatMap((problem) =>
      wrap(`Problem: ${problem}`, layout.columns, '', '  ').map((line) => layout.colors.yellow(line)),
    ),
    ...countLines('rule', verdicts.rules, ruleVerdicts, layout),
    ...effectLines(verdicts, layout),
    ...authorityLines(verdicts, layout),
    ...countLines('scenario', scenarios, verdictsInReportOrder, layout),
  ];
}

function effectLines({ rules }: Verdicts, { columns }: Layout): string[] {
  const count = countEffectsNotShown(rules);
  return count === 0 ? [] : wrap(`${count} of those that conform: ${effectNote}`, columns, '  ', '    ');
}

function authorityLines({ rules }: Verdicts, { columns }: Layout): string[] {
  const counted = violatedAuthorities(rules);
  return counted.length === 0
    ? []
    : wrap(`those that are violated rest on: ${counted.join(', ')}`, columns, '  ', '    ');
}

function lossOf({ dutLost }: Verdicts): string[] {
  return dutLost === undefined ? [] : [`the device under test was lost: ${oneLine(dutLost)}`];
}

/** `3 rules: 2 conforms, 1 violates`; broken between numbers, and painted after that, as colors have a width too. */
function countLines<V extends RuleVerdict | ScenarioVerdict>(
  noun: string,
  items: readonly { readonly verdict: V }[],
  verdicts: readonly V[],
  layout: Layout,
): string[] {
  const texts = verdicts.flatMap((verdict) => {
    const number = items.filter((item) => item.verdict === verdict).length;
    return number === 0 ? [] : [`${number} ${verdict}`];
  });
  const glued = (texts.length === 0 ? ['nothing ran'] : texts).map((text) => text.replaceAll(' ', glue)).join(', ');
  const heading = `${items.length} ${items.length === 1 ? noun : `${noun}s`}:`;
  return wrap(`${heading} ${glued}`, layout.columns, '', '  ').map((line) =>
    verdicts
      .reduce(
        (painted, verdict) =>
          painted.replace(new RegExp(`\\d+${glue}${verdict}(?=,|$)`), (text) => paint(verdict, text, layout)),
        line,
      )
      .replaceAll(glue, ' '),
  );
}
