import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { HarnessError } from '../drivers/contract';
import { clauseIdsOf, loadClauses, parseClauses } from './clauses';

const folder = mkdtempSync(join(tmpdir(), 'verbspec-clauses-'));
const page = 'ibv_poll_cq';
const clause = {
  id: 'ibv_poll_cq.fifo',
  section: 'DESCRIPTION',
  authority: 'page',
  level: 'must',
  testable: 'loopback',
};

after(() => {
  rmSync(folder, { recursive: true });
});

function write(path: string, data: unknown): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), JSON.stringify(data));
}

test('the clauses of the completion-queue pages keep their schema', () => {
  const clauses = loadClauses();
  assert.equal(clauses.size, 309);
  assert.equal(clauses.get('ibv_req_notify_cq.one-shot')?.section, 'NOTES');
});

test('a clause that departs from the schema is refused with its place', () => {
  assert.throws(() => parseClauses([{ ...clause, level: 'shall' }], page, 'list'), HarnessError);
  assert.throws(() => parseClauses([{ ...clause, seeds: [] }], page, 'list'), /list .*\/0 .*"seeds"/);
  assert.throws(() => parseClauses([], page, 'list'), HarnessError);
});

test('a reason why a clause has no Rule goes with what the clause says', () => {
  const untested = 'It takes two nodes.';
  assert.throws(() => parseClauses([{ ...clause, untested }], page, 'list'), /\/0 .*statement/);
  const [parsed] = parseClauses([{ ...clause, statement: 'First in, first out', untested }], page, 'list');
  assert.deepEqual([parsed?.page, parsed?.untested], [page, untested]);
});

test('a clause names its authority, and the InfiniBand specification with a number', () => {
  const without = { ...clause, authority: undefined };
  const ibta = { ...clause, authority: 'ibta' };
  assert.throws(() => parseClauses([without], page, 'list'), /\/0 .*'authority'$/);
  assert.throws(() => parseClauses([{ ...clause, authority: 'man' }], page, 'list'), /page, posix, ibta, rdmamojo/);
  assert.throws(() => parseClauses([ibta], page, 'list'), /\/0 .*'ibta'$/);
  assert.throws(() => parseClauses([{ ...ibta, ibta: 'chapter 11' }], page, 'list'), /\/0\/ibta must match pattern/);
  assert.throws(() => parseClauses([{ ...ibta, ibta: '11.4.2.1' }], page, 'list'), /\/0\/ibta must match pattern/);
  assert.throws(() => parseClauses([{ ...clause, ibta: '11.6.2' }], page, 'list'), /\/0\/authority .*: ibta$/);
  for (const number of ['o11-5.2.5', 'C10-107', '11.4.2', '11']) {
    assert.equal(parseClauses([{ ...ibta, ibta: number }], page, 'list')[0]?.ibta, number);
  }
});

test('an id is unique and begins with its page', () => {
  assert.throws(() => parseClauses([clause, clause], page, 'list'), /ibv_poll_cq\.fifo is listed twice/);
  assert.throws(() => parseClauses([clause], 'ibv_create_cq', 'list'), /does not begin with/);
});

test('clauses are read page by page, each page once', () => {
  write('cq/ibv_poll_cq.clauses.json', [clause]);
  write('cq/ibv_poll.clauses.json', [{ ...clause, id: 'ibv_poll.fifo' }]);
  assert.deepEqual([...loadClauses(folder).keys()], ['ibv_poll.fifo', 'ibv_poll_cq.fifo']);
  write('qp/ibv_poll_cq.clauses.json', [clause]);
  assert.throws(() => loadClauses(folder), /ibv_poll_cq has clauses in cq\/.* and in qp\//);
  assert.throws(() => loadClauses(mkdtempSync(join(folder, 'empty-'))), /no clause below/);
});

test('needed capabilities and pages are no clause ids', () => {
  const tags = ['@ibv_poll_cq', '@ibv_poll_cq.fifo', '@needs.srq', '@slow'].map((name) => ({ name }));
  assert.deepEqual(clauseIdsOf(tags), ['ibv_poll_cq.fifo']);
});
