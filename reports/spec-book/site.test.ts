import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bookInput, hostile } from '../fixtures/book';
import { loadClauses } from '../../catalog/clauses';
import { pageViews } from './book';
import type { BookInput } from './book-input';
import { coverageOf, sentencesIn, verdictCounts } from './coverage';
import { runNames } from '../evidence/run-names';
import { textOfRuns } from './man-page';
import { renderBook } from './site';
import { loadTies } from '../../catalog/ties';

function file(name: string, input: BookInput = bookInput): string {
  return renderBook(input).get(name) ?? '';
}

/** What stands between two marks. */
function between(text: string, start: string, end: string): string {
  const from = text.indexOf(start);
  assert.ok(from >= 0, `"${start}" is not in it`);
  return text.slice(from, text.indexOf(end, from));
}

describe('the spec book', () => {
  it('has a rule beside its sentence with Gherkin, verdict, fault and deviation', () => {
    const rule = between(file('ibv_poll_cq.html'), 'id="fills"', '</details>');
    for (const part of [
      /<h3>It fills /,
      />soft-roce: violates<\/span>/,
      /1 of 2 scenarios passed/,
      /<b>Scenario:<\/b> A bucket/,
      /<b>When<\/b> it is milked/,
      /<code>spills<\/code>: it spills/,
      /The bucket leaks/,
      /Holds for provider cow, kernel &lt;6\.18/,
      /href="https:\/\/example\.org\/leak\?a=1&amp;b=2"/,
    ]) {
      assert.match(rule, part);
    }
  });

  it('has each rule once, and links where its sentence comes again', () => {
    const page = file('ibv_poll_cq.html');
    for (const slug of ['fills', 'bull', 'horn', 'udder']) assert.equal(page.split(`id="${slug}"`).length, 2, slug);
    assert.equal(page.split('see <a href="#bull">').length, 2);
  });

  it('escapes what devices, features and pages say', () => {
    for (const [name, content] of renderBook(bookInput)) {
      if (name.endsWith('.html')) assert.ok(!content.includes('<script>document') && !content.includes('<img'), name);
    }
    assert.ok(file('index.html').includes('device &lt;script&gt;'), 'the hostile device is shown');
    assert.ok(file('search-data.js').includes(JSON.stringify(hostile).slice(1, -1)), 'what is searched is not HTML');
  });

  it('makes a link of what browsers fetch and of nothing else', () => {
    assert.doesNotMatch(file('ibv_poll_cq.html'), /href="javascript/);
    assert.match(file('ibv_poll_cq.html'), /Evidence: javascript:alert/);
  });

  it('asks nothing of a network', () => {
    for (const [name, content] of renderBook({ ...bookInput, deviations: [] })) {
      if (!name.endsWith('.js')) assert.doesNotMatch(content, /(?:src|href)="(?:https?:)?\/\/|@import|url\(/, name);
    }
  });

  it('marks gaps, and rules that have no scenario with the reason', () => {
    const [page] = pageViews(bookInput);
    assert.ok(page);
    const states = sentencesIn(page).map(({ state, runs }) => `${state}: ${textOfRuns(runs).slice(0, 12)}`);
    assert.ok(states.includes('gap: Is it full?'));
    assert.ok(states.includes('silent: ibv_poll_cq '));
    assert.ok(states.includes('unproven: HORN'));
    assert.ok(states.includes('ruled: milk() fills'));
    assert.match(between(file('ibv_poll_cq.html'), 'id="horn"', '</details>'), /Nobody dares/);
    assert.match(between(file('ibv_poll_cq.html'), 'id="elsewhere"', '</section>'), /Farmers know it[\s\S]*id="udder"/);
  });

  it('counts sentences with rules and rules with scenarios by level', () => {
    const [page] = pageViews(bookInput);
    assert.ok(page);
    const { sentences, gaps, levels, rules } = coverageOf(page);
    assert.deepEqual(sentences, { done: 4, of: 13 });
    assert.equal(gaps, 9);
    assert.deepEqual(levels, {
      must: { done: 2, of: 2 },
      should: { done: 0, of: 0 },
      may: { done: 0, of: 1 },
      info: { done: 0, of: 1 },
    });
    assert.deepEqual(rules, { done: 2, of: 4 });
    assert.deepEqual(verdictCounts([page], 0), [
      { verdict: 'conforms', count: 1 },
      { verdict: 'violates', count: 1 },
      { verdict: 'untested', count: 1 },
      { verdict: 'not-run', count: 1 },
    ]);
    assert.match(file('index.html'), /<td>4 of 13<\/td>\s*<td>9<\/td>/);
  });

  it('shows a sentence that the rules were not written from', () => {
    const own = bookInput.ties.get('ibv_poll_cq');
    assert.ok(own);
    const [, sentence = { fingerprint: '' }, ...later] = own.sentences;
    const acknowledged = [{ ...sentence, change: 'new', editions: '<65', reason: 'It went away.' } as const];
    const sentences = [...own.sentences.slice(0, 1), ...later];
    const ties = new Map([['ibv_poll_cq', { ...own, sentences, acknowledged }]]);
    assert.match(file('ibv_poll_cq.html', { ...bookInput, ties }), /Not as in rdma-core 65: It went away\./);
    assert.doesNotMatch(file('ibv_poll_cq.html'), /Not as in/);
  });

  it('shows rules whose sentence the pages at hand do not have', () => {
    const pages = bookInput.pages.map((page) => ({ ...page, sections: page.sections.slice(0, 1) }));
    const page = file('ibv_poll_cq.html', { ...bookInput, edition: '44.0', pages });
    assert.match(page, /Its sentence is not in the pages of rdma-core 44\.0; it is in those of 65\./);
    assert.match(page, /id="fills"/);
  });
});

describe('the label of a DUT', () => {
  it('is its driver, and more where another run has the same', () => {
    const [run] = bookInput.runs;
    assert.ok(run);
    const on = (kernel: string) => ({ ...run, dut: { hcaId: 'rxe0', kernel } });
    assert.deepEqual(runNames([{ ...run, driver: 'sim' }, run]), ['sim', 'soft-roce']);
    assert.deepEqual(runNames([on('6.1.0'), { ...run, driver: 'sim' }, on('6.12.3')]), [
      'soft-roce 6.1',
      'sim',
      'soft-roce 6.12',
    ]);
  });
});

describe('the ties that come with the features', () => {
  it('are to every clause, and hold no sentence', () => {
    const pages = [...loadTies().values()];
    const tied = pages.flatMap(({ sentences, elsewhere = [] }) => [...sentences, ...elsewhere]);
    const ids = new Set(tied.flatMap(({ clauses = [] }) => clauses));
    assert.deepEqual(
      [...loadClauses().keys()].filter((id) => !ids.has(id)),
      [],
    );
    for (const { sentences } of pages) {
      for (const sentence of sentences) {
        assert.ok(!Object.values(sentence).some((value) => typeof value === 'string' && value.includes(' ')));
      }
    }
  });
});
