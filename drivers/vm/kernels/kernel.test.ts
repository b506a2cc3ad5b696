import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { UsageError } from '../../contract';
import { completeKernel, kernelIn, resolveKernel } from './kernel';

describe('resolveKernel', () => {
  const cacheOfUser = process.env.XDG_CACHE_HOME;
  let folder = '';
  const put = (...paths: string[]): void => {
    for (const path of paths.map((name) => join(folder, name))) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, '');
    }
  };
  const silent = (line: string): void => {
    assert.fail(`nothing is to be fetched: ${line}`);
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'verbspec-kernel-'));
    process.env.XDG_CACHE_HOME = folder;
  });
  afterEach(() => {
    if (cacheOfUser === undefined) delete process.env.XDG_CACHE_HOME;
    else process.env.XDG_CACHE_HOME = cacheOfUser;
    rmSync(folder, { recursive: true });
  });

  it('takes the newest kernel of the series from the cache, without any network', async () => {
    for (const release of ['6.1.0-9-amd64', '6.1.0-56-amd64', '6.12.107+deb13-amd64']) {
      const root = join('verbspec/kernels', release);
      put(join(root, 'boot', `vmlinux-${release}`), join(root, 'lib/modules', release, 'modules.builtin'));
    }
    assert.equal((await resolveKernel('6.1', silent)).release, '6.1.0-56-amd64');
    assert.equal((await resolveKernel('6.12', silent)).release, '6.12.107+deb13-amd64');
  });

  it('does not take a kernel from the cache that was kept without what is needed', async () => {
    const root = 'verbspec/kernels/6.1.0-56-amd64';
    put(join(root, 'boot/vmlinux-6.1.0-56-amd64'), join(root, 'lib/modules/6.1.0-56-amd64/rdma_rxe.ko'));
    const fetching = (line: string): void => {
      throw new Error(line);
    };
    assert.equal((await resolveKernel('6.1', silent, ['rdma_rxe'])).release, '6.1.0-56-amd64');
    await assert.rejects(resolveKernel('6.1', fetching, ['rdma_rxe', 'siw']), {
      message: /^kernel 6\.1\.0-56-amd64 of the cache was kept without siw$/,
    });
    writeFileSync(join(folder, root, 'lib/modules/6.1.0-56-amd64/verbspec.sought'), 'siw\n');
    assert.equal((await resolveKernel('6.1', silent, ['siw'])).release, '6.1.0-56-amd64');
  });

  it('completes a kernel in the cache with what it lacks, and forgets nothing', async () => {
    put('cached/boot/vmlinuz-6.1', 'cached/lib/modules/6.1/a.ko', 'kept/6.1/b.ko');
    writeFileSync(join(folder, 'cached/lib/modules/6.1/verbspec.sought'), 'a\nx\n');
    writeFileSync(join(folder, 'kept/6.1/verbspec.sought'), 'a\nb\n');
    const cached = kernelIn(join(folder, 'cached'));
    await completeKernel(cached, join(folder, 'kept/6.1'));
    for (const name of ['a.ko', 'b.ko']) assert.ok(existsSync(join(cached.modulesDir, name)), name);
    assert.equal(readFileSync(join(cached.modulesDir, 'verbspec.sought'), 'utf8'), 'a\nx\nb\n');
    await completeKernel(cached, join(folder, 'kept/none'));
  });

  it('takes the newest kernel of a folder, wherever it keeps modules and image', async () => {
    put('boot/vmlinuz-6.2', 'lib/modules/6.2/modules.dep', 'usr/lib/modules/7.2/vmlinuz');
    assert.deepEqual(await resolveKernel(folder, silent), {
      release: '7.2',
      image: join(folder, 'usr/lib/modules/7.2/vmlinuz'),
      modulesDir: join(folder, 'usr/lib/modules/7.2'),
    });
  });

  it('refuses what it does not know and folders without a kernel', async () => {
    put('lib/modules/6.2/modules.dep');
    assert.throws(() => kernelIn(folder), UsageError);
    await assert.rejects(resolveKernel('3.2', silent), UsageError);
    await assert.rejects(resolveKernel(join(folder, 'missing'), silent), UsageError);
  });
});
