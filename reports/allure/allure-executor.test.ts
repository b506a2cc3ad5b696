import assert from 'node:assert/strict';
import { test } from 'node:test';
import { executorOf } from './allure-executor';
import { judgeMessages, recordOutcomes } from '../fixtures/record-outcomes';
import type { JudgedRun } from '../judge/judged-run';

const recorded = recordOutcomes('--name', '^It passes$').split('\n');

/** The run as Cucumber records it where it notices a CI, or none. */
function inCi(ci: object | undefined): JudgedRun {
  const lines = recorded.map((line) => {
    if (!line.startsWith('{"meta"')) return line;
    const { meta } = JSON.parse(line) as { meta: object };
    return JSON.stringify({ meta: { ...meta, ci } });
  });
  return judgeMessages(lines.join('\n'));
}

test('a run by hand is named by suite and device', () => {
  assert.deepEqual(executorOf(inCi(undefined), 3), {
    name: 'verbspec 0.1.0 (1234567)',
    type: 'verbspec',
    buildName: 'soft-roce rxe0, kernel 6.1.0-56-amd64',
    buildOrder: 3,
  });
});

test('a run of a CI leads to its build', () => {
  const ci = { name: 'GitHub Actions', url: 'https://ci.example/7', buildNumber: '7' };
  assert.deepEqual(executorOf(inCi(ci), 1), {
    name: 'verbspec 0.1.0 (1234567), GitHub Actions',
    type: 'github',
    url: 'https://ci.example/7',
    buildUrl: 'https://ci.example/7',
    buildName: 'soft-roce rxe0, kernel 6.1.0-56-amd64, build 7',
    buildOrder: 1,
  });
});
