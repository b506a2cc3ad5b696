import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import type { Deviation } from './deviations';
import { judgeMessages, recordOutcomes } from './fixtures/record-outcomes';
import type { JudgedRun } from './judge';
import { renderSummary } from './summary';

/** Written anew when UPDATE_GOLDEN is set; then read what changed. */
const goldenPath = join(__dirname, 'fixtures', 'summary.txt');

const deviations: Deviation[] = [
  {
    rule: 'ibv_req_notify_cq.rearm-restores',
    scenario: 'Only when it is tried again',
    when: { driver: 'soft-roce' },
    symptom: 'expected 0, observed 1',
    reason: 'rxe forgets every other request',
    link: 'https://example.org/a-report-with-a-long-address',
  },
];

let judged: JudgedRun;

before(() => {
  judged = judgeMessages(recordOutcomes(), deviations);
});

test('the summary reads as it was agreed', () => {
  const summary = renderSummary(judged, { color: false, detailsMax: 40 }).replace(/, \d+\.\d s$/m, ', 0.1 s');
  if (process.env.UPDATE_GOLDEN) writeFileSync(goldenPath, summary);
  assert.equal(summary, readFileSync(goldenPath, 'utf8'));
});

test('no line is wider than the terminal', () => {
  for (const columns of [80, 60]) {
    for (const line of renderSummary(judged, { color: false, columns }).split('\n')) {
      assert.ok(line.length <= columns, `${line.length}: ${line}`);
    }
  }
});

test('colors change nothing but the color', () => {
  const plain = renderSummary(judged, { color: false });
  const colored = renderSummary(judged, { color: true });
  assert.doesNotMatch(plain, /\u001b/);
  assert.match(colored, /\u001b\[31m/);
  assert.equal(colored.replace(/\u001b\[\d+m/g, ''), plain);
});

test('many failures are cut short, and the cut is told', () => {
  assert.match(
    renderSummary(judged, { color: false, detailsMax: 1 }),
    /… and \d+ more scenarios, told in the report\./,
  );
});

test('a run without scenarios says that nothing ran', () => {
  const empty = judgeMessages('');
  assert.match(renderSummary(empty, { color: false }), /0 scenarios: nothing ran\n$/);
});
