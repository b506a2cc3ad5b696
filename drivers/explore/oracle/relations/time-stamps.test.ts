import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { TraceStruct } from '../../../contract';
import type { ProgramRecord } from '../../../programs/program';
import { TimeStamps } from './time-stamps';

const record = (verb: ProgramRecord['verb'], outputs: TraceStruct = {}): ProgramRecord => ({
  verb,
  args: { cq: 'cq#1' },
  returned: 0,
  errno: 0,
  outputs,
});

const read = (value: bigint): ProgramRecord => record('ibv_wc_read_completion_ts', { value });

/** The last of what is said of several calls. */
function saidOf(...records: readonly ProgramRecord[]): unknown {
  const stamps = new TimeStamps();
  return records.map((one) => stamps.see(one)).at(-1);
}

it('a completion has one time stamp, however often that is read', () => {
  const start = record('ibv_start_poll');
  assert.equal(saidOf(start, read(7n), read(7n)), undefined);
  assert.deepEqual(saidOf(start, read(7n), read(8n)), { what: 'value', expected: 7n, observed: 8n });
  for (const step of ['ibv_next_poll', 'ibv_start_poll'] as const)
    assert.equal(saidOf(start, read(7n), record(step), read(8n)), undefined);
});

/** Two sends of a QP, whose time stamps are read one after the other. */
function sendsOf(
  qps: readonly [string, string],
  wrIds: readonly [bigint, bigint],
  times: readonly [bigint, bigint],
): unknown {
  const post = (at: 0 | 1): ProgramRecord => ({
    ...record('ibv_post_send'),
    args: { qp: qps[at], wrs: [{ wrId: wrIds[at] }] },
  });
  const stands = (at: 0 | 1): ProgramRecord => record('struct ibv_cq_ex', { wrId: wrIds[at] });
  const next = record('ibv_next_poll');
  return saidOf(post(0), post(1), record('ibv_start_poll'), stands(0), read(times[0]), next, stands(1), read(times[1]));
}

it('no send completes before an earlier one of its QP', () => {
  const back = { what: 'value', expected: 'a later time', observed: 900n };
  assert.deepEqual(sendsOf(['qp#1', 'qp#1'], [1n, 2n], [1000n, 900n]), back);
  assert.equal(sendsOf(['qp#1', 'qp#1'], [1n, 2n], [900n, 1000n]), undefined);
});

it('a time stamp that is smaller may be of another QP, of work that nobody knows, or of a counter that has begun anew', () => {
  assert.equal(sendsOf(['qp#1', 'qp#2'], [1n, 2n], [1000n, 900n]), undefined);
  assert.equal(sendsOf(['qp#1', 'qp#1'], [1n, 1n], [1000n, 900n]), undefined);
  assert.equal(sendsOf(['qp#1', 'qp#1'], [1n, 2n], [1000n, 3n]), undefined);
  const post = (wrId: bigint): ProgramRecord => ({ ...record('ibv_post_send'), args: { qp: 'qp#1', wrs: [{ wrId }] } });
  const stands = (wrId: bigint): ProgramRecord => record('struct ibv_cq_ex', { wrId });
  const later = [record('ibv_start_poll'), stands(2n), read(1000n), record('ibv_next_poll')];
  assert.equal(
    saidOf(post(1n), post(2n), ...later, stands(1n), read(900n)),
    undefined,
    'the earlier one is read later',
  );
});
