import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { cacheFolder, inTemporaryFolder, putInPlace } from './cache';

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
      await putInPlace(join(folder, 'done'), join(parent, '6.1'));
    });
    assert.deepEqual(readdirSync(parent), ['6.1']);
  });

  it('is refused at once where no folder can be made', () => {
    const source = `require(${JSON.stringify(join(__dirname, 'cache.ts'))}).inTemporaryFolder('/proc/verbspec/kernels', () => undefined)`;
    const run = `${source}.catch((error) => console.log(error.code))`;
    const args = ['-r', join(__dirname, '..', '..', 'ci', 'typescript.js'), '-e', run];
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
      await putInPlace(folder, join(parent, '6.1'));
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

  describe('of a user', () => {
    const temporary = process.env.TMPDIR;
    const stranger = 65534;
    const notRoot = process.getuid?.() !== 0 && 'only root can give a folder to another user';
    let home = '';
    let own = '';
    beforeEach(() => {
      home = join(parent, 'home');
      mkdirSync(home);
      own = join(parent, `cache-of-user-${process.getuid?.()}`);
      process.env.TMPDIR = parent;
    });
    afterEach(() => {
      if (temporary === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = temporary;
    });

    const homeless = (): string => cacheFolder('kernels', {}, () => undefined);
    const account = (): string => home;
    const refusal = {
      name: 'HarnessError',
      message: /^others than you can write to \S+, or have made it, so nothing in it is used; set XDG_CACHE_HOME to /,
    };

    it('is where he says, or in his home', () => {
      const env = { XDG_CACHE_HOME: '/var/cache', HOME: home };
      assert.equal(cacheFolder('kernels', env), '/var/cache/verbspec/kernels');
      assert.equal(
        cacheFolder('kernels', { XDG_CACHE_HOME: 'relative', HOME: home }),
        join(home, '.cache/verbspec/kernels'),
      );
      for (const HOME of [undefined, '', 'relative', join(parent, 'missing')]) {
        const env = HOME === undefined ? {} : { HOME };
        assert.equal(cacheFolder('kernels', env, account), join(home, '.cache/verbspec/kernels'));
      }
    });

    it('is not in the home of another, as under sudo', { skip: notRoot }, () => {
      const other = join(parent, 'other');
      mkdirSync(other);
      chownSync(other, stranger, stranger);
      assert.equal(cacheFolder('kernels', { HOME: other }, account), join(home, '.cache/verbspec/kernels'));
    });

    it('is a folder of his alone where he has no home', () => {
      assert.equal(homeless(), join(own, 'verbspec/kernels'));
      assert.equal(statSync(own).mode & 0o777, 0o700);
      assert.equal(homeless(), join(own, 'verbspec/kernels'), 'it is there already');
    });

    it('is refused if another user has made it', { skip: notRoot }, () => {
      mkdirSync(own, { mode: 0o700 });
      chownSync(own, stranger, stranger);
      assert.throws(homeless, refusal);
    });

    it('is refused if other users can write to it', () => {
      mkdirSync(own);
      chmodSync(own, 0o770);
      assert.throws(homeless, refusal);
    });

    it('is refused if it is a link', () => {
      symlinkSync(home, own);
      assert.throws(homeless, refusal);
    });

    it('is refused in a line if it cannot be made', () => {
      process.env.TMPDIR = join(parent, 'missing');
      assert.throws(homeless, {
        name: 'HarnessError',
        message: /^no folder for what is kept between runs: ENOENT.*; set /,
      });
    });
  });
});
