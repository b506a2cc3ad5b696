import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulatedDut } from '../../sim/device/dut';
import { Chance } from './chance';
import { openDevice } from './objects';
import { of, ProgramIsOver, Walk } from './walk';

test('a program takes no operation beyond its longest: what would add one ends there', async () => {
  const walk = new Walk(
    new Chance(1),
    { cqe: 1, receives: 1, batch: 1 },
    new Set(simulatedDut.capabilities),
    new Set(),
  );
  await walk.begin();
  await openDevice(walk);
  const addMany = async (): Promise<void> => {
    for (let calls = 0; calls < 1000; calls++) await walk.call('ibv_query_device', { context: of(walk.context) });
  };
  await assert.rejects(addMany, ProgramIsOver);
  assert.equal(walk.isOver, true);
  assert.equal(walk.ops.length, 235);
});
