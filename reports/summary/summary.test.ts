import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { deviation } from '../fixtures/deviation';
import { assertGolden } from '../fixtures/golden';
import { judgeMessages, recordOutcomes } from '../fixtures/record-outcomes';
import { judgeRun } from '../judge/judge';
import type { JudgedRun } from '../judge/judged-run';
import { renderSummary } from './summary';

const page = 'ibv_req_notify_cq';

const deviations = [
  deviation({
    rule: `${page}.rearm-restores`,
    scenario: 'Only when it is tried again',
    symptom: { subject: '*', expected: 0, observed: 1 },
    reason: 'rxe forgets every other request',
    link: 'https://example.org/a-report-with-a-long-address',
  }),
  deviation({ rule: `${page}.returns-zero`, scenario: 'It passes', reason: 'rxe refused every request' }),
  deviation({
    rule: `${page}.one-shot`,
    scenario: 'An assertion fails',
    symptom: { subject: 'events of the channel', expected: 2, observed: 3 },
  }),
  deviation({ rule: `${page}.returns-zero`, scenario: 'A verb refuses', expires: '2020-01-31' }),
  { ...deviation({ rule: `${page}.one-shot`, scenario: 'An assertion failed' }), listedAt: 'mine.json:7' },
  deviation({ rule: `${page}.signature`, when: { fwVer: '>=20.39' } }),
];

let judged: JudgedRun;

before(() => {
  judged = judgeMessages(recordOutcomes(), deviations);
});

test('the summary reads as it was agreed', () => {
  const summary = renderSummary(judged, { color: false, detailsMax: 40 }).replace(/, \d+\.\d s$/m, ', 0.1 s');
  assertGolden('summary.txt', summary);
});

test('no line is wider than the terminal', () => {
  for (const columns of [80, 60]) {
    for (const verbose of [false, true])
      for (const line of renderSummary(judged, { color: false, columns, verbose }).split('\n')) {
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

test('many failures are cut short, and the cut is shown', () => {
  assert.match(
    renderSummary(judged, { color: false, detailsMax: 1 }),
    /… and \d+ more scenarios, listed in the report\./,
  );
});

test('the order is shown if it is not that of the features', () => {
  const { recording } = judged;
  const shuffled = judgeRun({ ...recording, info: { ...recording.info, order: 'random:4711' } });
  assert.match(renderSummary(shuffled, { color: false, columns: 120 }), /rdma-core 44\.0, order random:4711$/m);
  assert.doesNotMatch(renderSummary(judged, { color: false }), /, order/);
});

test('what blocks many scenarios is one line, whatever the objects and numbers are', () => {
  const summary = renderSummary(judged, { color: false, columns: 200 });
  const [, part = ''] = /^Blocked\n((?: .*\n)+)/m.exec(summary) ?? [];
  assert.deepEqual(
    part.split('\n').filter((line) => /^ {2}\S/.test(line)),
    [
      '  2 scenarios: ibv_destroy_cq() was refused: returned 16, errno EBUSY',
      '  1 scenario: ibv_create_cq() was refused: returned 22, errno ENOMEM',
      '  1 scenario: events of the channel within 5000 ms; expected 2, observed 1',
    ],
  );
  assert.match(part, /one is "The clean-up is refused", features\/cq\/ibv_req_notify_cq\.feature:\d+\n/);
});

test('of a page with many blocked rules, they are counted', () => {
  const { verdicts } = judged;
  const blocked = verdicts.rules.find(({ verdict }) => verdict === 'blocked');
  assert.ok(blocked);
  const withBlocked = (count: number): string => {
    const rules = Array.from({ length: count }, (_, index) => ({ ...blocked, title: `Rule ${index + 1}` }));
    return renderSummary({ ...judged, verdicts: { ...verdicts, rules } }, { color: false, verbose: true });
  };
  assert.match(withBlocked(3), /\n {2}blocked {2}Rule 1\n {2}blocked {2}Rule 2\n {2}blocked {2}Rule 3\n/);
  assert.match(withBlocked(4), /\(3\)\n {2}blocked {2}4 rules\n\n/);
});

test('each page is a line, and what does not conform is below it unless there is much of it', () => {
  const { verdicts } = judged;
  const violated = verdicts.rules.find(({ verdict }) => verdict === 'violates');
  assert.ok(violated);
  const withViolated = (count: number): string => {
    const rules = Array.from({ length: count }, (_, index) => ({ ...violated, title: `Rule ${index + 1}` }));
    return renderSummary({ ...judged, verdicts: { ...verdicts, rules } }, { color: false });
  };
  assert.match(
    withViolated(2),
    /^ibv_req_notify_cq\(3\) {2}2 violates\n {2}violates {2}Rule 1\n {2}violates {2}Rule 2\n\n/m,
  );
  assert.match(withViolated(13), /^ibv_req_notify_cq\(3\) {2}13 violates\n\(--verbose lists the rules\)\n\n/m);
});

test('a run without scenarios says that nothing ran', () => {
  const empty = judgeMessages('');
  assert.match(renderSummary(empty, { color: false }), /0 scenarios: nothing ran\n$/);
});

test('a kernel module of the user is named with its digest', () => {
  const module = { name: 'rdma_rxe', file: 'mine.ko', sha256: '0123456789abcdef' };
  const dut = { ...judged.verdicts.dut, module };
  const summary = renderSummary({ ...judged, verdicts: { ...judged.verdicts, dut } }, { color: false, columns: 200 });
  assert.match(summary, /, module mine\.ko \(sha256 0123456789\), /);
});
