import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { providerName, rdmaCoreVersion } from './versions';

describe('the version of rdma-core', () => {
  it('is the end of the file name that the links lead to', () => {
    const folder = mkdtempSync(join(tmpdir(), 'verbspec-'));
    try {
      writeFileSync(join(folder, 'libibverbs.so.1.14.44.0'), '');
      symlinkSync('libibverbs.so.1.14.44.0', join(folder, 'libibverbs.so.1'));
      assert.equal(rdmaCoreVersion(join(folder, 'libibverbs.so.1')), '44.0');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is empty where no file is known', () => {
    assert.equal(rdmaCoreVersion(null), '');
  });
});

describe('the name of a provider', () => {
  it('is found by the file of its code', () => {
    assert.equal(providerName('/usr/lib/x86_64-linux-gnu/libibverbs/librxe-rdmav34.so'), 'rxe');
    assert.equal(providerName('/usr/lib/libmlx5.so.1'), 'mlx5');
  });

  it('is not that of libibverbs, which holds the verbs that a provider lacks', () => {
    assert.equal(providerName('/usr/lib/libibverbs.so.1'), undefined);
  });
});
