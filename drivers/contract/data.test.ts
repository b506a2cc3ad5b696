import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dataOf, dataText, isSameData, mapStrings } from './data';

describe('data', () => {
  it('has 64-bit values as hexadecimal strings, and no member without a value', () => {
    const value = { wrId: 7n, left: undefined, list: [-1n, 1, null, true, 'x'] };
    assert.deepEqual(dataOf(value), { wrId: '0x7', list: ['0xffffffffffffffff', 1, null, true, 'x'] });
    assert.equal(dataOf(undefined), null);
  });

  for (const [one, other] of [
    [1, 1],
    ['x', 'x'],
    [null, null],
    [[], []],
    [
      ['a', { b: 1 }],
      ['a', { b: 1 }],
    ],
    [
      { a: 1, b: [2] },
      { b: [2], a: 1 },
    ],
    [{ a: 1, b: undefined }, { a: 1 }],
  ] as const) {
    it(`is the same: ${JSON.stringify(one)} and ${JSON.stringify(other)}`, () => {
      assert.ok(isSameData(one, other));
    });
  }

  for (const [one, other] of [
    [1, '1'],
    [0, null],
    ['0x1', '0x01'],
    [[], {}],
    [[1], [1, 2]],
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: null }, {}],
    [{}, { a: 1 }],
    [{ a: [1] }, { a: [2] }],
  ] as const) {
    it(`is not the same: ${JSON.stringify(one)} and ${JSON.stringify(other)}`, () => {
      assert.ok(!isSameData(one, other));
      assert.ok(!isSameData(other, one));
    });
  }

  it('reads as calls of a trace do', () => {
    assert.equal(
      dataText([{ wr_id: '0x1', status: 'IBV_WC_SUCCESS' }, 2, true]),
      '[{wr_id: 0x1, status: IBV_WC_SUCCESS}, 2, true]',
    );
    assert.equal(dataText({ returned: null, errno: undefined }), '{returned: NULL}');
    assert.deepEqual(['', [], {}].map(dataText), ['""', '[]', '{}']);
  });

  it('has each of its strings replaced, and no name', () => {
    const data = { a: ['a', 1, { b: 'a' }], c: null, d: undefined };
    assert.deepEqual(
      mapStrings(data, (text) => text.toUpperCase()),
      { a: ['A', 1, { b: 'A' }], c: null, d: undefined },
    );
  });
});
