import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Data } from '../drivers/contract';
import { showsIn, symptomText, type ComparedSymptom } from './symptom';

const failure = {
  step: 'Then CQ "recv_cq" gains 1 CQE with status IBV_WC_LOC_LEN_ERR',
  subject: 'status of the CQEs of CQ "recv_cq"',
  expected: ['IBV_WC_LOC_LEN_ERR'],
  observed: ['IBV_WC_LOC_QP_OP_ERR'],
};

/** Whether a pattern for what was observed matches it. */
function isObserved(pattern: Data, observed: Data): boolean {
  return showsIn({ subject: '*', observed: pattern }, { ...failure, observed });
}

describe('a symptom', () => {
  it('shows in a failure with its fields, and in no other', () => {
    assert.ok(showsIn(failure, failure));
    assert.ok(!showsIn(failure, { ...failure, step: 'Given CQ "recv_cq" is empty' }));
    assert.ok(!showsIn(failure, { ...failure, subject: 'status of the CQEs of CQ "send_cq"' }));
    assert.ok(!showsIn(failure, { ...failure, expected: ['IBV_WC_SUCCESS'] }));
    assert.ok(!showsIn(failure, { ...failure, observed: ['IBV_WC_WR_FLUSH_ERR'] }));
    assert.ok(!showsIn(failure, { ...failure, observed: [...failure.observed, ...failure.observed] }));
    assert.ok(!showsIn(failure, { step: failure.step, subject: failure.subject }));
  });

  it('does not look at what it leaves out', () => {
    const { step, subject } = failure;
    assert.ok(showsIn({ subject }, failure));
    assert.ok(showsIn({ subject }, { step, subject }));
    assert.ok(showsIn({ subject, observed: failure.observed }, failure));
  });

  for (const [pattern, observed] of [
    [1, 1],
    [null, null],
    [true, true],
    ['IBV_WC_*_ERR', 'IBV_WC_WR_FLUSH_ERR'],
    ['*', 1],
    ['*', null],
    ['*', [{ wr_id: '0x1' }]],
    [['*'], [{ wr_id: '0x1' }]],
    [[{ wr_id: '*', status: 'IBV_WC_SUCCESS' }], [{ status: 'IBV_WC_SUCCESS', wr_id: '0x22' }]],
    [{ anyOf: [1, 2] }, 2],
    [[{ anyOf: ['a', 'b'] }], ['b']],
    [
      { anyOf: [1], more: 1 },
      { anyOf: [1], more: 1 },
    ],
  ] as const) {
    it(`${JSON.stringify(pattern)} is ${JSON.stringify(observed)}`, () => {
      assert.ok(isObserved(pattern, observed));
    });
  }

  for (const [pattern, observed] of [
    [1, 2],
    [1, '1'],
    ['1', 1],
    [null, 0],
    [[], ['a']],
    [['a'], []],
    [['a'], 'a'],
    ['IBV_WC_*_ERR', 'IBV_WC_SUCCESS'],
    ['IBV_*', ['IBV_WC_SUCCESS']],
    [{ status: '*' }, { status: 'IBV_WC_SUCCESS', wr_id: '0x1' }],
    [{ status: '*', wr_id: '*' }, { status: 'IBV_WC_SUCCESS' }],
    [{ toString: '*' }, {}],
    [{ anyOf: [1, 2] }, 3],
    [{ anyOf: [] }, 1],
  ] as const) {
    it(`${JSON.stringify(pattern)} is not ${JSON.stringify(observed)}`, () => {
      assert.ok(!isObserved(pattern, observed));
    });
  }

  it('is worded as failures are', () => {
    const { subject } = failure;
    const text = 'status of the CQEs of CQ "recv_cq"; expected [IBV_WC_LOC_LEN_ERR], observed [IBV_WC_LOC_QP_OP_ERR]';
    const { step, ...compared } = failure;
    assert.equal(symptomText(failure), `${step}: ${text}`);
    assert.equal(symptomText(compared), text);
    assert.equal(symptomText({ subject, observed: null } satisfies ComparedSymptom), `${subject}; observed NULL`);
    assert.equal(symptomText({ subject }), subject);
    assert.equal(symptomText('crash'), 'crash');
  });
});
