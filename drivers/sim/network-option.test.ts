import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UsageError } from '../contract';
import { networkOf, networkText } from './network-option';

describe('--network', () => {
  it('names conditions, and leaves the others as they are', () => {
    assert.deepEqual(networkOf('loss=0.25,min-delay=3,seed=7'), {
      seed: 7,
      oneWayDelayMinUs: 3,
      oneWayDelayMeanUs: 3,
      packetLossProbability: 0.25,
      packetReplayProbability: 0,
      packetReorderProbability: 0,
    });
  });

  it('can be asked for again with the seed that it has got', () => {
    const network = networkOf('delay=20,replay=1,reorder=0.5');
    assert.deepEqual(networkOf(networkText(network)), network);
  });

  for (const text of [
    '',
    'loss',
    'loss=',
    'loss=1.5',
    'loss=-1',
    'loss=1e-1',
    'delay=9999999',
    'latency=1',
    'toString=1',
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      assert.throws(() => networkOf(`seed=1,${text}`), UsageError);
    });
  }
});
