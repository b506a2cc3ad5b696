import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { makeFolder, readRegularFile, readTextFile } from './files';

describe('files of others', () => {
  const folder = mkdtempSync(join(tmpdir(), 'verbspec-files-'));
  after(() => {
    rmSync(folder, { recursive: true });
  });
  const path = (name: string): string => join(folder, name);

  it('reads a text without its byte order mark', () => {
    writeFileSync(path('bom.json'), '\ufeff{"a":1}');
    assert.equal(readTextFile(path('bom.json')), '{"a":1}');
  });

  it('reads a file of /proc, which has no size', () => {
    assert.match(readTextFile('/proc/self/status'), /^Name:/);
  });

  it('reads a file of just the most bytes, and none of one more', () => {
    writeFileSync(path('four'), 'four');
    assert.equal(readRegularFile(path('four'), 4).toString(), 'four');
    assert.throws(() => readRegularFile(path('four'), 3), { message: 'it has more than 3 bytes' });
  });

  it('does not wait for a FIFO, read a device or take a folder', () => {
    execFileSync('mkfifo', [path('fifo')]);
    assert.throws(() => readTextFile(path('fifo')), { message: 'it is not a regular file' });
    assert.throws(() => readTextFile('/dev/zero'), { message: 'it is not a regular file' });
    assert.throws(() => readTextFile(folder), { message: 'it is a folder' });
  });

  it('follows a link where it may, and only there', () => {
    writeFileSync(path('linked'), 'text');
    symlinkSync('linked', path('link'));
    assert.equal(readRegularFile(path('link'), 4).toString(), 'text');
    assert.throws(() => readRegularFile(path('link'), 4, false), { message: 'it is a symbolic link' });
    assert.equal(readRegularFile(path('linked'), 4, false).toString(), 'text');
  });

  it('makes a folder with those above it, and takes one that is there', () => {
    makeFolder(path('a/b/c'));
    makeFolder(path('a/b/c'));
    assert.ok(existsSync(path('a/b/c')));
  });

  it('ends where the system makes no folder', () => {
    assert.throws(() => {
      makeFolder('/proc/a/b');
    }, /ENOENT/);
  });

  it('refuses a path that leads through a file or a loop of links', () => {
    symlinkSync('loop', path('loop'));
    assert.throws(() => {
      makeFolder(path('four/x'));
    }, /ENOTDIR/);
    assert.throws(() => {
      makeFolder(path('loop/x'));
    }, /ELOOP/);
  });
});
