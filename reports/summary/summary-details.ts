import { againField, citation, clausesOf, fieldsOf, headings, listedFields } from '../evidence/explain';
import type { JudgedRun, JudgedScenario } from '../judge/judged-run';
import { oneLine } from '../../catalog/plain-text';
import type { Cause, Causes } from '../diagnosis/causes';
import { paint, type Layout } from './summary-layout';
import { traceOf } from '../evidence/recorded-trace';
import { renderTrace } from '../evidence/trace-text';
import { violations } from '../../catalog/verdict';
import type { RunInfo } from '../judge/verdicts';
import { wrap } from '../evidence/wrap';

/**
 * What violates its rule, then what is broken; a part for each scenario, below its rule in words. Of those that have one cause
 * the first stands for the others, unless all are wanted.
 */
export function details({ scenarios, recording }: JudgedRun, layout: Layout, { causes }: Causes): string[][] {
  const alike = layout.verbose ? new Set<string>() : new Set(causes.flatMap(othersOf));
  const violating = scenarios.filter(({ verdict }) => violations.has(verdict));
  const told = [...violating, ...brokenToTell(scenarios)];
  const shown = told.filter(({ recorded }) => !alike.has(placeOf(recorded))).slice(0, layout.detailsMax);
  const parts = shown.flatMap((scenario, index) => {
    const isFirst = scenario.recorded.place?.rule !== shown[index - 1]?.recorded.place?.rule;
    const rule = isFirst ? [ruleInWords(scenario, recording.clauses, layout)] : [];
    return [...rule, scenarioLines(scenario, recording.info, layout)];
  });
  const more = told.length - shown.length;
  const others = more === 1 ? '1 more scenario' : `${more} more scenarios`;
  return more > 0 ? [...parts, [`… and ${others}, listed in the report.`]] : parts;
}

/** Where the scenarios of a cause stand, except for its example. */
function othersOf({ first, scenarios }: Cause): string[] {
  return scenarios.map(placeOf).filter((place) => place !== placeOf(first));
}

function placeOf({ uri, line }: { readonly uri: string; readonly line: number }): string {
  return `${uri}:${line}`;
}

/** All that is broken; of the scenarios that lacked the device the first stands for the others. */
function brokenToTell(scenarios: readonly JudgedScenario[]): JudgedScenario[] {
  const broken = scenarios.filter(({ verdict }) => verdict === 'broken');
  const firstLost = broken.find(lacksDevice);
  return broken.filter((scenario) => scenario === firstLost || !lacksDevice(scenario));
}

function lacksDevice({ outcome }: JudgedScenario): boolean {
  return outcome.findings[0]?.dutLost === true;
}

function ruleInWords(
  scenario: JudgedScenario,
  clauses: JudgedRun['recording']['clauses'],
  { columns, colors }: Layout,
): string[] {
  const rule = scenario.recorded.place?.rule?.name ?? 'no rule';
  return [
    ...wrap(`Rule: ${oneLine(rule)}`, columns).map((line) => colors.bold(line)),
    ...clausesOf(scenario, clauses).flatMap((clause) =>
      wrap(`${citation(clause)} [${clause.id}]`, columns, '  ').map((line) => colors.dim(line)),
    ),
  ];
}

function scenarioLines(scenario: JudgedScenario, info: RunInfo, layout: Layout): string[] {
  const { recorded, outcome, verdict, detail } = scenario;
  const { columns, callsMax, colors } = layout;
  const { uri, line, name } = recorded;
  const heading = headingOf(verdict);
  const [first = '', ...others] = wrap(`${heading}: ${oneLine(name)}`, columns, '  ', '    ');
  const findings = outcome.findings.map((finding) => fieldsOf(finding).flatMap((field) => fieldLines(field, columns)));
  const isTold = verdict !== 'surprise' && outcome.findings.some((finding) => finding.stack !== undefined);
  const trace = isTold ? renderTrace(traceOf(outcome.attempt), { lastMax: callsMax, columns: columns - 4 }) : [];
  return [
    paint(verdict, first, layout),
    ...others.map((text) => paint(verdict, text, layout)),
    ...wrap(`${uri}:${line}`, columns, '    ').map((text) => colors.dim(text)),
    ...(verdict === 'surprise' ? wrap(detail ?? '', columns, '    ') : findings.flat()),
    ...listedFields(scenario).flatMap((field) => fieldLines(field, columns)),
    ...againField(scenario, info).flatMap((field) => fieldLines(field, Infinity)), // whole, for a shell
    ...(trace.length === 0 ? [] : ['    Last calls:', ...trace.map((text) => `    ${text}`)]),
  ];
}

/** What follows is the name of a scenario, and its Rule stands above. */
function headingOf(verdict: JudgedScenario['verdict']): string {
  if (verdict === 'pass') return '';
  return verdict === 'fail' ? 'Failed scenario' : headings[verdict];
}

function fieldLines([name, value]: [string, string], columns: number): string[] {
  const label = `    ${`${name}:`.padEnd(10)}`;
  const margin = ' '.repeat(label.length);
  const [first = '', ...others] = wrap(value, columns, margin);
  return [label + first.slice(margin.length), ...others];
}
