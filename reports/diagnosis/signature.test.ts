import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Data } from '../../drivers/contract';
import type { Finding } from '../judge/outcome';
import { signatureOf } from './signature';

function compared(subject: string, expected: Data, observed: Data): Finding {
  return { verdict: 'fail', where: 'Then it is so', words: subject, comparison: { subject, expected, observed } };
}

const asExpected = (expected: Data, observed: Data): string => signatureOf(compared('it', expected, observed));

describe('the signature of a finding', () => {
  it('is the same for other objects, numbers and counts', () => {
    const one = compared('events of CQ "a" after 2 sends', 'nothing', ['1 event of CQ "a": it was armed once']);
    const other = compared('events of CQ "b" after 17 sends', 'nothing', ['3 events of CQ "b": it was armed 4 times']);
    assert.equal(signatureOf(one), signatureOf(other));
    assert.match(signatureOf(one), /^fail: events of CQ "" after # sends; expected nothing, observed /);
  });

  it('differs with the verdict, the subject, what was expected and what was observed', () => {
    const base = compared('status', 'IBV_WC_SUCCESS', 'IBV_WC_GENERAL_ERR');
    const others: Finding[] = [
      { ...base, verdict: 'blocked' },
      compared('opcode', 'IBV_WC_SUCCESS', 'IBV_WC_GENERAL_ERR'),
      compared('status', 'IBV_WC_WR_FLUSH_ERR', 'IBV_WC_GENERAL_ERR'),
      compared('status', 'IBV_WC_SUCCESS', 'IBV_WC_FATAL_ERR'),
    ];
    assert.equal(new Set([base, ...others].map(signatureOf)).size, 5);
  });

  it('keeps of structs and lists what differs', () => {
    const expected = [
      { wr_id: '0x1', byte_len: 16, status: 'IBV_WC_SUCCESS' },
      { wr_id: '0x2', byte_len: 16, status: 'IBV_WC_SUCCESS' },
    ];
    const observed = expected.map((cqe) => ({ ...cqe, byte_len: 0 }));
    assert.equal(asExpected(expected, observed), 'fail: it; expected [{byte_len: #}], observed [{byte_len: less}]');
  });

  it('says which of two numbers is larger, and takes 64-bit values for names', () => {
    assert.equal(asExpected(1, 2), 'fail: it; expected #, observed more');
    assert.equal(asExpected(9, 0), 'fail: it; expected #, observed less');
    assert.equal(asExpected('0x1', '0x2'), asExpected('0x9', '0x3'));
  });

  it('has of a list that became longer each kind of item once', () => {
    assert.equal(asExpected(['a'], ['a', 'b', 'b']), 'fail: it; expected [a], observed [a, b]');
    assert.equal(asExpected(['a'], ['a', 'b', 'b']), asExpected(['a'], ['a', 'b', 'b', 'b']));
  });

  it('is made of the words where nothing was compared', () => {
    const crash = { verdict: 'crash', where: '', words: 'the host of "rxe0" ended with signal 11' } as const;
    assert.equal(signatureOf(crash), 'crash: the host of "" ended with signal #');
  });
});
