import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { differingIn, MemberEvidence } from './differing';

const members = 'members of the CQEs of CQ "cq", in order';

describe('what a comparison of completions shows to differ', () => {
  it('is the members that differ, flags as one', () => {
    const cqe = { wr_id: '0x1', status: 'IBV_WC_SUCCESS', IBV_WC_GRH: 'set' };
    const differing = (other: object): string[] => [
      ...differingIn({ subject: members, expected: [cqe, cqe], observed: [cqe, { ...cqe, ...other }] }),
    ];
    assert.deepEqual(differing({}), []);
    assert.deepEqual(differing({ wr_id: '0x2' }), ['wr_id']);
    assert.deepEqual(differing({ status: 'IBV_WC_GENERAL_ERR', IBV_WC_GRH: 'clear' }), ['status', 'wc_flags']);
    assert.deepEqual(
      [...differingIn({ subject: 'status of the CQEs of CQ "cq"', expected: ['a'], observed: ['b'] })],
      ['status'],
    );
  });

  it('is how many there are, where that is not as expected', () => {
    assert.deepEqual([...differingIn({ subject: members, expected: [{}], observed: [] })], ['count']);
    assert.deepEqual([...differingIn({ subject: 'CQEs that CQ "cq" gave', expected: 2, observed: 1 })], ['count']);
  });

  it('is nothing of other comparisons', () => {
    assert.deepEqual([...differingIn({ subject: 'what ibv_x returned', expected: 0, observed: 1 })], []);
    assert.deepEqual([...differingIn(undefined)], []);
  });
});

describe('the members that failures show', () => {
  const differing = new Map([
    ['one', new Set(['wr_id'])],
    ['two', new Set<string>()],
    ['three', new Set(['wr_id'])],
  ]);
  const evidence = new MemberEvidence(differing.keys(), differing);

  it('count for rules about them, against rules about others, and nothing for the rest', () => {
    assert.equal(evidence.weightOf(['ibv_poll_cq.field-wr-id']), 4);
    assert.equal(evidence.weightOf(['ibv_poll_cq.field-status']), 0.1);
    assert.equal(evidence.weightOf(['ibv_poll_cq.drain-loop']), 1);
  });

  it('change nothing where nobody knows them', () => {
    assert.equal(new MemberEvidence(['one'], undefined).weightOf(['ibv_poll_cq.field-status']), 1);
  });
});
