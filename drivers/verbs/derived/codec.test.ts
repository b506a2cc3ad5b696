import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TraceValue } from '../../contract/trace';
import { verbs } from '..';
import { decode, encode, encodeArguments, type Reading } from './codec';
import { bool, bytes, either, enumeration, i32, list, nullable, object, struct, u64, u8, type Type } from '../idl';

const cq = { handle: 'cq#1', cqe: 4 };

const reading: Reading = {
  object: (kinds, handle) => ({ handle, kinds }),
  mismatch: (found, place, expected) => new Error(`${found} for "${place}" instead of ${expected}`),
};

const pair = struct('pair', { cq: object('cq'), deep: list(struct('deep', { word: u64 })) }, { flag: bool });

describe('a value that travels', () => {
  const values: readonly (readonly [string, Type, unknown, TraceValue])[] = [
    ['an object is its handle', object('cq'), cq, 'cq#1'],
    ['an absent object is null', nullable(object('cq')), null, null],
    ['bytes are digits', bytes, Uint8Array.of(0, 0xab), '00ab'],
    ['of either, a number stays one', either(object('cq'), u8), 7, 7],
    ['of either, an object is its handle', either(object('cq'), u8), cq, 'cq#1'],
    [
      'a struct has the members that there are',
      pair,
      { cq, deep: [{ word: 1n }], other: 1 },
      { cq: 'cq#1', deep: [{ word: 1n }] },
    ],
  ];
  for (const [title, type, value, travelling] of values) {
    it(title, () => {
      assert.deepEqual(encode(type, value), travelling);
    });
  }

  it('has the arguments of a verb by their names, and those that are always the same', () => {
    const context = { handle: 'context#1', numCompVectors: 1 };
    assert.deepEqual(encodeArguments(verbs.setFileStatusFlags, [context, ['O_NONBLOCK']]), {
      source: 'context#1',
      cmd: 'F_SETFL',
      flags: ['O_NONBLOCK'],
    });
  });
});

describe('a value that has travelled', () => {
  it('has objects for its handles', () => {
    const decoded = decode(pair, { cq: 'cq#1', deep: [], flag: true }, 'pair', reading);
    assert.deepEqual(decoded, { cq: { handle: 'cq#1', kinds: ['cq'] }, deep: [], flag: true });
  });

  it('has bytes for their digits', () => {
    assert.deepEqual(decode(bytes, 'ff00', 'bytes', reading), Uint8Array.of(0xff, 0));
  });

  const wrong: readonly (readonly [Type, TraceValue | undefined, string])[] = [
    [i32, undefined, 'undefined for "value" instead of a number'],
    [u64, 1, '1 for "value" instead of a 64-bit value'],
    [bool, 0, '0 for "value" instead of true or false'],
    [bytes, 'f', '"f" for "value" instead of hexadecimal digits'],
    [object('cq'), null, 'null for "value" instead of a handle'],
    [enumeration('e', ['A']), ['A'], 'a list for "value" instead of a string'],
    [list(u64), {}, 'a struct for "value" instead of a list'],
    [pair, { cq: 'cq#1', deep: [{}] }, 'undefined for "value.deep[0].word" instead of a 64-bit value'],
  ];
  for (const [type, value, message] of wrong) {
    it(`is refused where it is of another type: ${message}`, () => {
      assert.throws(() => decode(type, value, 'value', reading), { message });
    });
  }
});
