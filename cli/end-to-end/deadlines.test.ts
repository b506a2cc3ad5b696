import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { usualBringUp, type BringUp } from '../../steps/qp/connection';
import { eventMsOf } from '../../steps/world/deadlines';
import type { VerbsWorld } from '../../steps/world/world';

/** Milliseconds that things may take in a scenario with two QPs, each the peer of the other. */
function deadlineOf(one: Partial<BringUp>, other: Partial<BringUp> = {}, eventMs = 1000): number {
  const [qp, peer] = [{}, {}];
  const qps = [
    { ...usualBringUp, ...one, qp, peer },
    { ...usualBringUp, ...other, qp: peer, peer: qp },
  ];
  return eventMsOf({ driver: { limits: { eventMs, quietMs: 0 } }, qps: new Set(qps) } as unknown as VerbsWorld);
}

describe('what may take time in a scenario', () => {
  it('has the time of the device where the scenario bounds no retries', () => {
    assert.equal(deadlineOf({}), 1000);
    assert.equal(deadlineOf({ qpType: 'IBV_QPT_UC', timeout: 14 }), 1000);
    assert.equal(deadlineOf({ timeout: 0, retryCnt: 2 }), 1000, 'a QP that waits without end gives nothing up');
  });

  it('has the time of all tries at a peer that does not answer, whose timeout a device may raise', () => {
    const threeTries = Math.ceil(4 * 3 * 1073.741824 + 5000);
    assert.equal(deadlineOf({ timeout: 14, retryCnt: 2 }), threeTries);
    assert.equal(deadlineOf({ timeout: 19, retryCnt: 2 }), Math.ceil(4 * 3 * 2147.483648 + 5000));
    assert.equal(deadlineOf({}, { timeout: 14, retryCnt: 2 }), threeTries);
  });

  it('has the time of all tries at a peer without a receive, by the timer of that peer', () => {
    assert.equal(deadlineOf({ rnrRetry: 6 }, { minRnrTimer: 0 }), Math.ceil(6 * 4 * 655.36 + 5000));
    assert.equal(deadlineOf({ rnrRetry: 0 }), 5000);
  });

  it('has no less than the time of the device', () => {
    assert.equal(deadlineOf({ rnrRetry: 0 }, {}, 60_000), 60_000);
  });
});
