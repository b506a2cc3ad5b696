import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TraceStruct, TraceValue } from '../../contract';
import type { ProgramRecord } from '../../programs/program';
import type { VerbName } from '../../verbs';
import { mayOverrun } from './overruns';

const record = (
  verb: VerbName,
  args: TraceStruct,
  returned: TraceValue = 0,
  outputs: TraceStruct = {},
): ProgramRecord => ({ verb, args, returned: returned as ProgramRecord['returned'], errno: 0, outputs });

const made = [
  record('ibv_create_cq', {}, 'cq#1', { cqe: 7 }),
  record('ibv_create_qp', { qpInitAttr: { sendCq: 'cq#1', recvCq: 'cq#1', srq: null } }, 'qp#1'),
];
const post = (count: number): ProgramRecord =>
  record('ibv_post_send', { qp: 'qp#1', wrs: Array.from({ length: count }, () => ({ wrId: 1n })) });
const polled = (count: number): ProgramRecord =>
  record('ibv_poll_cq', { cq: 'cq#1' }, count, { wc: Array.from({ length: count }, () => ({ wrId: 1n })) });

test('a CQ may be overrun by more work than it has room for, as it is now', () => {
  assert.equal(mayOverrun([...made, post(7)]), false);
  assert.equal(mayOverrun([...made, post(8)]), true);
  assert.equal(mayOverrun([...made, post(7), polled(4), post(4)]), false);
  const resized = record('ibv_resize_cq', { cq: 'cq#1', cqe: 2 }, 0, { cqe: 3 });
  assert.equal(mayOverrun([...made, resized, post(4)]), true);
  const silent = record('ibv_resize_cq', { cq: 'cq#1', cqe: 2 });
  assert.equal(mayOverrun([...made, silent, post(3)]), true, 'a size that is only asked for');
});

test('receives of an SRQ may complete into the CQ of any QP that has it', () => {
  const shared = record('ibv_create_qp', { qpInitAttr: { sendCq: 'cq#2', recvCq: 'cq#1', srq: 'srq#1' } }, 'qp#2');
  const wrs = Array.from({ length: 8 }, () => ({ wrId: 1n }));
  assert.equal(mayOverrun([...made, shared, record('ibv_post_srq_recv', { srq: 'srq#1', wrs })]), true);
});
