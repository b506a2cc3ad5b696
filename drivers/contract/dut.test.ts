import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { simulatedDut } from '../sim/device/dut';
import { lackOf, needsIn } from './dut';

describe('what a scenario needs', () => {
  it('is what its tags say', () => {
    assert.deepEqual(needsIn(['@ibv_poll_cq', '@needs.connection', '@needs.ud']), ['connection', 'ud']);
  });

  it('is no connection where it has datagrams alone', () => {
    assert.deepEqual(needsIn(['@needs.connection', '@needs.datagrams']), ['datagrams']);
    const ofDatagrams = { ...simulatedDut, capabilities: ['ud'] as const };
    assert.equal(lackOf(ofDatagrams, 'datagrams'), undefined);
    assert.equal(lackOf({ ...ofDatagrams, capabilities: ['connection'] }, 'datagrams'), 'the device lacks ud');
  });
});
