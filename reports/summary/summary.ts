import { createColors } from 'picocolors';
import type { Causes } from '../diagnosis/causes';
import { causesPart } from '../diagnosis/causes-text';
import { dutFacts } from '../evidence/dut-text';
import { violatedAuthorities } from '../evidence/authority-note';
import { countEffectsNotShown, effectNote } from '../evidence/effect-note';
import type { JudgedRun } from '../judge/judged-run';
import { oneLine } from '../../catalog/plain-text';
import { capabilityLines } from './summary-capabilities';
import { blockedPart } from './summary-blocked';
import { deviationParts } from './summary-deviations';
import { details } from './summary-details';
import { overview } from './summary-overview';
import { paintedCounts } from './summary-counts';
import { glue, type Layout, type SummaryOptions } from './summary-layout';
import { verdictsInReportOrder, type RuleVerdict, type ScenarioVerdict } from '../../catalog/verdict';
import { scenariosOf, type Verdicts } from '../judge/verdicts';
import { wrap } from '../evidence/wrap';

export type { SummaryOptions } from './summary-layout';

/**
 * Tells a run in text for a terminal: the man pages, what does not conform and why, the counts.
 *
 * @param causes - what failures look like; of those that one cause explains, one is shown
 */
export function renderSummary(judged: JudgedRun, options: SummaryOptions, causes: Causes = noCauses): string {
  const layout = {
    columns: 80,
    callsMax: 6,
    detailsMax: 20,
    verbose: false,
    ...options,
    colors: createColors(options.color),
  };
  const parts = [
    header(judged.verdicts, layout),
    ...overview(judged.verdicts, layout),
    ...deviationParts(judged, layout),
    ...capabilityLines(judged.verdicts, layout),
    ...blockedPart(judged, layout),
    ...details(judged, layout, causes),
    ...causesParts(causes, layout),
    counts(judged, layout),
  ];
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

const noCauses: Causes = { failed: 0, causes: [] };

function causesParts(causes: Causes, layout: Layout): string[][] {
  const lines = causesPart(causes, layout);
  return lines.length === 0 ? [] : [lines];
}

function header(
  { suite, driver, dut, label, durationMs, order, authorities }: Verdicts,
  { columns, colors }: Layout,
): string[] {
  const facts = [
    ...dutFacts(dut),
    ...(order === undefined ? [] : [`order ${oneLine(order)}`]),
    ...(authorities === undefined ? [] : [`authority ${authorities.join(' or ')}`]),
  ];
  const commit = suite.commit.replace(/^([0-9a-f]{10})[0-9a-f]+/, '$1');
  const own = label === undefined ? '' : `${oneLine(label)}: `;
  const title = `${own}verbspec ${suite.version} (${commit}), driver ${driver}, ${seconds(durationMs)}`;
  const lines = wrap(title, columns).map((line) => colors.bold(line.replaceAll(glue, ' ')));
  return facts.length === 0 ? lines : [...lines, ...wrap(facts.join(', '), columns)];
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)}${glue}s`;
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

/** `3 rules: 2 conforms, 1 violates`. */
function countLines<V extends RuleVerdict | ScenarioVerdict>(
  noun: string,
  items: readonly { readonly verdict: V }[],
  verdicts: readonly V[],
  layout: Layout,
): string[] {
  const heading = `${items.length} ${items.length === 1 ? noun : `${noun}s`}:`;
  return paintedCounts({ heading, margin: '  ', none: 'nothing ran' }, items, verdicts, layout);
}
