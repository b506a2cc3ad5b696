import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { faults } from '../../../drivers/sim/faults';
import { run, scenario } from '../../../reports/fixtures/proof-runs';
import type { FaultRun } from '../../../reports/proof/proof';
import { dictionarySample, sampleMax } from './dictionary-sample';
import { placeOf, runSound, runUnder } from '../prove-job';

const own = scenario('page.own', 1);
const others = Array.from({ length: sampleMax + 8 }, (_, index) => scenario('page.other', index + 2));

function straying(name: string, count: number): FaultRun {
  return run(name, ['page.own'], [own, ...others.slice(0, count)]);
}

describe('the scenarios that run to their end for the fault dictionary', () => {
  const sound = [own, ...others];
  const sample = dictionarySample(sound, [straying('sharp', sampleMax), straying('blunt', sampleMax + 8)]);

  it('are all scenarios of other rules that a fault meets', () => {
    assert.deepEqual(
      sound.filter((one) => sample.isToEnd('sharp', one)),
      others.slice(0, sampleMax),
    );
    assert.equal(sample.isSampled('sharp'), false);
  });

  it('are a sample where they are many, the same wherever they stand', () => {
    const drawn = others.filter((one) => sample.isToEnd('blunt', one));
    assert.equal(drawn.length, sampleMax);
    assert.equal(sample.isSampled('blunt'), true);
    const backwards = { ...straying('blunt', sampleMax + 8) };
    const again = dictionarySample(sound, [{ ...backwards, stray: [...backwards.stray].reverse() }]);
    assert.deepEqual(
      others.filter((one) => again.isToEnd('blunt', one)),
      drawn,
    );
  });

  it('have the signature of what failed', async () => {
    const { 'modify-cq-ignores-mask': fault } = faults;
    assert.ok(fault);
    const recorded = await runSound(['features/cq/ibv_modify_cq.feature'], () => undefined);
    const failing = recorded.filter(({ clauseIds }) => clauseIds.some((id) => fault.rules.includes(id)));
    const histories = new Map(recorded.map((one) => [placeOf(one), one.history]));
    const trials = failing.map(({ uri, line }) => ({ uri, line, uptoVerbs: [] }));
    const tried = await runUnder(fault, trials, histories, () => undefined);
    const failed = tried.filter(({ verdict }) => verdict === 'fail');
    assert.ok(failed.length > 0);
    for (const { signature } of failed) assert.match(signature ?? '', /^fail: .*; expected .*, observed /);
  });
});
