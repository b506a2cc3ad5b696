import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { readLines } from './lines';

/** What the handlers are told when these chunks arrive. */
async function told(chunks: (string | Buffer)[], maxBytes = 100): Promise<string[]> {
  const stream = new PassThrough();
  const events: string[] = [];
  const ended = new Promise<void>((resolve) => {
    const line = (text: string) => events.push(text);
    const tooLong = () => events.push('TOO LONG');
    readLines(stream, maxBytes, { line, tooLong }, resolve);
  });
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await ended;
  events.push('END');
  return events;
}

describe('a stream', () => {
  it('is cut at newlines, wherever the chunks are cut', async () => {
    assert.deepEqual(await told(['on', 'e\ntwo\nthr', 'ee', '\n']), ['one', 'two', 'three', 'END']);
  });

  it('may be cut inside a character', async () => {
    const [first, second] = [Buffer.from('ü\n').subarray(0, 1), Buffer.from('ü\n').subarray(1)];
    assert.deepEqual(await told([first, second]), ['ü', 'END']);
  });

  it('says nothing of empty lines and of an unfinished last one', async () => {
    assert.deepEqual(await told(['\n\r\none\r\n\ntw']), ['one', 'END']);
  });

  it('is read no further when a line is too long', async () => {
    assert.deepEqual(await told(['1234\n12345', '6\n7\n'], 5), ['1234', 'TOO LONG', 'END']);
  });
});
