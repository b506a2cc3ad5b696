import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Authority } from '../../catalog/authority';
import { labelsOf } from '../allure/allure-metadata';
import { casesOf } from '../ci-formats/cases';
import { junitXml } from '../ci-formats/junit';
import { bookInput } from '../fixtures/book';
import { judgeMessages, recordOutcomes } from '../fixtures/record-outcomes';
import { rule, verdictsOf } from '../fixtures/verdicts';
import { judgeRun } from '../judge/judge';
import type { JudgedRun } from '../judge/judged-run';
import { assertValid, type Verdicts } from '../judge/verdicts';
import { renderBook } from '../spec-book/site';
import { renderSummary } from '../summary/summary';
import { violatedAuthorities } from './authority-note';
import { explain } from './explain';
import { runNames } from './run-names';

const page = 'ibv_req_notify_cq';

/** A run in which the clauses named rest on something other than the page. */
function judgedWith(others: Readonly<Record<string, Authority>>): JudgedRun {
  const { recording } = judgeMessages(recordOutcomes());
  const clauses = new Map(recording.clauses);
  for (const [id, clause] of clauses) {
    const authority = others[id.slice(page.length + 1)] ?? 'page';
    clauses.set(id, { ...clause, section: 'NOTES', authority, ...(authority === 'ibta' && { ibta: '11.4.2' }) });
  }
  return judgeRun({ ...recording, clauses });
}

function authorityIn({ rules }: Verdicts, slug: string): Authority | undefined {
  return rules.find(({ id }) => id === `${page}.${slug}`)?.authority;
}

