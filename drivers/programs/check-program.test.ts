import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UsageError } from '../contract';
import { checkedProgram, programOf } from './check-program';

const open = { call: 'ibv_open_device', args: { device: { of: 'dut', member: 'name' } }, as: 'ctx' };
const alloc = { call: 'ibv_alloc_pd', args: { context: { of: 'ctx' } }, as: 'pd' };
const program = (...ops: readonly unknown[]) => ({ version: 1, seed: '1-1', ops });

const refused: readonly (readonly [string, unknown, RegExp])[] = [
  ['another version', { ...program(open), version: 2 }, /has version 2; this verbspec reads version 1/],
  ['no list of operations', { version: 1, seed: '1', ops: 7 }, /"ops" of the program is not a list/],
  ['a seed that is no string', { version: 1, seed: 7, ops: [] }, /"seed" of the program is not a string/],
  ['an unknown member', { ...program(), more: 1 }, /the program has "more"; it may have version/],
  ['an unknown function', program({ call: 'ibv_poll_qc', args: {} }), /calls "ibv_poll_qc".*did you mean ibv_poll_cq/],
  ['an unknown operation', program({ sleep: 3 }), /no operation that verbspec knows: "sleep"/],
  ['a link that goes sideways', program({ port: 'sideways' }), /\.port is "sideways"; a link goes down or up/],
  ['a link that goes nowhere', program({ port: true }), /\.port is true; a link goes down or up/],
  ['a name for a link', program({ port: 'down', as: 'link' }), /has "as"; it may have port$/],
  [
    'a link that is moved by a thread',
    program(open, { par: [[{ port: 'down' }]] }),
    /moves the link of the port in a thread; it is moved beside no call/,
  ],
  ['a name before it is made', program(alloc), /refers to "ctx", which no operation before it makes; .*cyclic/],
  ['a name of itself', program(open, { ...alloc, args: { context: { of: 'pd' } } }), /refers to "pd"/],
  [
    'an unknown member of an object',
    program(open, { ...alloc, args: { context: { of: 'ctx', member: 'x' } } }),
    /"x" of "ctx"/,
  ],
  ['a missing argument', program(open, { ...alloc, args: {} }), /args.context is missing instead of a reference/],
  ['a number in place of an object', program(open, { ...alloc, args: { context: 7 } }), /is 7 instead of a reference/],
  ['threads within a thread', program({ par: [[{ par: [[open]] }]] }), /threads within a thread/],
  [
    'too many operations',
    program(...Array<unknown>(300).fill({ settle: true })),
    /too many operations; it may have 256/,
  ],
  ['a name of other letters', program({ ...open, as: 'Ctx\u001b' }), /as is "Ctx\\u001b"; a name has small letters/],
];

describe('a program', () => {
  it('is taken if all that it calls is described', () => {
    assert.equal(programOf(JSON.stringify(program(open, alloc, { settle: true }))).ops.length, 3);
  });

  it('may take the link of the port down and up', () => {
    const { ops } = checkedProgram(program(open, { port: 'down' }, { port: 'up' }));
    assert.deepEqual(ops.slice(1), [{ port: 'down' }, { port: 'up' }]);
  });

  for (const [what, data, message] of refused) {
    it(`is refused with ${what}`, () => {
      assert.throws(
        () => checkedProgram(data),
        (error) => error instanceof UsageError && message.test(error.message) && !error.message.includes('\n'),
      );
    });
  }

  it('is refused if it is too large, or no JSON', () => {
    assert.throws(() => programOf(' '.repeat(70_000)), /has 70000 bytes; it may have 65536/);
    assert.throws(() => programOf('{'), /is not JSON/);
  });
});
