import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { clashOn, matchDeviations, type Candidate, type Circumstances } from './match-deviations';
import type { Deviation } from '../../catalog/deviations';

const circumstances: Circumstances = {
  driver: 'soft-roce',
  dut: {
    provider: 'rxe',
    vendorId: 0x15b3,
    vendorPartId: 4123,
    fwVer: '20.39.1002',
    kernel: '6.1.0-56-amd64',
    rdmaCore: '44.0',
  },
  startMs: Date.parse('2026-11-21T12:00:00Z'),
  isWhole: true,
  rules: [{ clauseIds: ['ibv_create_cq.min-size'], scenarioNames: ['One entry', 'Two'] }],
  untested: new Set(),
};

const entry: Deviation = {
  rule: 'ibv_create_cq.min-size',
  when: { provider: 'rxe', kernel: '>=6.1 <6.13' },
  symptom: { subject: 'entries', expected: 4, observed: { anyOf: [0, null] } },
  reason: 'rxe counts wrongly',
  link: 'https://example.org/1',
  owner: 'rxe@example.org',
};

const candidate: Candidate = {
  verdict: 'fail',
  findings: [{ verdict: 'fail', step: 'Then it holds 4', subject: 'entries', expected: 4, observed: 0 }],
  name: 'One entry',
  clauseIds: ['ibv_create_cq.min-size'],
  ruleIsComplete: true,
  nameIsComplete: true,
};

const passing: Candidate = { ...candidate, verdict: 'pass', findings: [] };

/** What a failure looks like that the entry does not list. */
const elsewise: Candidate['findings'] = [
  { verdict: 'fail', step: 'Then it holds 4', subject: 'entries', expected: 4, observed: 3 },
];

/** What the list says of each scenario. */
function news(candidates: Candidate[], deviations: Deviation[] = [entry]): (string | undefined)[] {
  return matchDeviations(candidates, deviations, circumstances).matches.map((match) => match?.state);
}

/** The findings that the list explains. */
function explained(one: Candidate, deviation: Deviation = entry): readonly number[] | undefined {
  return matchDeviations([one], [deviation], circumstances).explained[0];
}

/** What became of each entry. */
function states(candidates: Candidate[], deviations: Deviation[], change: Partial<Circumstances> = {}): string[] {
  const { reckonings } = matchDeviations(candidates, deviations, { ...circumstances, ...change });
  return reckonings.map(({ state }) => state);
}

describe('a listed deviation', () => {
  test('is shown by a failure with its rule, conditions and symptom', () => {
    assert.deepEqual(news([candidate]), ['shown']);
    assert.deepEqual(states([candidate], [entry]), ['shown']);
  });

  for (const when of [
    { driver: 'soft-roce' },
    { vendorId: 0x15b3 },
    { vendorId: '0x15b3', vendorPartId: 4123 },
    { vendorId: '0x15B3', fwVer: '>=20.39 <20.40' },
    { rdmaCore: '<55' },
  ]) {
    test(`holds on this device: ${JSON.stringify(when)}`, () => {
      assert.deepEqual(states([candidate], [{ ...entry, when }]), ['shown']);
    });
  }

  for (const when of [
    { driver: 'hca' },
    { provider: 'mlx5' },
    { vendorId: '0x02c9' },
    { vendorPartId: 4124 },
    { fwVer: '<20.39' },
    { kernel: '<6.1' },
    { rdmaCore: '>=50' },
    { provider: 'rxe', kernel: '<6.1' },
  ]) {
    test(`is of another device, and says nothing: ${JSON.stringify(when)}`, () => {
      assert.deepEqual(states([candidate], [{ ...entry, when }]), []);
      assert.deepEqual(states([passing], [{ ...entry, when, expires: '2020-01-01' }]), []);
    });
  }

  test('of another rule or scenario leaves a failure alone', () => {
    assert.deepEqual(news([{ ...candidate, clauseIds: ['ibv_create_cq.destroys'] }]), [undefined]);
    assert.deepEqual(news([candidate], [{ ...entry, scenario: 'Two' }]), [undefined]);
  });

  test('takes crash, hang and panic for verdicts, not for words', () => {
    const crash = { ...entry, symptom: 'crash' } as const;
    const found = (verdict: 'crash' | 'hang' | 'fail'): Candidate => {
      return { ...candidate, verdict, findings: [{ verdict, step: 'When it is posted', subject: 'crash' }] };
    };
    assert.deepEqual(news([found('crash')], [crash]), ['shown']);
    assert.deepEqual(news([found('fail')], [crash]), ['wrong-symptom']);
    assert.deepEqual(news([found('hang')], [crash]), ['wrong-symptom']);
    assert.deepEqual(news([found('crash')], [{ ...entry, symptom: { subject: '*' } }]), ['wrong-symptom']);
  });

  for (const [member, value] of Object.entries({ subject: 'entries of a CQ', expected: 5, observed: 1 })) {
    test(`is not shown by a failure with another ${member}`, () => {
      const findings = candidate.findings.map((finding) => ({ ...finding, [member]: value }));
      assert.deepEqual(news([{ ...candidate, findings }]), ['wrong-symptom']);
    });
  }

  test('is shown by one finding of several, and explains that one', () => {
    const several = { ...candidate, findings: [...elsewise, ...candidate.findings] };
    assert.deepEqual(news([several]), ['shown']);
    assert.deepEqual(explained(several), [1]);
  });

  test('with another symptom is wrong, and says so to what failed', () => {
    const otherwise = { ...candidate, findings: elsewise };
    assert.deepEqual(news([otherwise, passing]), ['wrong-symptom', undefined]);
    assert.deepEqual(states([otherwise, passing], [entry]), ['wrong-symptom']);
    assert.deepEqual(news([otherwise, candidate]), [undefined, 'shown']);
  });
});

