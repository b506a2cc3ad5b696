import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cComment, cString, Identifiers } from './names';

describe('a text of a device in C', () => {
  it('is a string that nothing in it ends or changes', () => {
    assert.equal(cString('a"b\\c'), '"a\\"b\\\\c"');
    assert.equal(cString('??/ \n\u001b[31m'), '"\\077\\077/ \\012\\033[31m"');
    assert.equal(cString('é1'), '"\\303\\2511"');
  });

  it('is a comment that nothing in it ends', () => {
    for (const text of ['a */ int x; /* b', '**//', 'a \\', '??/', 'two\nlines', '\u202e']) {
      const comment = cComment(text);
      assert.doesNotMatch(comment, /\*\/|\/\*|\?\?|\n|\\$|[^\x20-\x7e]/, JSON.stringify(text));
    }
  });
});

describe('the names of objects', () => {
  it('are words that C and the program leave free, each of one object', () => {
    const names = new Map([
      ['cq#1', 'int'],
      ['qp#2', 'poll'],
      ['cq#3', '1 "x"'],
      ['cq#4', 'a b'],
      ['cq#5', 'a_b'],
    ]);
    const identifiers = new Identifiers((handle) => names.get(handle) ?? handle);
    const given = ['cq#1', 'qp#2', 'cq#3', 'cq#4', 'cq#5', 'pd#6', 'cq#4'].map((handle) => identifiers.of(handle));
    assert.deepEqual(given, ['int_cq', 'poll_qp', 'object_1_x_', 'a_b', 'a_b_', 'pd_6', 'a_b']);
  });
});
