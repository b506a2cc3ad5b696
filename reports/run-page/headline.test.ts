import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { verdictsInReportOrder, type ScenarioVerdict } from '../../catalog/verdict';
import { rule } from '../fixtures/verdicts';
import type { RuleEntry } from '../judge/verdicts';
import { pageInput, runOf } from './fixtures/pages';
import { headlineOf, type Headline } from './headline';
import { renderRunPage } from './run-page';

const headline = (...rules: RuleEntry[]): Headline => headlineOf(pageInput(runOf(rules)));
const [good, bad, known] = [
  rule('ibv_poll_cq.a', 'pass', 'pass'),
  rule('ibv_poll_cq.b', 'pass', 'fail'),
  rule('ibv_req_notify_cq.c', 'pass', 'deviates'),
];

describe('the headline of a run', () => {
  it('says how many of the rules that apply are violated, and what else there is', () => {
    const { device, sentence, remarks, tone } = headline(good, bad, known, rule('ibv_poll_cq.d', 'not-applicable'));
    assert.deepEqual([device, sentence, tone], ['sim', 'violates 1 of 3 rules', 'bad']);
    assert.deepEqual(remarks, ['From 1 rule it deviates as listed; 1 conform.']);
  });

  it('says that a device conforms only where all that applies does', () => {
    assert.equal(headline(good).sentence, 'conforms to the one rule');
    assert.equal(headline(good, { ...good, id: 'ibv_poll_cq.z' }).sentence, 'conforms to all 2 rules');
    assert.equal(headline(good, known).sentence, 'deviates from 1 of 2 rules, each as listed');
    assert.equal(
      headline(good, rule('ibv_poll_cq.e', 'blocked')).sentence,
      'blocked 1 of 2 rules, which were not judged',
    );
    assert.match(headline(good, rule('ibv_poll_cq.f', 'broken')).sentence, /^could not be judged by 1 of 2 rules/);
    assert.equal(headline(rule('ibv_poll_cq.g', 'not-applicable')).sentence, 'says nothing: no rule was judged');
  });

  it('counts apart what is accepted without its effect being shown', () => {
    const accepted: RuleEntry = { ...good, id: 'ibv_modify_cq.h', effectNotShown: true };
    const { sentence, shares } = headline(good, accepted);
    assert.equal(sentence, 'conforms to all 2 rules; 1 of them are accepted, their effect was not shown');
    assert.deepEqual(shares, [
      { standing: 'conforms', count: 1 },
      { standing: 'accepted', count: 1 },
    ]);
  });

  it('counts each rule once, for the run as for its page', () => {
    const { shares, pages } = headline(good, bad, known, { ...bad, id: 'ibv_poll_cq.i' });
    assert.deepEqual(
      shares.map(({ standing, count }) => `${count} ${standing}`),
      ['1 conforms', '1 deviates', '2 violates'],
    );
    assert.deepEqual(
      pages.map(({ page, total }) => [page, total]),
      [
        ['ibv_poll_cq', 3],
        ['ibv_req_notify_cq', 1],
      ],
    );
  });

  it('never reads as all well where something is not, whatever the run came to', () => {
    const verdicts = fc.array(fc.constantFrom<ScenarioVerdict>(...verdictsInReportOrder), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(fc.array(verdicts, { minLength: 1, maxLength: 5 }), (lists) => {
        const rules = lists.map((each, index) => rule(`ibv_poll_cq.r${index}`, ...each));
        const isWell = rules.every(({ verdict }) => ['conforms', 'not-applicable'].includes(verdict));
        const { sentence, tone } = headline(...rules);
        assert.ok(isWell || (tone !== 'good' && !/\ball\b|conforms/.test(sentence)), sentence);
        assert.doesNotMatch(renderRunPage(pageInput(runOf(rules))).replace(/<style>[^]*?<\/style>/, ''), /\b100 ?%|%/);
      }),
      { numRuns: 60 },
    );
  });
});
