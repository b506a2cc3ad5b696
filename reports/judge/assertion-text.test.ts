import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAssertion } from './assertion-text';

/** The text of the error that a check throws on this Node. */
function messageOf(check: () => void): string {
  try {
    check();
  } catch (error) {
    if (error instanceof assert.AssertionError) return error.message;
    throw error;
  }
  throw new Error('the check passed');
}

test('values that differ are told as expected and observed', () => {
  const text = messageOf(() => {
    assert.equal(1, 2);
  });
  assert.deepEqual(readAssertion(text), { words: '', observed: '1', expected: '2' });
});

test('structures are told in one line', () => {
  const text = messageOf(() => {
    assert.deepEqual({ status: 'IBV_WC_SUCCESS', qp: 3 }, { status: 'IBV_WC_WR_FLUSH_ERR', qp: 3 });
  });
  const { expected, observed } = readAssertion(text);
  assert.match(expected ?? '', /IBV_WC_WR_FLUSH_ERR/);
  assert.match(observed ?? '', /IBV_WC_SUCCESS/);
  for (const side of [expected, observed]) assert.match(side ?? '', /qp: 3/);
});

test('words of the check stay, with the difference that Cucumber adds', () => {
  const formatted =
    'AssertionError: no event\n    + expected - actual\n\n    -1\n    +0\n\n    at World.<anonymous> (x.ts:1:1)';
  assert.deepEqual(readAssertion('no event', formatted), { words: 'no event', observed: '1', expected: '0' });
});

test('words alone stay words', () => {
  assert.deepEqual(readAssertion('expected an event\nbut 1 != 2 is not all'), {
    words: 'expected an event but 1 != 2 is not all',
    expected: undefined,
    observed: undefined,
  });
});

test('what a device says cannot steer a terminal', () => {
  assert.equal(readAssertion('\u001b[31mred\u001b[0m \u001b]0;title\u0007text\u0000').words, 'red text');
});
