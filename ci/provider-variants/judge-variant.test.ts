import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ScenarioVerdict } from '../../catalog/verdict';
import { lackText } from '../../drivers/contract';
import type { FeatureRule } from '../../cli/inputs/features';
import type { Shown, Sound } from '../provider-faults/judge-fault';
import { judgeVariant, type Observed } from './judge-variant';
import { candidatesFor, selectionFor } from './selection';
import type { ProviderVariant } from './variant';

const rule = 'ibv_x.y';

function shown(verdict: ScenarioVerdict, line = 1, detail?: string): Shown {
  return { uri: 'features/x.feature', line, name: 'A scenario', clauseIds: [rule], verdict, detail };
}

function problems(
  variant: Partial<ProviderVariant>,
  under: Partial<Observed>,
  without: Partial<Observed> = {},
): readonly string[] {
  const whole: ProviderVariant = { does: 'otherwise', because: 'it may', meets: () => true, ...variant };
  const sound = { capabilities: ['srq', 'ud'] as const, scenarios: [shown('pass')], ...without };
  return judgeVariant(whole, sound, { ...sound, changes: 1, ...under });
}

describe('the judgement on a lawful variant of a provider', () => {
  it('finds nothing wrong where all is as it is without', () => {
    assert.deepEqual(problems({}, {}), []);
    const known = { scenarios: [shown('deviates'), shown('not-applicable', 2)] };
    assert.deepEqual(problems({}, known, known), []);
  });

  it('names each scenario whose verdict is another, be it a better one', () => {
    const failed = problems({}, { scenarios: [shown('fail', 1, 'no event')] });
    assert.deepEqual(failed, ['turns pass into features/x.feature:1 "A scenario" fail: no event']);
    for (const verdict of ['hang', 'blocked', 'broken', 'deviates', 'not-applicable'] as const)
      assert.equal(problems({}, { scenarios: [shown(verdict)] }).length, 1, verdict);
    const cleared = problems({}, { scenarios: [shown('surprise')] }, { scenarios: [shown('deviates')] });
    assert.match(cleared.join(), /^turns deviates into .* surprise/);
  });

  it('names a scenario that did not run', () => {
    assert.deepEqual(problems({}, { scenarios: [] }), ['keeps features/x.feature:1 from running']);
  });

  it('lets the rules fail that the variant breaks, and no worse than that', () => {
    assert.deepEqual(problems({ breaks: [rule] }, { scenarios: [shown('fail')] }), []);
    assert.match(problems({ breaks: [rule] }, { scenarios: [shown('hang')] }).join(), /turns pass into .* hang/);
  });

  it('finds a rule that is named and holds', () => {
    assert.deepEqual(problems({ breaks: [rule] }, {}), [`does not break ${rule}: take it out`]);
  });

  it('lets a scenario be not applicable for what is taken away, and for nothing else', () => {
    const lacking = { capabilities: ['ud'] as const, scenarios: [shown('not-applicable', 1, lackText('srq'))] };
    assert.deepEqual(problems({ lacks: ['srq'] }, lacking), []);
    const other = { ...lacking, scenarios: [shown('not-applicable', 1, lackText('uc'))] };
    assert.equal(problems({ lacks: ['srq'] }, other).length, 1);
  });

  it('compares what is said to be taken away with what the trials do not show', () => {
    const line = 'is said to take away nothing, and takes away srq';
    assert.deepEqual(problems({}, { capabilities: ['ud'] }), [line]);
    assert.deepEqual(problems({ lacks: ['srq'] }, {}), ['is said to take away srq, and takes away nothing']);
    assert.deepEqual(problems({}, { capabilities: ['srq', 'ud', 'uc'] }), ['adds uc']);
  });

  it('asks nothing of what the device lacks anyway', () => {
    assert.deepEqual(problems({ lacks: ['uc'] }, {}), []);
  });

  it('finds a variant that has changed nothing', () => {
    assert.deepEqual(problems({}, { changes: 0 }), ['has changed nothing']);
  });
});

describe('the scenarios that stand for all that can meet a variant', () => {
  const scenario = (clauseId: string, line: number, verb: string): Sound => ({
    ...shown('pass', line),
    clauseIds: [clauseId],
    calls: [[verb, '{}']],
  });
  const isMet: ProviderVariant['meets'] = (calls) => calls.some(([verb]) => verb === 'ibv_poll_cq');
  const variant: ProviderVariant = { does: '', because: '', meets: isMet, breaks: ['a.b'], shownBy: ['a.c'] };

  it('are those of the rules that it breaks, or that show it, and few others that meet it', () => {
    const [broken, own] = [scenario('a.b', 1, 'fcntl'), scenario('a.c', 2, 'fcntl')];
    const others = Array.from({ length: 100 }, (_, index) => scenario('a.d', 3 + index, 'ibv_poll_cq'));
    const selected = selectionFor(variant, [broken, own, ...others, scenario('a.d', 500, 'fcntl')]);
    assert.deepEqual(selected.slice(0, 2), [broken, own]);
    assert.equal(selected.length, 7);
    assert.ok(selected.at(-1) !== undefined && (selected.at(-1)?.line ?? 0) > 75, 'they are far apart');
    assert.deepEqual(selectionFor(variant, [scenario('a.d', 9, 'ibv_poll_cq')]).length, 1);
  });

  it('are of these candidates: all of those rules, and of every third rule the one in the middle', () => {
    const of = (id: string): FeatureRule => ({
      ids: [id],
      title: '',
      uri: `${id}.feature`,
      scenarios: [1, 2, 3].map((line) => ({ name: '', line })),
    });
    const paths = candidatesFor([variant], [of('a.x'), of('a.b'), of('a.y'), of('a.z')]);
    assert.deepEqual(paths, ['a.x.feature:2', 'a.b.feature:1:2:3', 'a.z.feature:2']);
  });
});