describe('what a rule rests on', () => {
  let judged: JudgedRun;

  before(() => {
    judged = judgedWith({ 'one-shot': 'ibta', 'any-cq-allowed': 'rdmamojo' });
  });

  it('stands in the verdicts', () => {
    assert.equal(authorityIn(judged.verdicts, 'one-shot'), 'ibta');
    assert.equal(authorityIn(judged.verdicts, 'any-cq-allowed'), 'rdmamojo');
    assert.equal(authorityIn(judged.verdicts, 'signature'), 'page');
    assertValid(judged.verdicts);
  });

  it('is the strongest of several that share a Rule, for each of them', () => {
    const weak = judgedWith({ 'zero-any-cqe': 'rdmamojo', 'zero-recv-success': 'posix' }).verdicts;
    assert.equal(authorityIn(weak, 'zero-any-cqe'), 'posix');
    assert.equal(authorityIn(weak, 'zero-recv-success'), 'posix');
    assert.equal(authorityIn(judgedWith({ 'zero-any-cqe': 'rdmamojo' }).verdicts, 'zero-any-cqe'), 'page');
  });

  it('stands beside a violation in the summary, unless it is the page', () => {
    const options = { color: false, columns: 160 };
    const summary = renderSummary(judged, options);
    assert.match(
      summary,
      /^ {2}violates +One request adds at most one completion event \[InfiniBand specification\]$/m,
    );
    assert.doesNotMatch(summary, /\[RDMAmojo\]$/m, 'a rule that is not violated');
    assert.match(summary, /^ {2}those that are violated rest on: \d man page, 1 InfiniBand specification$/m);
    assert.match(summary, /^ {2}ibv_req_notify_cq\(3\), NOTES; InfiniBand specification, 11\.4\.2 \[.*\.one-shot\]$/m);
    const ofPage = renderSummary(judgedWith({}), options);
    assert.doesNotMatch(ofPage, /specification|man page|rest on/);
  });

  it('stands where a report explains a scenario, unless the section says it', () => {
    const failed = judged.scenarios.find(({ verdict }) => verdict === 'fail');
    assert.ok(failed);
    assert.match(explain(failed, judged.recording.clauses) ?? '', /, NOTES; InfiniBand specification, 11\.4\.2 \[/);
    const clauses = new Map(judged.recording.clauses);
    for (const [id, clause] of clauses) {
      clauses.set(id, { ...clause, authority: 'rdmamojo', section: 'FAQ (RDMAmojo)' });
    }
    assert.match(explain(failed, clauses) ?? '', /, FAQ \(RDMAmojo\) \[/);
  });

  it('is a label in Allure, and a tag unless it is the page', () => {
    const labels = (slug: string): string[] => {
      const scenario = judged.scenarios.find(({ clauseIds }) => clauseIds.includes(`${page}.${slug}`));
      assert.ok(scenario);
      const clauses = scenario.clauseIds.flatMap((id) => judged.recording.clauses.get(id) ?? []);
      return labelsOf(scenario, clauses, 'sim').map(({ name, value }) => `${name} ${value}`);
    };
    const ofPage = labels('signature');
    assert.ok(ofPage.includes('authority page'));
    assert.doesNotMatch(ofPage.join('\n'), /tag authority/);
    const others = labels('one-shot');
    assert.ok(others.includes('authority ibta') && others.includes('tag authority-ibta'), others.join('\n'));
  });
});

describe('what a rule of a run rests on', () => {
  const violated = (name: string, authority: Authority): ReturnType<typeof rule> => ({
    ...rule(`ibv_poll_cq.${name}`, 'fail'),
    authority,
  });

  it('is a property of its tests in JUnit XML, unless it is the page', () => {
    const run = verdictsOf([violated('a', 'rdmamojo'), violated('b', 'page')]);
    const xml = junitXml(casesOf(run), run);
    assert.equal(xml.split('<property name="authority"').length, 2);
    assert.match(
      xml,
      /classname="ibv_poll_cq\.a"[^>]*>\s*<properties>\s*<property name="authority" value="rdmamojo"\/>/,
    );
  });

  it('is counted over the violations, unless all rest on the page', () => {
    const conforming = { ...rule('ibv_poll_cq.c', 'pass'), authority: 'posix' } as const;
    assert.deepEqual(violatedAuthorities([violated('a', 'page'), conforming, rule('ibv_poll_cq.d', 'fail')]), []);
    assert.deepEqual(
      violatedAuthorities([violated('a', 'rdmamojo'), violated('b', 'page'), conforming, violated('e', 'rdmamojo')]),
      ['1 man page', '2 RDMAmojo'],
    );
  });

  it('may be missing in runs of earlier versions', () => {
    const old = verdictsOf([rule('ibv_poll_cq.a', 'fail')]);
    assertValid(old);
    assert.doesNotMatch(junitXml(casesOf(old), old), /authority/);
  });

  it('is one of four words', () => {
    const run = verdictsOf([violated('a', 'posix')], { authorities: ['posix'] });
    assertValid(run);
    const wrong = JSON.parse(JSON.stringify(run).replaceAll('posix', 'susv4')) as unknown;
    assert.throws(() => {
      assertValid(wrong);
    }, /\/authorities\/0 .*page, posix, ibta, rdmamojo.*\/rules\/0\/authority /);
  });
});

describe('a run of the rules of some authorities', () => {
  it('says which in its verdicts and its summary', () => {
    const { recording } = judgeMessages(recordOutcomes());
    const judged = judgeRun({ ...recording, info: { ...recording.info, authorities: ['page', 'ibta'] } });
    assert.deepEqual(judged.verdicts.authorities, ['page', 'ibta']);
    assertValid(judged.verdicts);
    const options = { color: false, columns: 160 };
    assert.match(renderSummary(judged, options), /, authority page or ibta$/m);
    assert.doesNotMatch(renderSummary(judgeRun(recording), options), /authority/);
  });

  it('has them in its name beside a run of all rules', () => {
    const all = verdictsOf([]);
    assert.deepEqual(runNames([all, { ...all, authorities: ['page'] }]), ['sim', 'sim authority page']);
  });
});

describe('the spec book', () => {
  it('has the authority of each rule, and says what the words mean', () => {
    const id = 'ibv_poll_cq.bull';
    const clause = bookInput.clauses.get(id);
    assert.ok(clause);
    const clauses = new Map(bookInput.clauses).set(id, { ...clause, authority: 'ibta', ibta: 'o11-5.2.5' });
    const book = renderBook({ ...bookInput, clauses });
    const html = book.get('ibv_poll_cq.html') ?? '';
    assert.match(html, /Section NOTES\.\s+Authority ibta, o11-5\.2\.5\./);
    assert.match(html, /<span class="level">must<\/span>\s+<span class="level">ibta<\/span>/);
    const plain = renderBook(bookInput);
    assert.match(plain.get('ibv_poll_cq.html') ?? '', /Section NOTES\.\s+Authority page\./);
    assert.doesNotMatch(plain.get('ibv_poll_cq.html') ?? '', /<span class="level">page/);
    assert.match(plain.get('index.html') ?? '', /<dt>page, posix, ibta, rdmamojo<\/dt>/);
  });
});
