import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { TraceStruct } from '../../contract';
import type { ProgramRecord } from '../../programs/program';
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
