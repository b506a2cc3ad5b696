import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { kernelLogFileName, mediaTypes } from '../drivers/contract';
import { textOf } from './attachment-text';
import type { JudgedRun, JudgedScenario } from './judge';
import { escapedJson, plainText } from './plain-text';

/**
 * Writes what scenarios attached as files that tools can read without knowing Cucumber's messages: the calls of each in
 * `trace/<page>-<line>.json`, and the kernel's messages of all in `kernel.log`, where there were any.
 *
 * @param folder - the folder of the run's results
 */
export function writeEvidence({ scenarios }: JudgedRun, folder: string): void {
  const traces = join(folder, 'trace');
  mkdirSync(traces);
  for (const scenario of scenarios) {
    const { uri, line } = scenario.recorded;
    const trace = attachedTexts(scenario, ({ mediaType }) => mediaType === mediaTypes.trace)[0];
    if (trace !== undefined)
      writeFileSync(join(traces, `${basename(uri, '.feature')}-${line}.json`), `${escapedJson(trace)}\n`);
  }
  const inTime = [...scenarios].sort((one, other) => startOf(one) - startOf(other));
  const log = inTime.flatMap((scenario) => attachedTexts(scenario, ({ fileName }) => fileName === kernelLogFileName));
  if (log.length > 0) writeFileSync(join(folder, kernelLogFileName), plainText(log.join('')));
}

/** Scenarios may have run in another order than that of the features. */
function startOf({ outcome }: JudgedScenario): number {
  return outcome.attempt?.startMs ?? 0;
}

type Attachment = NonNullable<JudgedScenario['outcome']['attempt']>['attachments'][number];

function attachedTexts({ outcome }: JudgedScenario, isWanted: (attachment: Attachment) => boolean): string[] {
  return (outcome.attempt?.attachments ?? []).filter(isWanted).map(textOf);
}
