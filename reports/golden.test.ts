import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { TestResult } from 'allure-js-commons';
import { writeAllureResults } from './allure/allure';
import { deviation } from './fixtures/deviation';
import { assertGolden, goldenJson, type Stand } from './fixtures/golden';
import { judgeMessages, recordOutcomes } from './fixtures/record-outcomes';
import type { JudgedRun } from './judge/judged-run';

const noon = '2026-11-22T12:00:00.000Z';
const noonMs = Date.parse(noon);

/** The text of an error, after the calls, has the paths of this machine. */
function withoutError(text: string | number): string {
  return String(text).replace(/(^|\n\n)(?:\w*Error|RuleViolated): [^]*$/, '$1(the error)');
}

const inVerdicts: Stand = { startedAt: () => noon, durationMs: () => 5 };

const inAllure: Stand = {
  uuid: () => '00000000-0000-4000-8000-000000000000',
  source: (name) => String(name).replace(/^[\da-f-]{36}/, '00000000-0000-4000-8000-000000000000'),
  start: () => noonMs,
  stop: () => noonMs + 5,
  trace: withoutError,
};

/** The message of a step is its error; that of a scenario is ours. */
function inOurWords(result: TestResult): TestResult {
  const steps = result.steps.map((step) => ({
    ...step,
    statusDetails: Object.fromEntries(
      Object.entries(step.statusDetails).map(([key, text]) => [key, withoutError(String(text))]),
    ),
  }));
  return { ...result, steps };
}

function allureResults(judged: JudgedRun): readonly TestResult[] {
  const folder = mkdtempSync(join(tmpdir(), 'verbspec-golden-'));
  try {
    writeAllureResults(judged, folder);
    const files = readdirSync(folder).filter((file) => file.endsWith('-result.json'));
    return files.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as TestResult);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('what a run leaves for machines reads as it was agreed', () => {
  let judged: JudgedRun;
  let results: readonly TestResult[];

  before(() => {
    const known = deviation({
      rule: 'ibv_req_notify_cq.one-shot',
      scenario: 'A structure differs',
      symptom: { subject: '*', observed: { wr_id: '0x7', status: 'IBV_WC_SUCCESS' } },
      reason: 'rxe completes what it should flush',
    });
    judged = judgeMessages(recordOutcomes(), [known]);
    results = allureResults(judged);
  });

  it('verdicts.json', () => {
    assertGolden('verdicts.json', goldenJson(judged.verdicts, inVerdicts));
  });

  for (const [verdict, scenario] of [
    ['fail', 'An assertion fails'],
    ['deviates', 'A structure differs'],
    ['not-applicable', 'On the CQ of an SRQ'],
  ] as const) {
    it(`the Allure result of a scenario whose verdict is ${verdict}`, () => {
      const result = results.find(({ name }) => name === scenario);
      assert.ok(result);
      assertGolden(`allure-${verdict}.json`, goldenJson(inOurWords(result), inAllure));
    });
  }
});
