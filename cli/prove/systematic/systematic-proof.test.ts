import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { soundParts } from '../../../drivers/sim/device/device';
import type { SystematicFault } from '../../../drivers/sim/faults/systematic/systematic-fault';
import type { SystematicOutcome } from './systematic-job';
import { judgeSystematic, verdictOn } from './systematic-proof';

const suite = { version: '0', commit: 'none' };
const because = 'page silent: nothing is said of it';
const argued = [{ faults: ['ibv_x / *'], because }];

function fault(name: string, mayBeIdle = false): SystematicFault {
  return { name, piece: 'Cq.request', operator: 'lost', trigger: 'ibv_x', mayBeIdle, parts: () => soundParts };
}

const verdictOf = (outcome: SystematicOutcome['outcome'], mayBeIdle = false, all = [] as typeof argued): string =>
  verdictOn(fault('ibv_x / Cq.request / lost', mayBeIdle), { outcome }, all).verdict;

describe('the verdict on a systematic fault', () => {
  it('is that it was caught, whatever is argued', () => {
    assert.equal(verdictOf('caught', true, argued), 'caught');
    assert.equal(verdictOf('caught elsewhere', true, argued), 'caught elsewhere');
  });

  it('is that it was missed, whether a scenario ran otherwise or not', () => {
    for (const outcome of ['seen', 'unseen', 'idle'] as const) assert.equal(verdictOf(outcome), 'missed');
  });

  it('is that it is none, if it changes nothing and need not', () => {
    assert.equal(verdictOf('idle', true), 'void');
    assert.equal(verdictOf('unseen', true), 'missed');
  });

  it('is what is argued, with the reason', () => {
    const verdict = verdictOn(fault('ibv_x / Cq.request / lost'), { outcome: 'seen' }, argued);
    assert.deepEqual([verdict.verdict, verdict.because], ['argued', because]);
  });
});

describe('the judgement on the systematic faults', () => {
  const judged = (outcomes: readonly SystematicOutcome['outcome'][], all: typeof argued, isWhole: boolean) =>
    judgeSystematic(
      suite,
      outcomes.map((outcome, index) => verdictOn(fault(`ibv_x / ${index}`, true), { outcome }, all)),
      all,
      isWhole,
    );

  it('counts those that are neither void nor argued', () => {
    const { caughtPercent, caughtByOwnPercent } = judged(['caught', 'caught elsewhere', 'seen', 'idle'], [], true);
    assert.deepEqual([caughtPercent, caughtByOwnPercent], [66.6, 33.3]);
  });

  it('names each that was missed', () => {
    assert.deepEqual(judged(['caught', 'seen'], [], true).problems, ['ibv_x / 1: no scenario fails']);
  });

  it('names an argument that nothing needs, if all have run', () => {
    assert.match(judged(['caught'], argued, true).problems.join(), /ibv_x \/ \* is of no fault that is missed/);
    assert.deepEqual(judged(['caught'], argued, false).problems, []);
  });
});
