import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HarnessError } from '../drivers/contract';
import { clauseIdsOf, loadClauses, parseClauses } from './clauses';

const clause = {
  id: 'ibv_poll_cq.fifo',
  page: 'ibv_poll_cq',
  section: 'DESCRIPTION',
  statement: 'First in, first out.',
  level: 'must',
  testable: 'loopback',
};

test('the clauses of the completion-queue pages keep their schema', () => {
  const clauses = loadClauses();
  assert.equal(clauses.size, 309);
  assert.equal(clauses.get('ibv_req_notify_cq.one-shot')?.section, 'NOTES');
});

test('a clause that departs from the schema is refused with its place', () => {
  assert.throws(() => parseClauses([{ ...clause, level: 'shall' }], 'list'), HarnessError);
  assert.throws(() => parseClauses([{ ...clause, seeds: [] }], 'list'), /list .*\/0 .*"seeds"/);
  assert.throws(() => parseClauses([], 'list'), HarnessError);
});

test('an id is unique and begins with its page', () => {
  assert.throws(() => parseClauses([clause, clause], 'list'), /ibv_poll_cq\.fifo is there twice/);
  assert.throws(() => parseClauses([{ ...clause, page: 'ibv_create_cq' }], 'list'), /does not begin with/);
});

test('needed capabilities and pages are no clause ids', () => {
  const tags = ['@ibv_poll_cq', '@ibv_poll_cq.fifo', '@needs.srq', '@slow'].map((name) => ({ name }));
  assert.deepEqual(clauseIdsOf(tags), ['ibv_poll_cq.fifo']);
});
