import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { HarnessError } from '../../contract';
import { loadOrder, moduleDependencies, moduleName, ModuleTree } from './modules';

const moduleImage = (depends: string): Buffer =>
  Buffer.from(`\x7fELF…license=GPL\0depends=${depends}\0name=x\0`, 'latin1');

describe('moduleName', () => {
  it('is the name that the kernel uses', () => {
    assert.equal(moduleName('kernel/arch/x86/crypto/crc32-pclmul.ko.xz'), 'crc32_pclmul');
    assert.equal(moduleName('9p.ko'), '9p');
    assert.equal(moduleName('kernel/net/9p/9pnet_virtio.ko.zst'), '9pnet_virtio');
  });
});

describe('moduleDependencies', () => {
  it('reads the list of .modinfo', () => {
    assert.deepEqual(moduleDependencies(moduleImage('ib_core,udp-tunnel')), ['ib_core', 'udp_tunnel']);
    assert.deepEqual(moduleDependencies(moduleImage('')), []);
  });

  it('is not misled by other strings', () => {
    assert.deepEqual(moduleDependencies(Buffer.from('\0softdepends=a\0description=depends=b\0')), []);
  });
});

describe('loadOrder', () => {
  const tree: Record<string, string[]> = { rxe: ['uverbs', 'tunnel'], uverbs: ['core'], tunnel: [], core: [] };

  it('puts each module after what it depends on, once', () => {
    const order = loadOrder([{ name: 'uverbs' }, { name: 'rxe' }], (name) => tree[name]);
    assert.deepEqual(order, ['core', 'uverbs', 'tunnel', 'rxe']);
  });

  it('leaves out what is not to be loaded', () => {
    assert.deepEqual(
      loadOrder([{ name: 'builtin' }, { name: 'core' }], (name) => tree[name]),
      ['core'],
    );
  });
});

describe('ModuleTree', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'verbspec-modules-'));
    mkdirSync(join(folder, 'kernel/net'), { recursive: true });
    mkdirSync(join(folder, 'updates'));
    writeFileSync(join(folder, 'modules.builtin'), 'kernel/drivers/virtio/virtio.ko\n');
    writeFileSync(join(folder, 'kernel/net/rxe.ko.gz'), gzipSync(moduleImage('ib-core,virtio')));
    writeFileSync(join(folder, 'kernel/ib_core.ko'), moduleImage('old'));
    writeFileSync(join(folder, 'updates/ib_core.ko'), moduleImage(''));
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  it('reads modules and their dependencies, unpacked, without what is built in', () => {
    const images = new ModuleTree(folder).closure([{ name: 'rxe' }]);
    assert.deepEqual(
      images.map(({ name }) => name),
      ['ib_core', 'rxe'],
    );
    assert.deepEqual(images[1]?.image, moduleImage('ib-core,virtio'));
  });

  it('puts the module of the user in place of a namesake, with what that depends on', () => {
    const mine = moduleImage('extra');
    writeFileSync(join(folder, 'kernel/extra.ko'), moduleImage(''));
    const images = new ModuleTree(folder, new Map([['rxe', mine]])).closure([{ name: 'rxe' }]);
    assert.deepEqual(
      images.map(({ name }) => name),
      ['extra', 'rxe'],
    );
    assert.deepEqual(images[1]?.image, mine);
  });

  it('puts the module of the user in place of a built-in one', () => {
    const images = new ModuleTree(folder, new Map([['virtio', moduleImage('')]])).closure([{ name: 'virtio' }]);
    assert.equal(images.length, 1);
  });

  it('keeps what its choice of modules was made without', () => {
    const names = ['rxe', 'virtio', 'siw', 'crc', 'crc'];
    assert.deepEqual(new ModuleTree(folder).unsought(names), ['siw', 'crc']);
    writeFileSync(join(folder, 'verbspec.sought'), 'rxe\nsiw\n');
    assert.deepEqual(new ModuleTree(folder).unsought(names), ['crc']);
  });

  it('does without optional modules, not without others', () => {
    const tree = new ModuleTree(folder);
    assert.deepEqual(tree.closure([{ name: 'pvpanic', optional: true }]), []);
    assert.throws(() => tree.closure([{ name: 'pvpanic' }]), HarnessError);
  });
});
