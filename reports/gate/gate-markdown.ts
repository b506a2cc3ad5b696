import type { Causes } from '../diagnosis/causes';
import { rulesOf } from '../diagnosis/causes-text';
import { markdownCode, markdownText } from '../evidence/markdown-text';
import { isFailing, isBroken, kindInWords, type Change, type ScenarioChange } from './changes';
import { resultInWords, gateVerdictOf } from './gate-text';
import type { GateResult } from './judge-gate';

const marks = { passed: '✅', failed: '❌', broken: '⚠️' };

/** Changes that are listed one by one; a job summary of GitHub holds a megabyte. */
const toldMax = 200;
const causesMax = 10;

/** How a run stands against a baseline, as Markdown for the summary of a CI job. */
export function gateMarkdown(result: GateResult, baseline: string): string {
  const { changes, notes, causes } = result;
  const verdict = gateVerdictOf(result);
  const told = changes.slice(0, toldMax);
  const parts = [
    `### ${marks[verdict]} verbspec gate ${verdict}`,
    `${markdownText(resultInWords(result, baseline))}.`,
    ...causesTold(causes),
    ...table(told),
    ...(changes.length > told.length ? [`… and ${changes.length - told.length} more.`] : []),
    ...told.filter(({ scenarios }) => scenarios.length > 0).map(evidence),
    ...notes.map((note) => `> ${markdownText(note)}`),
  ];
  return `${parts.join('\n\n')}\n`;
}

function causesTold({ causes }: Causes): string[] {
  if (causes.length === 0) return [];
  const items = causes.slice(0, causesMax).map((cause) => {
    const { words, first } = cause;
    const example = `for example ${first.name}, ${first.uri}:${first.line}`;
    return `- ${[words, rulesOf(cause) ?? '', example].filter(Boolean).map(markdownText).join('<br>')}`;
  });
  const more = causes.length - items.length;
  return ['#### Causes, as far as one can see', [...items, ...(more > 0 ? [`- … and ${more} more`] : [])].join('\n')];
}

function table(changes: readonly Change[]): string[] {
  if (changes.length === 0) return [];
  const rows = changes.map((change) => {
    const { kind, subject, title = '', what, elsewhere } = change;
    const told = [what, ...(elsewhere === undefined ? [] : [elsewhere])].map(markdownText).join('<br>');
    const mark = isFailing(change) ? '❌' : isBroken(change) ? '⚠️' : 'ℹ️';
    return `| ${mark} ${kindInWords(kind)} | <code>${markdownCode(subject)}</code> | ${told} | ${markdownText(title)} |`;
  });
  return [['| | rule | what | |', '| --- | --- | --- | --- |', ...rows].join('\n')];
}

function evidence({ subject, what, scenarios }: Change): string {
  return [
    `<details><summary><code>${markdownCode(subject)}</code> ${markdownText(what)}</summary>`,
    scenarios.map(item).join('\n'),
    '</details>',
  ].join('\n\n');
}

function item({ name, uri, line, what, detail }: ScenarioChange): string {
  const told = detail === undefined ? '' : `<br>${markdownText(detail)}`;
  return `- ${markdownText(name)}: ${markdownText(what)}<br>${markdownText(`${uri}:${line}`)}${told}`;
}
