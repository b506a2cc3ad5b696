import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { HarnessError } from '../../drivers/contract';
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

  it('stays as it was, with its permissions, if the new one has no room', () => {
    const path = join(folder, 'kept');
    writeFileSync(path, 'earlier\n', { mode: 0o640 });
    const register = join(__dirname, '..', '..', 'ci', 'typescript.js');
    const module = JSON.stringify(join(__dirname, 'write-file.ts'));
    const write = (text: string): string => `require(${module}).writeTo(${JSON.stringify(path)}, ${text})`;
    const run = (limit: string, text: string): number | null =>
      spawnSync('/bin/sh', ['-c', `${limit}exec "$0" -r "$1" -e "$2"`, process.execPath, register, write(text)]).status;
    assert.equal(run('ulimit -f 1; ', "'x'.repeat(100000)"), 1);
    assert.deepEqual([readFileSync(path, 'utf8'), readdirSync(folder)], ['earlier\n', ['file', 'kept']]);
    assert.equal(run('', "'new'"), 0);
    assert.deepEqual([readFileSync(path, 'utf8'), statSync(path).mode & 0o777], ['new', 0o640]);
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
