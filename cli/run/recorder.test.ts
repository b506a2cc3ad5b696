import assert from 'node:assert/strict';
import fs, { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { HarnessError } from '../../drivers/contract';
import { parseMessages } from '../../reports/recording/messages';
import { Recorder } from './recorder';

const folder = mkdtempSync(join(tmpdir(), 'verbspec-test-'));
const envelopes = parseMessages(
  ['one', 'two', 'three']
    .map((uri) => `${JSON.stringify({ parseError: { source: { uri }, message: uri } })}\n`)
    .join(''),
);

after(() => {
  rmSync(folder, { recursive: true });
});

/** What the real one is called with here. */
type Write = (file: number, data: Buffer, offset: number, length: number, position: number) => number;

describe('Recorder', () => {
  it('keeps whole lines where the disk takes half of one, and the rest once there is room again', (context) => {
    const path = join(folder, 'messages.ndjson');
    const recorder = new Recorder(path, (envelope) => envelope);
    const real: Write = fs.writeSync;
    let room = 100;
    const full = context.mock.method(fs, 'writeSync', ((file, data, offset, length, position) => {
      if (room === 0) throw new Error('ENOSPC');
      const count = real(file, data, offset, Math.min(length, room), position);
      room -= count;
      return count;
    }) satisfies Write);
    for (const envelope of envelopes) recorder.record(envelope);
    assert.match(recorder.complete()?.message ?? '', /ENOSPC/);
    assert.deepEqual(parseMessages(readFileSync(path, 'utf8')), envelopes.slice(0, 1));
    full.mock.restore();
    assert.equal(recorder.complete(), undefined);
    assert.deepEqual(parseMessages(readFileSync(path, 'utf8')), envelopes);
  });

  it('says in a line that it cannot begin', () => {
    assert.throws(() => new Recorder(join(folder, 'nowhere', 'messages.ndjson'), (envelope) => envelope), {
      name: HarnessError.name,
      message: /cannot write .*nowhere.*; free space or name another --out/,
    });
  });
});
