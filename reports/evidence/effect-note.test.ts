import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { labelsOf } from '../allure/allure-metadata';
import { matrixOf } from '../compare/matrix';
import { matrixHtml } from '../compare/matrix-html';
import { matrixJson } from '../compare/matrix-json';
import { matrixMarkdown } from '../compare/matrix-markdown';
import { renderMatrix } from '../compare/matrix-text';
import { bookInput } from '../fixtures/book';
import { judgeMessages, recordOutcomes } from '../fixtures/record-outcomes';
import { rule, verdictsOf } from '../fixtures/verdicts';
import { renderBook } from '../spec-book/site';
import { renderSummary } from '../summary/summary';
import { judgeRun } from '../judge/judge';
import type { JudgedRun } from '../judge/judged-run';
import { assertValid, type RuleEntry } from '../judge/verdicts';

const page = 'ibv_req_notify_cq';
const effectNotShown = { ignoring: page, reason: 'Nobody looks.' };

/** Of a rule that conforms, and of one that does not. */
const messages = (): string => recordOutcomes('--name', '^(It passes|An assertion fails)$');

describe('a rule whose effect is not shown', () => {
  let judged: JudgedRun;

  before(() => {
    const { recording } = judgeMessages(messages());
    const clauses = new Map(recording.clauses);
    for (const [id, clause] of clauses) clauses.set(id, { ...clause, effectNotShown });
    judged = judgeRun({ ...recording, clauses });
  });

  const noted = (rules: readonly RuleEntry[]): RuleEntry[] => rules.filter((entry) => entry.effectNotShown);

  it('says so in the verdicts if it conforms, and only then', () => {
    const { rules } = judged.verdicts;
    const conforming = rules.filter(({ verdict }) => verdict === 'conforms');
    assert.ok(conforming.length > 0 && conforming.length < rules.length);
    assert.deepEqual(noted(rules), conforming);
    assertValid(judged.verdicts);
  });

  it('says nothing if the clause does not', () => {
    assert.deepEqual(noted(judgeMessages(messages()).verdicts.rules), []);
  });

  it('has a tag in Allure', () => {
    const [scenario] = judged.scenarios;
    assert.ok(scenario);
    const tagsIn = ({ recording }: JudgedRun): string[] => {
      const clauses = scenario.clauseIds.flatMap((id) => recording.clauses.get(id) ?? []);
      return labelsOf(scenario, clauses, 'sim').map(({ value }) => value);
    };
    assert.ok(tagsIn(judged).includes('effect-not-shown'));
    assert.ok(!tagsIn(judgeMessages(messages())).includes('effect-not-shown'));
  });

  it('is counted apart in the summary', () => {
    const count = noted(judged.verdicts.rules).length;
    const summary = renderSummary(judged, { color: false, verbose: true });
    assert.match(summary, /^ {2}conforms {2}.*\n +accepted, effect not shown; only 1 of \d scenarios were selected$/m);
    assert.ok(summary.includes(`\n  ${count} of those that conform: accepted, effect not shown\n`), summary);
    assert.doesNotMatch(renderSummary(judgeMessages(messages()), { color: false }), /effect not shown/);
  });
});

describe('a rule whose effect is not shown, beside other runs', () => {
  const first = rule('ibv_poll_cq.a', 'pass');
  const second = rule('ibv_poll_cq.b', 'pass');
  const marked = { ...first, effectNotShown: true } as const;
  const links = { traceOf: () => undefined };
  const matrix = matrixOf([verdictsOf([marked, second]), verdictsOf([rule('ibv_poll_cq.a', 'fail'), second])]);
  const plain = matrixOf([verdictsOf([first, second])]);

  it('is noted in its cell and counted apart', () => {
    const text = renderMatrix(matrix, { color: false, columns: 80, all: true });
    assert.match(text, /^conforms\* violates {2}ibv_poll_cq\.a$/m);
    assert.match(text, /^1 {9}0 {9}conforms\*: accepted, effect not shown$/m);
    const markdown = matrixMarkdown(matrix, [links, links]);
    assert.match(markdown, /\| ✅ conforms: accepted, effect not shown \| ❌ violates \|/);
    assert.match(markdown, /^\| run \| conforms \| violates \| conforms: accepted, effect not shown \| device \|$/m);
    const html = matrixHtml(matrix, [links, links]);
    assert.match(html, /<th scope="col">conforms: accepted, effect not shown<\/th>/);
    assert.match(
      html,
      /<span class="word">conforms<\/span>.*<\/a><span class="note word">accepted, effect not shown<\/span>/,
    );
    assert.match(html, /<p class="detail">accepted, effect not shown<\/p>/);
  });

  it('keeps its verdict for programs', () => {
    const data = JSON.parse(matrixJson(matrix)) as {
      readonly runs: readonly { readonly totals: object; readonly effectsNotShown?: number }[];
      readonly rules: readonly { readonly cells: readonly object[] }[];
    };
    assert.deepEqual(
      data.runs.map(({ effectsNotShown }) => effectsNotShown),
      [1, undefined],
    );
    const { scenarios } = first;
    assert.deepEqual(data.rules[0]?.cells[0], { verdict: 'conforms', effectNotShown: true, scenarios });
  });

  it('is no part of a matrix without such a rule', () => {
    for (const text of [
      renderMatrix(plain, { color: false, columns: 80, all: true }),
      matrixMarkdown(plain, [links]),
      matrixHtml(plain, [links]),
      matrixJson(plain),
    ]) {
      assert.doesNotMatch(text, /effect/i);
    }
  });

  it('has its reason in the spec book, whose index counts it apart', () => {
    const id = 'ibv_poll_cq.bull';
    const clause = bookInput.clauses.get(id);
    assert.ok(clause);
    const clauses = new Map(bookInput.clauses).set(id, { ...clause, effectNotShown });
    const runs = bookInput.runs.map((run) => ({
      ...run,
      rules: run.rules.map((entry) => (entry.id === id ? { ...entry, effectNotShown: true as const } : entry)),
    }));
    const book = renderBook({ ...bookInput, clauses, runs });
    assert.match(book.get('ibv_poll_cq.html') ?? '', /conforms, effect not shown<\/span>/);
    assert.match(book.get('ibv_poll_cq.html') ?? '', /passes its scenarios too\. Nobody looks\./);
    assert.match(book.get('index.html') ?? '', />1 of those that conform: accepted, effect not shown<\/span>/);
    const before = renderBook(bookInput);
    assert.doesNotMatch(before.get('ibv_poll_cq.html') ?? '', /effect not shown/);
    assert.doesNotMatch(before.get('index.html') ?? '', /of those that conform/);
  });
});
