import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import { programsWithLibraries } from './shared-objects';

const skip = existsSync('/etc/libibverbs.d/rxe.driver') ? false : 'libibverbs is not installed';

describe('the programs of a deterministic VM', { skip }, () => {
  it('come with their loader, their libraries, and the provider where libibverbs looks for it', () => {
    const files = programsWithLibraries([process.execPath], 'rxe');
    const paths = files.map(({ path }) => path);
    for (const path of ['bin/node', 'lib64/ld-linux-x86-64.so.2', 'lib/libc.so.6', 'etc/libibverbs.d/rxe.driver']) {
      assert.ok(paths.includes(path), `${path} is not among ${paths.join(' ')}`);
    }
    assert.ok(paths.some((path) => /\/libibverbs\/librxe-rdmav\d+\.so$/.test(path)));
    assert.ok(paths.includes('lib/libibverbs.so.1'), 'the provider needs it');
    assert.equal(new Set(paths).size, paths.length);
  });

  it('need a provider of that name', () => {
    assert.throws(() => programsWithLibraries([process.execPath], 'nobody'), /libibverbs has no provider nobody/);
  });
});
