import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TraceStruct, TraceValue } from '../../contract';
import type { ProgramRecord } from '../../programs/program';
import { brokenAxiom } from './axioms';

const record = (verb: ProgramRecord['verb'], args: TraceStruct, outputs: TraceStruct = {}): ProgramRecord => ({
  verb,
  args,
  returned: verb === 'ibv_create_qp' ? 'qp#1' : 0,
  errno: 0,
  outputs,
});

const made = record('ibv_create_qp', { qpInitAttr: { srq: null, sqSigAll: true } }, { qpNum: 7 });
const reset = record('ibv_modify_qp', { qp: 'qp#1', attr: { qpState: 'IBV_QPS_RESET' }, attrMask: ['IBV_QP_STATE'] });
const sends = (...wrIds: TraceValue[]): ProgramRecord =>
  record('ibv_post_send', { qp: 'qp#1', wrs: wrIds.map((wrId) => ({ wrId, sendFlags: [] })) });
const polled = (...wrIds: TraceValue[]): ProgramRecord => {
  const wc = wrIds.map((wrId) => ({ wrId, status: 'IBV_WC_SUCCESS', opcode: 'IBV_WC_SEND', qpNum: 7, wcFlags: [] }));
  return record('ibv_poll_cq', { cq: 'cq#1', numEntries: 8 }, { wc, overflowed: false });
};

test('a wr_id that was posted before a reset and after it may be that of either', () => {
  assert.equal(brokenAxiom([made, sends(1), reset, sends(1, 2), polled(1, 2)]), undefined);
  assert.equal(brokenAxiom([made, sends(1), reset, sends(1, 2), polled(1, 1, 2)]), undefined);
});

test('a send is not left out, nor does it complete twice', () => {
  assert.equal(brokenAxiom([made, sends(1, 2), polled(2)])?.expected, 1);
  assert.equal(brokenAxiom([made, sends(1), polled(1, 1)])?.observed, 1);
  assert.equal(brokenAxiom([made, sends(1), reset, sends(1, 2), polled(1, 1, 1, 2)])?.observed, 1);
});

test('of a list that is refused only what stands before the bad one was posted', () => {
  const refused = { ...sends(1, 2), returned: 22, outputs: { badWr: 1 } };
  assert.equal(brokenAxiom([made, refused, polled(1)]), undefined);
  assert.equal(brokenAxiom([made, refused, polled(1, 2)])?.observed, 2);
  assert.equal(brokenAxiom([made, { ...refused, outputs: { badWr: null } }, polled(1)])?.observed, 1);
});
