import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadClauses } from './clauses';
import { matchDeviations, parseDeviations, type Candidate, type Deviation } from './deviations';

const conditions = { driver: 'soft-roce', dut: { provider: 'rxe', kernel: '6.1.0-56-amd64', rdmaCore: '44.0' } };

const entry: Deviation = {
  rule: 'ibv_create_cq.min-size',
  when: { provider: 'rxe', kernel: '>=6.1 <6.13' },
  symptom: 'expected \\d+, observed 0',
  reason: 'rxe counts wrongly',
  link: 'https://example.org/1',
};

function candidate(change: Partial<Candidate> = {}): Candidate {
  return {
    verdict: 'fail',
    detail: 'Then it holds 4: expected 4, observed 0',
    name: 'One entry',
    clauseIds: ['ibv_create_cq.min-size'],
    ruleIsComplete: true,
    ...change,
  };
}

const passing = candidate({ verdict: 'pass', detail: '' });

function kinds(candidates: Candidate[], deviations: Deviation[] = [entry]): (string | undefined)[] {
  return matchDeviations(candidates, deviations, conditions).map((match) => match?.kind);
}

test('a failure with rule, conditions and symptom of an entry deviates', () => {
  assert.deepEqual(kinds([candidate()]), ['deviates']);
});

test('another symptom, rule, scenario or DUT stays a failure', () => {
  assert.deepEqual(kinds([candidate({ detail: 'expected 4, observed 3' })]), [undefined]);
  assert.deepEqual(kinds([candidate({ clauseIds: ['ibv_create_cq.destroys'] })]), [undefined]);
  assert.deepEqual(kinds([candidate()], [{ ...entry, scenario: 'Two entries' }]), [undefined]);
  for (const when of [{ driver: 'hca' }, { provider: 'mlx5' }, { kernel: '<6.1' }, { rdmaCore: '>=50' }]) {
    assert.deepEqual(kinds([candidate()], [{ ...entry, when }]), [undefined], JSON.stringify(when));
  }
});

test('crash, hang and panic are symptoms as verdicts, not as words', () => {
  const crash = { ...entry, symptom: 'crash' };
  assert.deepEqual(kinds([candidate({ verdict: 'crash' })], [crash]), ['deviates']);
  assert.deepEqual(kinds([candidate({ detail: 'a crash of nerves' })], [crash]), [undefined]);
  assert.deepEqual(kinds([candidate({ verdict: 'hang' })], [crash]), [undefined]);
});

test('an entry that did not show is a surprise', () => {
  assert.deepEqual(kinds([passing]), ['surprise']);
  assert.deepEqual(kinds([passing, { ...passing, name: 'Two' }], [{ ...entry, scenario: 'Two' }]), [
    undefined,
    'surprise',
  ]);
});

test('an entry for a whole rule is no surprise once one of its scenarios shows it', () => {
  assert.deepEqual(kinds([passing, candidate()]), [undefined, 'deviates']);
});

test('an entry that may have been hidden is no surprise', () => {
  for (const verdict of ['broken', 'fail', 'crash'] as const) {
    assert.deepEqual(kinds([passing, candidate({ verdict, detail: 'otherwise' })]), [undefined, undefined], verdict);
  }
  assert.deepEqual(kinds([{ ...passing, ruleIsComplete: false }]), [undefined]);
  assert.deepEqual(kinds([candidate({ verdict: 'not-applicable' })]), [undefined]);
});

test('a list with a defect is refused', () => {
  const clauses = loadClauses();
  assert.deepEqual(parseDeviations([entry], 'list', clauses), [entry]);
  const defects: [object, RegExp][] = [
    [{ ...entry, rule: 'ibv_create_cq.nothing' }, /there is no rule/],
    [{ ...entry, symptom: '(' }, /no regular expression/],
    [{ ...entry, when: { kernel: 'old' } }, /no range of versions/],
    [{ ...entry, when: {} }, /departs from its schema/],
    [{ ...entry, link: 'javascript:alert(1)' }, /departs from its schema/],
    [{ ...entry, until: '2030' }, /"until"/],
  ];
  for (const [defect, message] of defects) assert.throws(() => parseDeviations([defect], 'list', clauses), message);
});
