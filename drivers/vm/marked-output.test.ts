import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MarkedOutput } from './marked-output';

/** What comes out when a text arrives in pieces of a length. */
function cut(text: string, marker: string, length: number): { output: string; isComplete: boolean } {
  const marked = new MarkedOutput(marker);
  let output = '';
  for (let at = 0; at < text.length; at += length) {
    const piece = marked.push(Buffer.from(text.slice(at, at + length)));
    output += piece.output.toString();
    if (piece.isComplete) return { output, isComplete: true };
  }
  return { output, isComplete: false };
}

describe('MarkedOutput', () => {
  it('cuts at the marker, in whatever pieces it comes', () => {
    for (let length = 1; length < 20; length++) {
      assert.deepEqual(cut('one\nhalf a lineENDnext', 'END', length), { output: 'one\nhalf a line', isComplete: true });
    }
  });

  it('lets pass what only begins like the marker', () => {
    for (let length = 1; length < 9; length++) {
      assert.deepEqual(cut('EENENEND', 'END', length), { output: 'EENEN', isComplete: true });
    }
  });

  it('holds back no more than may be the marker', () => {
    const marked = new MarkedOutput('END');
    assert.equal(marked.push(Buffer.from('{"id":1}\n')).output.toString(), '{"id":1}\n');
    assert.equal(marked.push(Buffer.from('xEN')).output.toString(), 'x');
    assert.equal(marked.push(Buffer.from('y')).output.toString(), 'ENy');
  });
});