describe('an entry with several symptoms', () => {
  const [known = { verdict: 'fail', step: '', subject: '' }] = candidate.findings;
  const further = { ...known, step: 'And so do others', subject: 'entries of others' } as const;
  const several = { ...entry, symptom: [entry.symptom, { subject: 'entries of others' }].flat() };

  test('is shown where all of them show', () => {
    const both = { ...candidate, findings: [known, further] };
    assert.deepEqual(news([both], [several]), ['shown']);
    assert.deepEqual(explained(both, several), [0, 1]);
    assert.deepEqual(explained(both), [0]);
  });

  test('is wrong where one of them does not', () => {
    assert.deepEqual(news([candidate], [several]), ['wrong-symptom']);
    assert.deepEqual(explained(candidate, several), []);
  });
});

describe('what fails in the clean-up', () => {
  const found = (isCleanUp?: true): Candidate => {
    const finding = { verdict: 'blocked', step: 'After hook "clean-up"', subject: 'ibv_destroy_cq()' } as const;
    return { ...candidate, verdict: 'blocked', findings: [{ ...finding, ...(isCleanUp && { isCleanUp }) }] };
  };

  test('shows a symptom of the clean-up alone', () => {
    const anywhere = { ...entry, symptom: { subject: '*' } };
    const named = { ...entry, symptom: { step: 'After hook "clean-up"', subject: 'ibv_destroy_cq()' } };
    assert.deepEqual(news([found(true)], [anywhere]), ['wrong-symptom']);
    assert.deepEqual(news([found(true)], [named]), ['shown']);
    assert.deepEqual(news([found()], [anywhere]), ['shown']);
  });
});

describe('an entry that did not show', () => {
  test('is a surprise', () => {
    assert.deepEqual(news([passing]), ['surprise']);
    assert.deepEqual(news([passing, { ...passing, name: 'Two' }], [{ ...entry, scenario: 'Two' }]), [
      undefined,
      'surprise',
    ]);
    assert.deepEqual(states([passing, { ...passing, verdict: 'not-applicable' }], [entry]), ['surprise']);
  });

  test('is none for a whole rule once one of its scenarios shows it', () => {
    assert.deepEqual(news([passing, candidate]), [undefined, 'shown']);
  });

  test('is none where it may have been hidden, or was not asked for in full', () => {
    for (const verdict of ['fail', 'crash'] as const) {
      assert.deepEqual(news([passing, { ...candidate, verdict, findings: elsewise }]), [undefined, 'wrong-symptom']);
    }
    assert.deepEqual(states([passing, { ...passing, verdict: 'broken' }], [entry]), []);
    assert.deepEqual(states([{ ...passing, ruleIsComplete: false }], [entry]), []);
    assert.deepEqual(states([{ ...passing, nameIsComplete: false }], [{ ...entry, scenario: passing.name }]), []);
    assert.deepEqual(states([{ ...passing, ruleIsComplete: false }], [{ ...entry, scenario: passing.name }]), [
      'surprise',
    ]);
    assert.deepEqual(states([{ ...passing, verdict: 'not-applicable' }], [entry]), []);
  });
});

describe('an entry that shows only sometimes', () => {
  const sometimes = { ...entry, scenario: candidate.name, showsOnlyIf: 'the moon is full' };

  test('is no surprise where it did not show', () => {
    assert.deepEqual(news([passing], [sometimes]), [undefined]);
    assert.deepEqual(states([passing], [sometimes]), ['not-this-time']);
    assert.deepEqual(states([{ ...passing, verdict: 'not-applicable' }], [sometimes]), []);
    assert.deepEqual(states([{ ...passing, nameIsComplete: false }], [sometimes]), []);
  });

  test('excuses what it lists, and no more than others do', () => {
    assert.deepEqual(news([candidate], [sometimes]), ['shown']);
    assert.deepEqual(news([{ ...candidate, findings: elsewise }], [sometimes]), ['wrong-symptom']);
    assert.deepEqual(explained({ ...candidate, findings: [...elsewise, ...candidate.findings] }, sometimes), [1]);
    assert.deepEqual(states([candidate], [{ ...sometimes, expires: '2026-11-20' }]), ['expired']);
    const [known = assert.fail()] = candidate.findings;
    const half = { ...sometimes, symptom: [entry.symptom, { subject: 'entries of others' }].flat() };
    assert.deepEqual(news([{ ...candidate, findings: [known] }], [half]), ['wrong-symptom']);
  });
});

