import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ScenarioVerdict } from '../../catalog/verdict';
import { callersOf, type ProviderFault } from './fault';
import { differences, isUnexpected, judgeFault, type Sound } from './judge-fault';
import { allExposed, allToFail, ownAndBystanders } from './selection';

const fault: ProviderFault = {
  effect: 'imm_data is lost',
  exposes: callersOf(['ibv_poll_cq'], /IBV_WC_WITH_IMM/),
  rules: ['ibv_poll_cq.field-imm-data'],
};
const met = ['ibv_poll_cq.flag-with-imm'];
const whole = { met, isWhole: true };
const part = { met, isWhole: false };
const immediate: Sound['calls'] = [['ibv_poll_cq', '{"wcFlags":["IBV_WC_WITH_IMM"]}']];

function shown(id: string, verdict: ScenarioVerdict, line = 1): Sound {
  return {
    uri: 'features/cq/a.feature',
    line,
    name: 'A scenario',
    clauseIds: [id],
    verdict,
    detail: `seen of ${id}`,
    calls: immediate,
  };
}

const asKnown = [shown('ibv_poll_cq.field-imm-data', 'fail'), shown('ibv_poll_cq.flag-with-imm', 'fail', 2)];

describe('a fault of a provider', () => {
  it('is proved by its own rules and by those that it is known to make fail', () => {
    assert.deepEqual(judgeFault(fault, whole, [...asKnown, shown('ibv_poll_cq.field-sl', 'pass', 3)]), {
      caughtBy: ['ibv_poll_cq.field-imm-data'],
      met,
      problems: [],
    });
  });

  it('that its own rule does not notice is wrong', () => {
    for (const verdict of ['pass', 'blocked', 'broken'] as const) {
      const { problems } = judgeFault(fault, part, [shown('ibv_poll_cq.field-imm-data', verdict)]);
      assert.equal(problems.length, 1);
      assert.match(
        problems[0] ?? '',
        /^is not noticed by ibv_poll_cq\.field-imm-data: .*"A scenario" (pass|blocked|broken)/,
      );
    }
  });

  it('whose own rule does not pass without it is wrong', () => {
    assert.deepEqual(judgeFault(fault, part, []).problems, [
      'is not noticed by ibv_poll_cq.field-imm-data: none of its scenarios passes without a fault',
    ]);
  });

  it('that makes another rule fail which is not recorded is wrong', () => {
    for (const verdict of ['fail', 'hang', 'crash', 'panic', 'blocked', 'broken'] as const) {
      const { problems } = judgeFault(fault, part, [...asKnown, shown('ibv_poll_cq.drain-loop', verdict, 7)]);
      assert.deepEqual(problems, [
        `meets ibv_poll_cq.drain-loop too: features/cq/a.feature:7 "A scenario" ${verdict}: seen of ibv_poll_cq.drain-loop; if that is meant, --accept`,
      ]);
    }
  });

  it('says nothing of a rule whose scenario only got what nothing accounts for', () => {
    const detail = 'After hook "account": unexpected in the scenario; expected nothing, observed [1 CQE]';
    const stray = { ...shown('ibv_poll_cq.drain-loop', 'fail', 7), detail };
    assert.deepEqual(judgeFault(fault, whole, [...asKnown, stray]).problems, []);
  });

  it('makes no scenario fail that calls nothing of what it changes, recorded or not', () => {
    const other: Sound = { ...shown('ibv_poll_cq.flag-with-imm', 'fail', 7), calls: [['ibv_poll_cq', '{}']] };
    assert.deepEqual(judgeFault(fault, whole, [...asKnown, other]).problems, [
      'fails ibv_poll_cq.flag-with-imm, which calls nothing that it changes: features/cq/a.feature:7 "A scenario" fail: seen of ibv_poll_cq.flag-with-imm',
    ]);
  });

  it('of which a record does not fail any more is wrong where all features ran', () => {
    const [own = shown('', 'fail')] = asKnown;
    const results = [own, shown('ibv_poll_cq.flag-with-imm', 'pass', 2)];
    assert.deepEqual(judgeFault(fault, part, results).problems, []);
    assert.deepEqual(judgeFault(fault, whole, results).problems, [
      'met ibv_poll_cq.flag-with-imm, and does no more: if that is meant, --accept',
    ]);
  });
});

describe('a provider without a fault', () => {
  it('may deviate as the list has it, and in no other way', () => {
    const verdicts = ['pass', 'deviates', 'not-applicable', 'fail', 'surprise', 'broken', 'hang'] as const;
    assert.deepEqual(
      verdicts.filter((verdict) => isUnexpected({ verdict })),
      ['fail', 'surprise', 'broken', 'hang'],
    );
  });

  it('has the verdicts of the provider alone, scenario by scenario', () => {
    const [one, other] = [shown('a.b', 'pass'), shown('a.c', 'deviates', 2)];
    assert.deepEqual(differences([one, other], [one, other]), []);
    assert.deepEqual(differences([one, other], [one, { ...other, verdict: 'pass' }]), [
      'differs from deviates: features/cq/a.feature:2 "A scenario" pass: seen of a.c',
    ]);
    assert.deepEqual(differences([one, other], [one]), ['has 1 scenarios and not 2']);
  });
});

describe('the scenarios for a fault', () => {
  const record = (wcFlags: string): Sound['calls'] => [['ibv_poll_cq', `{"wcFlags":["${wcFlags}"]}`]];
  const own: Sound = { ...shown('ibv_poll_cq.field-imm-data', 'pass', 1), calls: record('IBV_WC_WITH_IMM') };
  const known: Sound = { ...shown('ibv_poll_cq.flag-with-imm', 'pass', 2), calls: record('IBV_WC_WITH_IMM') };
  const exposed: Sound = { ...shown('ibv_poll_cq.field-sl', 'pass', 3), calls: record('IBV_WC_WITH_IMM') };
  const untouched: Sound = { ...shown('ibv_poll_cq.field-slid', 'pass', 4), calls: record('IBV_WC_GRH') };
  const deviating: Sound = { ...own, line: 5, verdict: 'deviates' };
  const bystander: Sound = { ...shown('ibv_poll_cq.drain-loop', 'pass', 6), calls: record('IBV_WC_GRH') };
  const all = [own, known, exposed, untouched, deviating, bystander];

  it('are those of its own rules and a few that stand for all others', () => {
    assert.deepEqual(ownAndBystanders(fault, met, all), { toFail: [own], toPass: [bystander] });
    assert.deepEqual(ownAndBystanders(fault, ['ibv_poll_cq.drain-loop'], all).toPass, []);
  });

  it('are, taken whole, all that can notice it', () => {
    assert.deepEqual(allExposed(fault, met, all), { toFail: [own, known], toPass: [exposed] });
  });

  it('may all fail while nobody knows which do', () => {
    assert.deepEqual(allToFail({ toFail: [own], toPass: [exposed] }), { toFail: [own, exposed], toPass: [] });
  });
});
