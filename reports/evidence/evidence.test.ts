import { Attachment } from '@cucumber/messages';
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
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

test('the calls of a scenario that did not pass are there to be read', () => {
  const judged = judgeMessages(recordOutcomes('--name', '^(It passes|An assertion fails)$'));
  const folder = mkdtempSync(join(tmpdir(), 'verbspec-evidence-'));
  writeEvidence(judged, folder);
  const files = readdirSync(join(folder, 'trace'));
  const [text = '', ...others] = files.filter((file) => file.endsWith('.txt'));
  assert.deepEqual([text, others], ['ibv_req_notify_cq-17.txt', []]);
  assert.ok(files.length > 2, 'those that passed have theirs as data');
  assert.match(readFileSync(join(folder, 'trace', text), 'utf8'), /^start ms[^]*\nWhen 2 calls succeed\n[^]*recv_cq/);
  rmSync(folder, { recursive: true });
});

function withLog(scenario: JudgedScenario, startMs: number, body: string): JudgedScenario {
  const { attempt } = scenario.outcome;
  assert.ok(attempt);
  const log = Object.assign(new Attachment(), { body, mediaType: 'text/plain', fileName: kernelLogFileName });
  return { ...scenario, outcome: { ...scenario.outcome, attempt: { ...attempt, startMs, attachments: [log] } } };
}
