import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { LineCutter, readLines } from './lines';

/** What the handlers get when these chunks arrive. */
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

  it('goes on after a line that is too long', async () => {
    assert.deepEqual(await told(['1234\n12345', '6\n7\n'], 5), ['1234', 'TOO LONG', '7', 'END']);
    assert.deepEqual(await told(['123', '456', '789\n1', '23\n123456\n'], 5), ['TOO LONG', '123', 'TOO LONG', 'END']);
  });
});

describe('LineCutter', () => {
  /** A cutter, and what its handlers got. */
  function cutting(maxBytes: number): { cutter: LineCutter; told: string[] } {
    const told: string[] = [];
    const line = (text: string) => told.push(text);
    const tooLong = () => told.push('TOO LONG');
    return { cutter: new LineCutter(maxBytes, { line, tooLong }), told };
  }

  it('hands on an unfinished last line where that is asked for', () => {
    const { cutter, told } = cutting(10);
    cutter.add(Buffer.from('one\ntw'));
    cutter.add(Buffer.from('o'));
    cutter.end();
    cutter.end();
    assert.deepEqual(told, ['one', 'two']);
  });

  it('drops a line without an end, and reports it once', () => {
    const { cutter, told } = cutting(64 * 1024);
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    for (let megabytes = 0; megabytes < 200; megabytes++) cutter.add(chunk);
    cutter.add(Buffer.from('\nnext\n'));
    assert.deepEqual(told, ['TOO LONG', 'next']);
  });

  it('puts a line together from single bytes', () => {
    const { cutter, told } = cutting(100_000);
    const text = 'abcdefghij'.repeat(5000);
    for (const byte of Buffer.from(`${text}\n`)) cutter.add(Buffer.from([byte]));
    assert.deepEqual(told, [text]);
  });
});
