import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { sandboxOptions } from './sandbox';

const folder = mkdtempSync(join(tmpdir(), 'verbspec-sandbox-'));

after(() => {
  rmSync(folder, { recursive: true });
});

/** A QEMU that notes how it was called, and does what the text says. */
function fakeQemu(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\necho "$@" >>'${path}.calls'\n${text}\n`, { mode: 0o755 });
  return path;
}

describe('the sandbox of QEMU', () => {
  it('is used where QEMU can, and denies programs and rights; QEMU is asked once', () => {
    const qemu = fakeQemu('able', 'read word && test "$word" = quit');
    const options = sandboxOptions(qemu);
    assert.deepEqual(sandboxOptions(qemu), options);
    const [option, value = ''] = options;
    assert.equal(option, '-sandbox');
    assert.deepEqual(value.split(','), [
      'on',
      'obsolete=deny',
      'elevateprivileges=deny',
      'spawn=deny',
      'resourcecontrol=deny',
    ]);
    const calls = readFileSync(`${qemu}.calls`, 'utf8').trim().split('\n');
    assert.equal(calls.length, 1);
    assert.match(calls.join(), / -M none .* -sandbox on,/);
  });

  it('is left out where QEMU has none, fails otherwise, or is not there', () => {
    const refusing = fakeQemu('unable', 'echo "-sandbox support is not enabled in this QEMU binary" >&2; exit 1');
    const dying = fakeQemu('dying', 'kill -SYS $$');
    for (const qemu of [refusing, dying, join(folder, 'missing')]) assert.deepEqual(sandboxOptions(qemu), []);
  });
});
