import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { cacheFolder, inTemporaryFolder, publish } from './cache';

describe('cache', () => {
  let parent = '';
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'verbspec-cache-'));
  });
  afterEach(() => {
    rmSync(parent, { recursive: true });
  });

  it('publishes a finished folder and leaves nothing else', async () => {
    await inTemporaryFolder(parent, async (folder) => {
      mkdirSync(join(folder, 'done'));
      await publish(join(folder, 'done'), join(parent, '6.1'));
    });
    assert.deepEqual(readdirSync(parent), ['6.1']);
  });

  it('is refused at once where no folder can be made', () => {
    const source = `require(${JSON.stringify(join(__dirname, 'cache.ts'))}).inTemporaryFolder('/proc/verbspec/kernels', () => undefined)`;
    const run = `${source}.catch((error) => console.log(error.code))`;
    const args = ['-r', 'ts-node/register/transpile-only', '-e', run];
    const { stdout, signal } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      timeout: 60_000,
      killSignal: 'SIGKILL',
    });
    assert.deepEqual({ stdout, signal }, { stdout: 'ENOENT\n', signal: null });
  });

  it('leaves nothing when the work fails', async () => {
    await assert.rejects(
      inTemporaryFolder(parent, () => Promise.reject(new Error('no network'))),
      /no network/,
    );
    assert.deepEqual(readdirSync(parent), []);
  });

  it('keeps the folder of a process that was faster', async () => {
    mkdirSync(join(parent, '6.1'));
    writeFileSync(join(parent, '6.1/file'), 'first');
    await inTemporaryFolder(parent, async (folder) => {
      writeFileSync(join(folder, 'file'), 'second');
      await publish(folder, join(parent, '6.1'));
    });
    assert.equal(readFileSync(join(parent, '6.1/file'), 'utf8'), 'first');
  });

  it('removes what dead processes of this machine have left, and nothing of others', async () => {
    const { pid } = spawnSync('true');
    const abandoned = `.tmp-${hostname()}-${pid}-abc123`;
    const others = [`.tmp-${hostname()}-${process.pid}-abc123`, `.tmp-elsewhere-${pid}-abc123`, '6.1.0-56-amd64'];
    for (const name of [abandoned, ...others]) mkdirSync(join(parent, name));
    await inTemporaryFolder(parent, () => Promise.resolve());
    assert.ok(!existsSync(join(parent, abandoned)));
    assert.deepEqual(readdirSync(parent).sort(), [...others].sort());
  });

  it('is in the home of the user, and in a folder for temporary files where he has none', () => {
    assert.equal(
      cacheFolder('kernels', { XDG_CACHE_HOME: '/var/cache', HOME: '/root' }),
      '/var/cache/verbspec/kernels',
    );
    assert.equal(
      cacheFolder('kernels', { XDG_CACHE_HOME: 'relative', HOME: '/root' }),
      '/root/.cache/verbspec/kernels',
    );
    for (const env of [{}, { HOME: '' }, { HOME: 'relative' }]) {
      const home = (): string => '/home/account';
      assert.equal(cacheFolder('kernels', env, home), '/home/account/.cache/verbspec/kernels');
      const folder = cacheFolder('kernels', env, () => undefined);
      assert.equal(folder, join(tmpdir(), `cache-of-user-${process.getuid?.()}`, 'verbspec/kernels'));
    }
  });
});
