import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { loadClauses, type Clause, type Clauses } from '../../catalog/clauses';
import { setters } from '../../drivers/verbs/derived/setters';
import type { SoundScenario } from '../../reports/proof/proof';
import { featurePaths, featureRules } from '../inputs/features';
import { effectProblems, effectTrials, passingRules, type EffectTrial } from './effects';
import { runSound } from './prove-job';

const rules = featureRules();

/** The clauses with another mark at one of them, or none. */
function marked(id: string, effectNotShown?: Clause['effectNotShown']): Clauses {
  const clauses = new Map(loadClauses());
  const clause = clauses.get(id);
  assert.ok(clause);
  const { effectNotShown: before, ...rest } = clause;
  assert.notDeepEqual(before, effectNotShown);
  return clauses.set(id, { ...rest, ...(effectNotShown && { effectNotShown }) });
}

describe('a device that ignores what is asked', () => {
  let sound: readonly SoundScenario[];

  before(async () => {
    const pages = featurePaths().filter((path) => /ibv_(modify|resize)_cq|ibv_create_cq_ex/.test(path));
    sound = await runSound(pages, () => undefined);
  });

  const trialOf = (ignoring: string, clauses = loadClauses()): EffectTrial => {
    const trial = effectTrials(clauses, sound).find((one) => one.ignoring === ignoring);
    assert.ok(trial, ignoring);
    return trial;
  };

  const problems = async (ignoring: string, clauses = loadClauses()): Promise<string[]> => {
    const trial = trialOf(ignoring, clauses);
    return effectProblems(trial, await passingRules(trial, rules), clauses);
  };

  it('is tried with each verb that sets something, on the rules about it', () => {
    const names = setters.map(({ c }) => c);
    for (const verb of ['ibv_modify_cq', 'ibv_resize_cq', 'ibv_req_notify_cq', 'ibv_end_poll'])
      assert.ok(names.includes(verb));
    for (const verb of ['ibv_create_cq', 'ibv_destroy_cq', 'ibv_poll_cq', 'ibv_get_cq_event', 'fcntl']) {
      assert.ok(!names.some((name) => name === verb), verb);
    }
    assert.ok(trialOf('ibv_resize_cq').rules.includes('ibv_resize_cq.at-least-requested'));
    assert.deepEqual([...trialOf('ibv_end_poll').rules].sort(), [
      'ibv_create_cq_ex.end-closes-batch',
      'ibv_create_cq_ex.end-then-new-start',
    ]);
  });

  it('agrees with what the clauses say of their rules', async () => {
    for (const trial of effectTrials(loadClauses(), sound)) assert.deepEqual(await problems(trial.ignoring), []);
  });

  it('finds a rule that it passes and that does not say so', async () => {
    const [problem = '', ...more] = await problems('ibv_modify_cq', marked('ibv_modify_cq.moderate-count'));
    assert.match(
      problem,
      /^a device that ignores ibv_modify_cq passes every scenario of ibv_modify_cq\.moderate-count: /,
    );
    assert.deepEqual(more, []);
  });

  it('finds a rule that says so and that it does not pass', async () => {
    const id = 'ibv_resize_cq.at-least-requested';
    const [problem = '', ...more] = await problems(
      'ibv_resize_cq',
      marked(id, { ignoring: 'ibv_resize_cq', reason: 'none' }),
    );
    assert.match(
      problem,
      /^ibv_resize_cq\.at-least-requested says that its effect is not shown, but never asks for ibv_resize_cq, or fails /,
    );
    assert.deepEqual(more, []);
  });

  it('may ignore an argument, a member of it or a flag', async () => {
    const id = 'ibv_create_cq_ex.attr-cq-context';
    const context = marked(id, { ignoring: 'ibv_create_cq_ex.cqAttr.cqContext', reason: 'none' });
    assert.match(
      (await problems('ibv_create_cq_ex.cqAttr.cqContext', context)).join(),
      /says that its effect is not shown/,
    );
    const unasked = marked(id, { ignoring: 'ibv_modify_srq', reason: 'none' });
    assert.equal((await problems('ibv_modify_srq', unasked)).length, 1);
    const unknown = marked(id, { ignoring: 'ibv_create_cq_ex.cqAttr.lunch', reason: 'none' });
    assert.match(
      (await problems('ibv_create_cq_ex.cqAttr.lunch', unknown)).join(),
      /says that its effect is not shown/,
    );
  });
});