describe('an expired entry', () => {
  const expired = { ...entry, expires: '2026-11-20' };

  test('excuses nothing, whether or not it shows', () => {
    assert.deepEqual(news([candidate], [expired]), ['expired']);
    assert.deepEqual(news([passing], [expired]), [undefined]);
    assert.deepEqual(states([passing], [expired]), ['expired']);
  });

  test('is one from the day after its last, and only where its scenarios ran', () => {
    assert.deepEqual(states([candidate], [{ ...entry, expires: '2026-11-21' }]), ['shown']);
    assert.deepEqual(states([{ ...passing, verdict: 'not-applicable' }], [expired]), []);
    assert.deepEqual(states([], [expired]), []);
  });
});

describe('an unused entry', () => {
  const unused = { ...entry, scenario: 'Three' };

  test('names a scenario that its rule has not', () => {
    assert.deepEqual(states([passing], [unused]), ['unused']);
    assert.deepEqual(states([passing], [{ ...entry, scenario: 'Two' }]), []);
  });

  test('is for a whole rule all of whose scenarios have entries of their own', () => {
    const named = ['One entry', 'Two'].map((scenario) => ({ ...entry, scenario }));
    assert.deepEqual(states([candidate], [entry, ...named]), ['unused', 'shown']);
    assert.deepEqual(states([candidate], [entry, ...named.slice(0, 1)]), ['shown']);
  });

  test('is not reported where its rule did not run, or the run not to its end', () => {
    assert.deepEqual(states([], [unused]), []);
    assert.deepEqual(states([{ ...passing, verdict: 'broken' }], [unused]), []);
    assert.deepEqual(states([{ ...passing, verdict: 'not-applicable' }], [unused]), []);
    assert.deepEqual(states([passing], [unused], { isWhole: false }), []);
  });

  test('may belong to a clause without a Rule', () => {
    assert.deepEqual(states([], [entry], { rules: [], untested: new Set([entry.rule]) }), ['unused']);
    assert.deepEqual(states([], [entry], { rules: [] }), []);
  });
});

describe('a version that cannot be compared', () => {
  const doubtful = { ...entry, when: { fwVer: '>=20' } };
  const unknown = { ...circumstances, dut: { ...circumstances.dut, fwVer: 'lab build' } };

  test('leaves the entry undecided: it excuses nothing, and says why', () => {
    const { matches, reckonings } = matchDeviations([candidate, passing], [doubtful], unknown);
    assert.deepEqual(
      matches.map((match) => match?.state),
      ['undecided', undefined],
    );
    assert.deepEqual(
      reckonings.map(({ state, doubt }) => [state, doubt]),
      [['undecided', 'fwVer "lab build" cannot be compared with ">=20"']],
    );
  });

  test('does not matter where another condition rules the entry out', () => {
    assert.deepEqual(states([candidate], [{ ...entry, when: { fwVer: '>=20', kernel: '<6' } }], unknown), []);
  });

  test('does not stand in the way of an entry that holds', () => {
    const { matches } = matchDeviations([candidate], [doubtful, entry], unknown);
    assert.equal(matches[0]?.state, 'shown');
  });
});

describe('two entries clash', () => {
  const { rules } = circumstances;
  const clash = (one: Deviation, other: Deviation, of = rules): boolean =>
    clashOn([one, other], circumstances, of) !== undefined;

  test('if they are for the same scenario on the same device', () => {
    assert.ok(clash(entry, { ...entry, symptom: 'crash', when: { rdmaCore: '<55' } }));
    assert.ok(clash({ ...entry, scenario: 'Two' }, { ...entry, scenario: 'Two', reason: 'another' }));
    const shared = [{ clauseIds: ['ibv_create_cq.min-size', 'ibv_create_cq.at-least'], scenarioNames: ['Two'] }];
    const other = { ...entry, rule: 'ibv_create_cq.at-least' };
    assert.ok(clash(entry, other, shared));
  });

  test('and not if only one holds here, or one is for the rest of the rule', () => {
    assert.ok(!clash(entry, { ...entry, when: { kernel: '>=6.12' } }));
    assert.ok(!clash(entry, { ...entry, scenario: 'Two' }));
    assert.ok(!clash({ ...entry, scenario: 'One entry' }, { ...entry, scenario: 'Two' }));
  });
});
