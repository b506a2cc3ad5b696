import { Attachment } from '@cucumber/messages';
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { kernelLogFileName } from '../../drivers/contract';
import { writeEvidence } from './evidence';
import { judgeMessages, recordOutcomes } from '../fixtures/record-outcomes';
import type { JudgedScenario } from '../judge/judged-run';

test('the kernel log is in the order of time, whatever the order of the scenarios', () => {
  const judged = judgeMessages(recordOutcomes('--name', 'It passes'));
  const [scenario] = judged.scenarios;
  assert.ok(scenario);
  const scenarios = ['later', 'earlier'].map((line, index) => withLog(scenario, 9 - index, `${line}\n`));
  const folder = mkdtempSync(join(tmpdir(), 'verbspec-evidence-'));
  writeEvidence({ ...judged, scenarios }, folder);
  assert.equal(readFileSync(join(folder, kernelLogFileName), 'utf8'), 'earlier\nlater\n');
  rmSync(folder, { recursive: true });
});

function withLog(scenario: JudgedScenario, startMs: number, body: string): JudgedScenario {
  const { attempt } = scenario.outcome;
  assert.ok(attempt);
  const log = Object.assign(new Attachment(), { body, mediaType: 'text/plain', fileName: kernelLogFileName });
  return { ...scenario, outcome: { ...scenario.outcome, attempt: { ...attempt, startMs, attachments: [log] } } };
}
