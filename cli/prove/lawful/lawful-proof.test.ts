import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Variant } from '../../../drivers/sim/lawful/variant';
import type { ProvedScenario } from '../../../reports/proof/proof';
import type { LawfulOutcome } from './lawful-job';
import { judgeLawful } from './lawful-proof';

const suite = { version: '0', commit: 'none' };
const rule = 'ibv_x.y';

function failed(verdict: ProvedScenario['verdict'] = 'fail'): ProvedScenario {
  return { uri: 'features/x.feature', line: 3, name: 'A scenario', clauseIds: [rule], verdict, detail: 'no event' };
}

function problems(variant: Partial<Variant>, outcome: Partial<LawfulOutcome>, isWhole = true): readonly string[] {
  const whole: Variant = { does: 'otherwise', because: 'it may', parts: () => ({}), ...variant };
  const shown = { lacks: [], astray: 1, notApplicable: 0, failed: [], ...outcome };
  return judgeLawful(suite, [{ name: 'v', variant: whole, outcome: shown }], isWhole).problems;
}

describe('the judgement on a lawful variant', () => {
  it('finds nothing wrong where all scenarios pass', () => {
    assert.deepEqual(problems({}, {}), []);
  });

  it('names each scenario that fails', () => {
    assert.deepEqual(problems({}, { failed: [failed()] }), ['v: fail features/x.feature:3 (ibv_x.y): no event']);
  });

  it('lets those fail that the variant names, and no worse than that', () => {
    for (const named of [{ breaks: [rule] }, { departs: [rule] }]) {
      assert.deepEqual(problems(named, { failed: [failed()] }), []);
      assert.equal(problems(named, { failed: [failed(), failed('hang')] }).length, 1);
    }
  });

  it('finds a rule that is named and holds, if all scenarios were tried', () => {
    assert.match(problems({ breaks: [rule] }, {}).join(), /ibv_x\.y is not broken by it: take it out/);
    assert.deepEqual(problems({ breaks: [rule] }, {}, false), []);
  });

  it('finds a variant that no scenario meets, unless that has a reason', () => {
    assert.match(problems({}, { astray: 0 }).join(), /no scenario runs otherwise on it/);
    assert.deepEqual(problems({ unseen: 'nobody looks' }, { astray: 0 }), []);
    assert.deepEqual(problems({ lacks: ['srq'] }, { astray: 0, notApplicable: 2, lacks: ['srq'] }), []);
  });

  it('compares what it is said to lack with what its trials have not shown', () => {
    assert.match(problems({}, { lacks: ['srq'] }).join(), /said to lack nothing, and lacks srq/);
    assert.match(problems({ lacks: ['ud', 'srq'] }, { lacks: ['srq'] }).join(), /said to lack srq, ud, and lacks srq/);
  });
});
