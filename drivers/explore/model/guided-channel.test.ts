import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { programOf } from '../../programs/check-program';
import type { Op, Program } from '../../programs/program';
import { runProgram } from '../../programs/run-program';
import { SimBackend } from '../../sim/backend';
import { soundParts } from '../../sim/device/device';
import { simulatedDut } from '../../sim/device/dut';
import { verdictOf } from '../oracle/inclusion';

const get: Op = { call: 'ibv_get_cq_event', args: { channel: { of: 'ch1' } } };

/** Two threads wait for the one event that comes when two receives are flushed. */
function twoGets(): Program {
  const program = programOf(readFileSync(join(__dirname, '..', 'corpus', 'stays-armed.json'), 'utf8'));
  const [fails, ...gets] = program.ops.slice(-3);
  assert.deepEqual(gets, [get, get]);
  const thread: Op[] = [{ settle: true }, fails ?? assert.fail(), { settle: true }];
  return { ...program, ops: [...program.ops.slice(0, -3), { par: [[get], [get], thread] }] };
}

test('of two gets that wait for one event either may have it, and not none', async () => {
  const program = twoGets();
  const { records } = await runProgram(new SimBackend(soundParts), program);
  const at = records.findIndex((record) => record?.verb === 'ibv_get_cq_event');
  const [first, second] = records.slice(at, at + 2);
  assert.deepEqual([first?.blocked, second?.blocked], [undefined, true]);
  const kindOf = async (...gets: readonly (typeof first)[]): Promise<string> => {
    const seen = [...records.slice(0, at), ...gets, ...records.slice(at + 2)];
    return (await verdictOf(program, { records: seen, countsWaits: false }, simulatedDut)).kind;
  };
  assert.equal(await kindOf(first, second), 'explained');
  assert.equal(await kindOf(second, first), 'explained');
  assert.equal(await kindOf(second, second), 'violation');
});
