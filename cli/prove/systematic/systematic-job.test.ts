import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { Cq } from '../../../drivers/sim/cq/cq';
import { soundParts, type Parts } from '../../../drivers/sim/device/device';
import type { History } from '../../../drivers/sim/faults/history';
import type { SystematicFault, Tell } from '../../../drivers/sim/faults/systematic/systematic-fault';
import { featurePaths } from '../../inputs/features';
import { placeOf, runSound, type RecordedScenario } from '../prove-job';
import { runSystematic, type SystematicOutcome } from './systematic-job';

/** A CQ that is four entries larger than a sound one, which no page forbids. */
function growing(tell: Tell): Parts {
  return {
    ...soundParts,
    Cq: class extends Cq {
      protected override sizeFor(asked: number): number {
        tell();
        return super.sizeFor(asked) + 4;
      }
    },
  };
}

/** A CQ that says to have no entries. */
function shrinking(tell: Tell): Parts {
  return {
    ...soundParts,
    Cq: class extends Cq {
      override get cqe(): number {
        tell();
        return 0;
      }
    },
  };
}

describe('the run of a systematic fault', () => {
  let trials: readonly RecordedScenario[];
  let histories: ReadonlyMap<string, History>;

  before(async () => {
    const pages = featurePaths().filter((path) => path.includes('ibv_resize_cq'));
    trials = await runSound(pages, () => undefined);
    histories = new Map(trials.map((trial) => [placeOf(trial), trial.history]));
  });

  function outcomeOf(parts: SystematicFault['parts'], piece = 'Cq.capacity'): Promise<SystematicOutcome> {
    const fault = { name: 'a fault', piece, operator: 'spoilt', trigger: 'ibv_resize_cq', mayBeIdle: true, parts };
    return runSystematic(fault, trials, histories, () => undefined);
  }

  it('is caught by a scenario about what it spoils', async () => {
    const { outcome, by = '' } = await outcomeOf(shrinking);
    assert.equal(outcome, 'caught');
    assert.match(by, /^features\/cq\/ibv_resize_cq\.feature:\d+$/);
  });

  it('is caught elsewhere, if only other scenarios fail', async () => {
    assert.equal((await outcomeOf(shrinking, 'Cq.moderation')).outcome, 'caught elsewhere');
  });

  it('is seen, if scenarios go astray and pass', async () => {
    const { outcome, by = '' } = await outcomeOf(growing);
    assert.equal(outcome, 'seen');
    assert.match(by, /^features\/cq\/ibv_resize_cq\.feature:\d+$/);
  });

  it('is idle, if scenarios go astray of a fault that has changed nothing', async () => {
    assert.deepEqual(await outcomeOf(() => growing(() => undefined)), { outcome: 'idle' });
  });

  it('is unseen, if it has acted and every scenario runs as before', async () => {
    const silent = (tell: Tell): Parts => {
      tell();
      return soundParts;
    };
    assert.deepEqual(await outcomeOf(silent), { outcome: 'unseen' });
  });
});
