import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeMessage, encodeMessage, maxLevels } from './protocol';

describe('a message', () => {
  it('survives the wire', () => {
    const message = {
      id: '1:1',
      word: 0xdead_beef_0000_0001n,
      list: [0n, 'cq#1', null, { flag: true }],
      text: 'für\n',
    };
    assert.equal(encodeMessage(message).includes('\n'), false);
    assert.deepEqual(decodeMessage(encodeMessage(message)), message);
  });

  it('carries a 64-bit value as hexadecimal digits, a negative one as its two’s complement', () => {
    assert.equal(encodeMessage([2n ** 64n - 1n, -1n, 0n]), '["0xffffffffffffffff","0xffffffffffffffff","0x0"]');
  });

  it('leaves alone what only looks like a 64-bit value', () => {
    const texts = ['0x', '0xG', '0x01', ' 0x1', '0x11111111111111111', 'unknown-cq@0x7f00'];
    assert.deepEqual(decodeMessage(encodeMessage(texts)), texts);
  });

  it('that is not JSON is refused', () => {
    assert.throws(() => decodeMessage('{"id":'), SyntaxError);
  });

  it('has no more levels than both sides bear, whatever its texts hold', () => {
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    assert.doesNotThrow(() => decodeMessage(nested(maxLevels)));
    assert.throws(() => decodeMessage(nested(maxLevels + 1)), SyntaxError);
    const message = { text: [`\\"${'[{'.repeat(maxLevels)}`] };
    assert.deepEqual(decodeMessage(JSON.stringify(message)), message);
    assert.throws(() => decodeMessage(`{"a\\"]":${nested(maxLevels)}}`), SyntaxError);
  });

  it('is refused where a host could not read it', () => {
    for (const text of [
      '"\\ud800"',
      '{"\\uDC00":1}',
      '1e999',
      '[-1E+400]',
      '9'.repeat(400),
      '\ufeff1',
      '"a"\0',
      '{"a":1e999,"a":1}',
    ]) {
      assert.throws(() => decodeMessage(text), SyntaxError, text.slice(0, 20));
    }
    assert.deepEqual(decodeMessage('["\\ud83d\\ude00","\\\\ud800",1e300,-0]'), ['\u{1f600}', '\\ud800', 1e300, -0]);
  });
});
