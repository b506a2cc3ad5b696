import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cpio } from './cpio';

interface Entry {
  readonly name: string;
  readonly mode: number;
  readonly data: string;
}

/** Reads an archive as the kernel does: by the sizes in the headers. */
function read(archive: Buffer): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; at < archive.length;) {
    const field = (index: number): number =>
      parseInt(archive.toString('latin1', at + 6 + index * 8, at + 14 + index * 8), 16);
    assert.equal(archive.toString('latin1', at, at + 6), '070701');
    assert.equal(at % 4, 0);
    const [mode, size, nameSize] = [field(1), field(6), field(11)];
    const name = archive.toString('utf8', at + 110, at + 110 + nameSize - 1);
    const start = (at + 110 + nameSize + 3) & ~3;
    entries.push({ name, mode, data: archive.toString('utf8', start, start + size) });
    at = (start + size + 3) & ~3;
  }
  return entries;
}

describe('cpio', () => {
  it('writes folders before files, modes and data, and the trailer', () => {
    const archive = cpio([
      { path: 'init', data: Buffer.from('#!'), executable: true },
      { path: 'a/b/c.ko', data: Buffer.from('12345') },
    ]);
    assert.deepEqual(read(archive), [
      { name: 'a', mode: 0o040755, data: '' },
      { name: 'a/b', mode: 0o040755, data: '' },
      { name: 'init', mode: 0o100755, data: '#!' },
      { name: 'a/b/c.ko', mode: 0o100644, data: '12345' },
      { name: 'TRAILER!!!', mode: 0, data: '' },
    ]);
  });

  it('pads every length of name and data', () => {
    const files = [0, 1, 2, 3, 4].map((length) => ({
      path: `f${'x'.repeat(length)}`,
      data: Buffer.alloc(length, 'd'),
    }));
    assert.deepEqual(
      read(cpio(files)).slice(0, -1),
      files.map(({ path, data }) => ({ name: path, mode: 0o100644, data: data.toString() })),
    );
  });
});
