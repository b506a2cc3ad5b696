import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { HarnessError } from '../drivers/contract';
import { appendTo, writeTo } from './write-file';

describe('a file that the user names for an output', () => {
  const folder = mkdtempSync(join(tmpdir(), 'verbspec-write-'));
  after(() => {
    rmSync(folder, { recursive: true });
  });

  it('is made, replaced, or added to', () => {
    const path = join(folder, 'file');
    writeTo(path, 'a long first text\n');
    writeTo(path, 'one\n');
    appendTo(path, 'two\n');
    assert.equal(readFileSync(path, 'utf8'), 'one\ntwo\n');
  });

  it('is refused, and not waited for, if it is a FIFO that nobody reads', () => {
    const path = join(folder, 'fifo');
    execFileSync('mkfifo', [path]);
    for (const write of [writeTo, appendTo]) {
      assert.throws(
        () => {
          write(path, 'text');
        },
        { name: HarnessError.name, message: /^cannot write \S+fifo: ENXIO.*; name a file that can be written$/ },
      );
    }
  });
});
