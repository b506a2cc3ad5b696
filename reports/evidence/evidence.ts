import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { kernelLogFileName, mediaTypes } from '../../drivers/contract';
import { textOf } from '../recording/attachment-text';
import { traceOf } from './recorded-trace';
import { renderTrace } from './trace-text';
import type { JudgedRun, JudgedScenario } from '../judge/judged-run';
import { escapedJson, plainText } from '../../catalog/plain-text';

/**
 * Writes what scenarios attached as files that tools can read without knowing Cucumber's messages: the calls of each in
 * `trace/<page>-<line>.json`, those of one that did not pass for people too, in `trace/<page>-<line>.txt`, and the
 * kernel's messages of all in `kernel.log`, where there were any.
 *
 * @param folder - the folder of the run's results
 */
export function writeEvidence({ scenarios }: JudgedRun, folder: string): void {
  const traces = join(folder, 'trace');
  mkdirSync(traces);
  for (const scenario of scenarios) {
    const trace = attachedTexts(scenario, ({ mediaType }) => mediaType === mediaTypes.trace)[0];
    if (trace === undefined) continue;
    const file = join(traces, traceName(scenario.recorded));
    writeFileSync(`${file}.json`, `${escapedJson(trace)}\n`);
    const lines = scenario.verdict === 'pass' ? [] : renderTrace(traceOf(scenario.outcome.attempt));
    if (lines.length > 0) writeFileSync(`${file}.txt`, `${plainText(lines.join('\n'))}\n`);
  }
  const inTime = [...scenarios].sort((one, other) => startOf(one) - startOf(other));
  const log = inTime.flatMap((scenario) => attachedTexts(scenario, ({ fileName }) => fileName === kernelLogFileName));
  if (log.length > 0) writeFileSync(join(folder, kernelLogFileName), plainText(log.join('')));
}

/** What the files with the calls of a scenario are called, without their endings. */
export function traceName({ uri, line }: JudgedScenario['recorded']): string {
  return `${basename(uri, '.feature')}-${line}`;
}

/** Scenarios may have run in another order than that of the features. */
function startOf({ outcome }: JudgedScenario): number {
  return outcome.attempt?.startMs ?? 0;
}

type Attachment = NonNullable<JudgedScenario['outcome']['attempt']>['attachments'][number];

function attachedTexts({ outcome }: JudgedScenario, isWanted: (attachment: Attachment) => boolean): string[] {
  return (outcome.attempt?.attachments ?? []).filter(isWanted).map(textOf);
}
