import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { UsageError } from '../../contract';
import { loadedFiles, mixtureOf } from '../host/loaded-rdma-core';
import { RdmaCore } from './rdma-core';

const debian = 'usr/lib/x86_64-linux-gnu';
const packages = [`${debian}/libibverbs.so.1`, `${debian}/libibverbs/librxe-rdmav34.so`, 'etc/libibverbs.d/rxe.driver'];
const buildTree = ['lib/libibverbs.so.1', 'lib/librxe-rdmav65.so', 'etc/libibverbs.d/rxe.driver'];

describe('an rdma-core that is not installed', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'verbspec-rdma-core-')));
  let folders = 0;

  after(() => {
    rmSync(root, { recursive: true });
  });

  /** A folder with empty files. */
  function tree(...files: readonly string[]): string {
    const folder = join(root, String(++folders));
    mkdirSync(folder);
    for (const file of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), '');
    }
    return folder;
  }

  function refusalOf(folder: string, provider?: string): string {
    try {
      new RdmaCore(folder, provider);
    } catch (error) {
      if (error instanceof UsageError) return error.message;
      throw error;
    }
    return assert.fail('the folder was taken');
  }

  it('is found in unpacked packages', () => {
    const folder = tree(...packages);
    const core = new RdmaCore(folder, 'rxe');
    assert.equal(core.libraryFolders[0], join(folder, debian));
    assert.deepEqual(core.providers, [join(folder, debian, 'libibverbs/librxe')]);
  });

  it('is found in a build tree, where providers lie beside libibverbs', () => {
    const folder = tree(...buildTree);
    const core = new RdmaCore(folder, 'rxe');
    assert.equal(core.libraryFolders[0], join(folder, 'lib'));
    assert.deepEqual(core.providers, [join(folder, 'lib/librxe')]);
  });

  it('is distinguished from a folder that lacks something', () => {
    assert.match(refusalOf(join(root, 'nowhere')), /^there is no folder .*nowhere; .*--rdma-core$/);
    assert.match(refusalOf(tree('usr/lib/other.so')), /holds no libibverbs\.so\.1; it was looked for in .*lib$/);
    assert.match(
      refusalOf(tree(`${debian}/libibverbs.so.1`)),
      /holds no lib\*-rdmav\*\.so; .*x86_64-linux-gnu\/libibv/,
    );
    assert.match(refusalOf(tree(...packages), 'mlx5'), /holds no libmlx5-rdmav\*\.so/);
  });

  it('may not have a separator of paths in its own', () => {
    const folder = join(root, 'a:b');
    mkdirSync(folder);
    assert.match(refusalOf(folder), /has a colon or semicolon; rename it$/);
  });

  it('is where a program finds libraries and providers', () => {
    const folder = tree(...buildTree);
    assert.deepEqual(new RdmaCore(folder).around(['/node', 'host.js'], false), [
      '/usr/bin/env',
      `RDMAV_DRIVERS=${folder}/lib/librxe`,
      `LD_LIBRARY_PATH=${folder}/lib`,
      '/node',
      'host.js',
    ]);
  });

  it('has programs run by the loader of its own C library', () => {
    const folder = tree(...packages, `${debian}/ld-linux-x86-64.so.2`, `${debian}/libc.so.6`);
    const libraryPath = `${folder}/${debian}:${folder}/usr/lib`;
    assert.deepEqual(new RdmaCore(folder).around(['/node'], false).slice(2), [
      `${folder}/${debian}/ld-linux-x86-64.so.2`,
      '--library-path',
      libraryPath,
      '/node',
    ]);
  });

  it('is named without links, as loaded files are', () => {
    const folder = tree(...packages);
    const link = join(root, 'link');
    symlinkSync(folder, link);
    assert.equal(new RdmaCore(link).folder, folder);
  });

  it('is whole if libibverbs and provider lie in it, and nothing of another is loaded', () => {
    const folder = tree(...packages);
    const other = tree(...packages, `${debian}/libnl-3.so.200`);
    const core = new RdmaCore(folder);
    const [library, provider] = packages.slice(0, 2).map((path) => join(folder, path)) as [string, string];
    const [otherLibrary, otherProvider, , otherNl] = [...packages, `${debian}/libnl-3.so.200`].map((path) =>
      join(other, path),
    ) as [string, string, string, string];
    assert.equal(
      mixtureOf(core, { library, provider, files: [library, provider, otherNl, '/usr/bin/node'] }),
      undefined,
    );
    const mixed = mixtureOf(core, { library, provider: otherProvider, files: [library, otherProvider] });
    for (const path of [library, otherProvider, folder]) assert.ok(mixed?.includes(path), mixed);
    assert.match(mixtureOf(core, { library: otherLibrary, provider, files: [] }) ?? '', /^the host runs on/);
    assert.match(mixtureOf(core, { library, provider: null, files: [] }) ?? '', /provider of no known file/);
    const newer = join(dirname(otherProvider), 'librxe-rdmav65.so');
    writeFileSync(newer, '');
    const beside = mixtureOf(core, { library, provider, files: [library, provider, newer] });
    assert.ok(beside?.endsWith(`and has loaded ${newer} instead of ${folder} alone`), beside);
  });
});

describe('the files of a process', () => {
  it('are read once each from its mappings', () => {
    const maps = [
      '7f00-7f01 r--p 00000000 fe:00 12 /usr/lib/libibverbs.so.1.14.44.0',
      '7f01-7f02 r-xp 00001000 fe:00 12 /usr/lib/libibverbs.so.1.14.44.0',
      '7f02-7f03 rw-p 00000000 00:00 0 ',
      '7f03-7f04 rw-p 00000000 00:00 0 [heap]',
      '7f04-7f05 r-xp 00000000 00:1a 7 /home/a b/librxe-rdmav34.so',
    ].join('\n');
    assert.deepEqual(loadedFiles(maps), ['/usr/lib/libibverbs.so.1.14.44.0', '/home/a b/librxe-rdmav34.so']);
  });
});
