import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RuleRow } from './rule-row';
import { renderRules } from './rules-table';

const untitled: RuleRow = {
  id: 'ibv_poll_cq.fifo',
  page: 'ibv_poll_cq',
  section: 'DESCRIPTION',
  title: 'no Rule yet',
  authority: 'page',
  level: 'must',
  testable: 'loopback',
  scenarios: 0,
};
const row: RuleRow = { ...untitled, title: 'First in, first out', scenarios: 12 };
const rows: readonly RuleRow[] = [
  row,
  {
    ...row,
    id: 'ibv_poll_cq.overrun',
    section: 'NOTES',
    authority: 'rdmamojo',
    level: 'should',
    scenarios: 0,
    reason: 'needs two nodes',
  },
  { ...untitled, id: 'ibv_poll_cq.empty' },
  { ...row, id: 'ibv_resize_cq.fifo', page: 'ibv_resize_cq', scenarios: 1 },
];

test('clauses stand by page and section, with level, authority, scenarios, title and reason', () => {
  assert.equal(
    renderRules(rows, { columns: 60 }),
    `ibv_poll_cq(3): 3 clauses, 1 with scenarios, 1 with a
  reason, 1 with neither

  DESCRIPTION
  must      12   ibv_poll_cq.fifo
  page           First in, first out
  must      -    ibv_poll_cq.empty
  page           no Rule yet

  NOTES
  should    -    ibv_poll_cq.overrun
  rdmamojo       First in, first out
                 no scenario: needs two nodes


ibv_resize_cq(3): 1 clause, 1 with scenarios, 0 with a
  reason

  DESCRIPTION
  must      1    ibv_resize_cq.fifo
  page           First in, first out
`,
  );
});

test('the number in the InfiniBand specification stands below its authority', () => {
  const text = renderRules([{ ...row, authority: 'ibta', ibta: '11.4.2' }], {});
  assert.match(text, /^ {2}must {6}12 .*\n {2}ibta {11}First in, first out\n {2}11\.4\.2$/m);
});

test('no line is wider than the terminal', () => {
  for (const line of renderRules(rows, { columns: 50 }).split('\n')) assert.ok(line.length <= 50, line);
});

test('the verdicts of a run have a column of their own', () => {
  const text = renderRules([{ ...row, verdict: 'not-applicable' }, ...rows.slice(1)], {});
  assert.match(text, /^ {2}must {6}12 {3}not-applicable {2}ibv_poll_cq\.fifo$/m);
  assert.match(text, /^ {2}must {6}- {4}- {15}ibv_poll_cq\.empty$/m);
});
