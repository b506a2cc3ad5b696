import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { HarnessError } from '../../drivers/contract';
import { deviation } from '../fixtures/deviation';
import { info } from '../fixtures/record-outcomes';
import type { ScenarioVerdict } from '../../catalog/verdict';
import {
  assertValid,
  exitCode,
  parseVerdicts,
  scenariosOf,
  writeVerdicts,
  type DeviationEntry,
  type Verdicts,
} from './verdicts';

function verdicts(...scenarios: ScenarioVerdict[]): Verdicts {
  return {
    schemaVersion: 2,
    ...info,
    startedAt: '2026-11-20T12:00:00.000Z',
    durationMs: 5,
    rules: [
      {
        id: 'ibv_poll_cq.fifo',
        page: 'ibv_poll_cq',
        section: 'DESCRIPTION',
        title: 'First in, first out',
        verdict: 'conforms',
        scenarios: scenarios.map((verdict, line) => ({
          name: 'x',
          uri: 'features/cq/x.feature',
          line,
          verdict,
          durationMs: 1,
        })),
      },
    ],
  };
}

const codes: readonly [readonly ScenarioVerdict[], 0 | 1 | 3][] = [
  [['pass', 'deviates', 'not-applicable'], 0],
  [['pass', 'fail'], 1],
  [['crash'], 1],
  [['hang'], 1],
  [['panic'], 1],
  [['pass', 'surprise'], 1],
  [['pass', 'broken'], 3],
  [['broken', 'fail'], 1],
  [['pass', 'blocked'], 1],
  [['broken', 'blocked'], 1],
  [['not-applicable'], 3],
  [[], 3],
];

for (const [scenarios, code] of codes) {
  test(`${scenarios.join(' and ') || 'no scenario'} exits with ${code}`, () => {
    assert.equal(exitCode(verdicts(...scenarios)), code);
  });
}

test('a problem outside of all scenarios never exits with 0', () => {
  assert.equal(exitCode(verdicts('pass'), ['a hook around the run failed']), 3);
  assert.equal(exitCode(verdicts('fail'), ['a hook around the run failed']), 1);
});

test('a run that lost its device exits with 3, whatever it found before', () => {
  assert.equal(exitCode({ ...verdicts('fail', 'broken'), dutLost: 'the connection ended' }), 3);
  assertValid({ ...verdicts('broken'), dutLost: 'the connection ended' });
});

function entry(state: DeviationEntry['state']): DeviationEntry {
  const { rule, reason, link, owner } = deviation({ rule: 'ibv_poll_cq.fifo' });
  return { rule, state, reason, link, owner, detail: 'in words' };
}

for (const [state, code] of [
  ['shown', 0],
  ['undecided', 0],
  ['surprise', 1],
  ['wrong-symptom', 1],
  ['expired', 1],
  ['unused', 1],
] as const) {
  test(`a listed deviation that is ${state} exits with ${code}, where anything ran`, () => {
    const deviations = [entry('shown'), entry(state)];
    assert.equal(exitCode({ ...verdicts('pass'), deviations }), code);
    assert.equal(exitCode({ ...verdicts('not-applicable'), deviations }), 3);
    assertValid({ ...verdicts('pass'), deviations });
  });
}

test('verdicts of another version are told from what is none', () => {
  const of = (schemaVersion: number): string => JSON.stringify({ ...verdicts('pass'), schemaVersion });
  assert.throws(() => parseVerdicts(of(1), 'old.json'), {
    name: 'UsageError',
    message: 'old.json is of schema version 1, and this verbspec reads version 2; record the run again',
  });
  assert.throws(() => parseVerdicts(of(3), 'new.json'), /schema version 3.*; use the verbspec that wrote it/);
});

test('scenarios that several rules share count once', () => {
  const [rule] = verdicts('pass', 'fail').rules;
  assert.ok(rule);
  assert.equal(scenariosOf({ ...verdicts(), rules: [rule, { ...rule, id: 'ibv_poll_cq.other' }] }).length, 2);
});

test('verdicts survive being written and read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'verbspec-verdicts-'));
  const path = join(folder, 'verdicts.json');
  writeVerdicts(path, verdicts('pass'));
  assert.deepEqual(parseVerdicts(readFileSync(path, 'utf8')), verdicts('pass'));
  rmSync(folder, { recursive: true });
});

test('what departs from the schema is neither written nor read', () => {
  const good = verdicts('pass');
  const defects: object[] = [
    { ...good, schemaVersion: 3 },
    { ...good, extra: true },
    { ...good, startedAt: 'yesterday' },
    { ...good, durationMs: 1.5 },
    { ...good, deviations: [{ ...entry('shown'), state: 'fine' }] },
    { ...good, order: 4711 },
    { ...good, rules: [{ ...good.rules[0], verdict: 'fine' }] },
    { ...good, dut: { ...good.dut, vendorId: '0xffffff' } },
    { ...good, dut: { ...good.dut, module: { name: 'siw' } } },
  ];
  for (const defect of defects) {
    assert.throws(() => {
      assertValid(defect);
    }, HarnessError);
  }
  assertValid({ ...good, dut: {} });
  assertValid({ ...good, dut: { ...good.dut, told: 'by a driver of its own' } });
});
