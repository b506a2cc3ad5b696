import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RuleVerdict, ScenarioVerdict } from '../../catalog/verdict';
import { info } from '../../reports/fixtures/record-outcomes';
import type { Verdicts } from '../../reports/judge/verdicts';
import { exitLine } from './exit-line';

/** A run with a rule of each verdict, each with a scenario. */
function runOf(...rules: readonly (readonly [RuleVerdict, ScenarioVerdict])[]): Verdicts {
  return {
    schemaVersion: 2,
    ...info,
    startedAt: '2026-11-20T12:00:00.000Z',
    durationMs: 5,
    rules: rules.map(([verdict, scenario], line) => ({
      id: `page.rule-${line}`,
      page: 'page',
      section: 'NOTES',
      authority: 'page',
      title: 'A rule',
      verdict,
      scenarios: [{ uri: 'page.feature', line, name: 'A scenario', verdict: scenario, durationMs: 1 }],
    })),
  };
}

describe('the last line of a run', () => {
  const cases: readonly (readonly [string, number, Verdicts, readonly string[]])[] = [
    ['exit 0: nothing unexpected', 0, runOf(['conforms', 'pass']), []],
    ['exit 0: nothing unexpected, 1 scenario deviates as listed', 0, runOf(['deviates', 'deviates']), []],
    ['exit 1: 1 rule violated', 1, runOf(['violates', 'fail'], ['conforms', 'pass']), []],
    [
      'exit 1: 2 rules violated, 1 rule blocked',
      1,
      runOf(['violates', 'fail'], ['violates', 'hang'], ['blocked', 'blocked']),
      [],
    ],
    [
      'exit 3: the device under test was lost, 1 scenario broken',
      3,
      { ...runOf(['broken', 'broken']), dutLost: 'it died' },
      [],
    ],
    ['exit 3: 1 problem', 3, runOf(['conforms', 'pass']), ['a hook failed']],
    ['exit 3: the report could not be made', 3, runOf(['conforms', 'pass']), []],
    ['exit 130: ended by SIGINT, 1 scenario broken', 130, runOf(['broken', 'broken']), []],
  ];
  for (const [line, code, verdicts, problems] of cases) {
    it(`is "${line}"`, () => {
      assert.equal(exitLine(code, { verdicts, problems }), line);
    });
  }
});
