import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { Ties } from '../../catalog/ties';
import { deviation } from '../fixtures/deviation';
import { assertPrintable, hostileText, withText } from '../fixtures/hostile-text';
import { judgeMessages, recordOutcomes } from '../fixtures/record-outcomes';
import type { JudgedRun } from '../judge/judged-run';
import { pageInput } from './fixtures/pages';
import { clauseSentences } from './page-sentences';
import { renderRunPage } from './run-page';

const id = 'ibv_req_notify_cq.one-shot';

describe('the page of a run', () => {
  let judged: JudgedRun;
  let page: string;

  before(() => {
    const known = deviation({
      rule: id,
      scenario: 'A structure differs',
      symptom: { subject: '*', observed: { wr_id: '0x7', status: 'IBV_WC_SUCCESS' } },
      reason: 'rxe completes what it should flush',
    });
    const run = judgeMessages(recordOutcomes(), [known]);
    judged = { ...run, faults: { shown: true, faults: [{ name: 'f4', summary: 'comes twice', rules: [id] }] } };
    page = renderRunPage(pageInput(judged, { sentences: new Map([[id, ['A request is "one shot".']]]) }));
  });

  /** The part from an anchor to the end of its element. */
  function at(anchor: string, end: string): string {
    const start = page.indexOf(` id="${anchor}"`);
    assert.ok(start > 0, anchor);
    return page.slice(start, page.indexOf(end, start));
  }

  it('has each scenario that did not pass and applies, under an anchor of its own', () => {
    const told = judged.scenarios.filter(({ verdict }) => !['pass', 'not-applicable'].includes(verdict));
    assert.ok(told.length > 20);
    for (const { recorded, verdict } of told) {
      const text = at(`ibv_req_notify_cq-${recorded.line}`, '</summary>');
      assert.ok(text.includes(`>${verdict}</span>`) && text.includes(recorded.name.replace(/<.*/, '')), recorded.name);
    }
    const anchors = [...page.matchAll(/ id="([^"]*)"/g)].map(([, anchor]) => anchor);
    assert.equal(new Set(anchors).size, anchors.length);
    for (const [, target = ''] of page.matchAll(/href="#([^"]*)"/g)) assert.ok(anchors.includes(target), target);
  });

  it('tells a rule in its words, with section, sentence, faults, values and how to run it again', () => {
    const rule = at(id, '</article>');
    for (const text of [
      'One request adds at most one completion event',
      'ibv_req_notify_cq(3), NOTES',
      '<blockquote>A request is &quot;one shot&quot;.</blockquote>',
      '<code>f4</code> comes twice',
      '<dt>Expected</dt><dd>2</dd>',
      '<dt>Observed</dt><dd>1</dd>',
      'npx verbspec reproduce reports/out/it features/cq/ibv_req_notify_cq.feature:',
    ]) {
      assert.ok(rule.includes(text), text);
    }
  });

  it('tells a known deviation apart from failures, with its reason and link', () => {
    const known = page.slice(page.indexOf('id="deviations"'), page.indexOf('id="rules"'));
    assert.match(known, /rxe completes what it should flush .*<a href="https:\/\/example\.org\/1"/);
    assert.ok(!page.slice(0, page.indexOf('id="deviations"')).includes('rxe completes what it should flush'));
  });

  it('leads to what there is, and to nothing else', () => {
    assert.ok(page.includes('<a href="verdicts.json">') && !page.includes('allure-report'));
    const withReport = renderRunPage(pageInput(judged, { files: ['allure-report/index.html'] }));
    assert.ok(withReport.includes('<a href="allure-report/index.html">') && !withReport.includes('"verdicts.json"'));
  });

  it('needs nothing beside itself', () => {
    assert.doesNotMatch(page, /<(script|link|img|iframe)[^>]+(src|href)="(?!data:)/);
    assert.doesNotMatch(page, /@import|url\(/);
  });

  it('takes all that a device says for text', () => {
    const signs = (text: string): number => text.split('<').length;
    const changed = new Set([
      'words',
      'expected',
      'observed',
      'hcaId',
      'provider',
      'detail',
      'reason',
      'name',
      'owner',
    ]);
    const hostile = (text: string): string => {
      const { scenarios, verdicts } = judged;
      const says = withText({ scenarios, verdicts: { ...verdicts, label: 'x' } }, changed, () => text);
      return renderRunPage(pageInput({ ...judged, ...says }, { exit: text, folder: text }));
    };
    const benign = signs(hostile('x'));
    fc.assert(
      fc.property(hostileText, (text) => {
        const rendered = hostile(`x${text}x`);
        assert.equal(signs(rendered), benign);
        assertPrintable(rendered);
      }),
      { numRuns: 20 },
    );
  });
});

describe('the sentences of man pages', () => {
  it('go with the clauses that stand on them', () => {
    const plain = (text: string): { id: string; runs: { text: string; face: 'plain' }[] } => ({
      id: text,
      runs: [{ text, face: 'plain' }],
    });
    const sentences = [plain('one'), plain('two')];
    const pages = [{ name: 'p', sections: [{ title: 'A', blocks: [{ kind: 'text' as const, depth: 0, sentences }] }] }];
    const tied = { edition: '1', sentences: [{ fingerprint: 'two', sketch: '', clauses: ['p.a', 'p.b'] }] };
    const ties: Ties = new Map([['p', tied]]);
    assert.deepEqual(
      [...clauseSentences(pages, ties)],
      [
        ['p.a', ['two']],
        ['p.b', ['two']],
      ],
    );
    assert.equal(clauseSentences(pages, new Map()).size, 0);
  });
});
