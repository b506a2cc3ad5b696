import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { buildIdOf, modulesOf } from './kernel-modules';
import { distributionOf } from './os-release';
import { Sysfs } from './sysfs';
import { taintOf } from './taint';

const folders: string[] = [];

after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A file system with these files, and with links to what a text that begins with `->` names. */
function treeOf(files: Readonly<Record<string, string | Buffer>>): Sysfs {
  const root = mkdtempSync(join(tmpdir(), 'verbspec-sysfs-'));
  folders.push(root);
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    if (typeof content === 'string' && content.startsWith('->')) symlinkSync(content.slice(2), file);
    else writeFileSync(file, content);
  }
  return new Sysfs(root);
}

const note = Buffer.from('040000001400000003000000474e550054554447e4ffb409079bcf192d73059d4fd66b81', 'hex');
const buildId = '54554447e4ffb409079bcf192d73059d4fd66b81';

describe('the kernel modules of a device', () => {
  it('are that of a card and that which makes an RDMA device of it', () => {
    const sysfs = treeOf({
      'sys/class/infiniband/mlx5_0/device/driver/module': '->../../../../../module/mlx5_core',
      'sys/module/mlx5_core/version': '24.10\n',
      'sys/module/mlx5_core/srcversion': '0123456789ABCDEF0123456\n',
      'sys/module/mlx5_core/parameters/prof_sel': '2\n',
      'sys/module/mlx5_core/notes/.note.gnu.build-id': note,
      'sys/module/mlx5_core/holders/mlx5_ib': '',
      'sys/module/mlx5_core/holders/mlx5_vdpa': '',
      'sys/module/mlx5_ib/refcnt': '0\n',
      'sys/module/mlx5_vdpa/refcnt': '0\n',
      'sys/module/ib_uverbs/holders/mlx5_ib': '',
      'sys/module/ib_uverbs/holders/rdma_ucm': '',
    });
    assert.deepEqual(modulesOf(sysfs, 'mlx5_0', 'mlx5'), [
      {
        name: 'mlx5_core',
        version: '24.10',
        srcversion: '0123456789ABCDEF0123456',
        buildId,
        parameters: { prof_sel: '2' },
      },
      { name: 'mlx5_ib', parameters: {} },
    ]);
  });

  it('are its own where it is made of software, not that of the card below', () => {
    const sysfs = treeOf({
      'sys/class/infiniband/rxe0/device/driver/module': '->../../../../../module/e1000e',
      'sys/module/e1000e/refcnt': '0\n',
      'sys/module/rdma_rxe/refcnt': '0\n',
    });
    assert.deepEqual(modulesOf(sysfs, 'rxe0', 'rxe'), [{ name: 'rdma_rxe', parameters: {} }]);
  });

  it('are none where the kernel reports none', () => {
    assert.deepEqual(modulesOf(treeOf({}), 'ib0', 'mlx5'), []);
    assert.deepEqual(modulesOf(treeOf({}), 'rxe0', 'rxe'), []);
  });

  it('have no build id where the note is cut short', () => {
    for (let length = 0; length < note.length; length++) assert.equal(buildIdOf(note.subarray(0, length)), undefined);
    assert.equal(buildIdOf(note), buildId);
  });
});

describe('the taint of a kernel', () => {
  it('is given in number and words', () => {
    assert.deepEqual(taintOf('0'), { mask: 0, reasons: [] });
    assert.deepEqual(taintOf('12800'), {
      mask: 12800,
      reasons: ['kernel warning (W)', 'out-of-tree module (O)', 'unsigned module (E)'],
    });
    assert.deepEqual(taintOf(String(2 ** 31))?.reasons, ['bit 31']);
  });

  it('is not made up', () => {
    for (const text of ['', 'no', '-1', '1e99', '9'.repeat(30)]) assert.equal(taintOf(text), undefined);
  });
});

describe('the distribution', () => {
  it('is what os-release calls itself', () => {
    assert.equal(distributionOf(treeOf({ 'etc/os-release': 'ID=x\nPRETTY_NAME="A \\"B\\" 1"\nZ=1\n' })), 'A "B" 1');
    assert.equal(distributionOf(treeOf({ 'usr/lib/os-release': "PRETTY_NAME='Some Linux'\n" })), 'Some Linux');
    assert.equal(distributionOf(treeOf({ 'usr/lib/os-release': 'PRETTY_NAME=Plain\n' })), 'Plain');
  });

  it('is empty where there is none', () => {
    assert.equal(distributionOf(treeOf({})), '');
    assert.equal(distributionOf(treeOf({ 'etc/os-release': 'ID=x\n' })), '');
  });
});

describe('a port in sysfs', () => {
  it('has the type and the interface of a GID', () => {
    const attrs = 'sys/class/infiniband/mlx5_0/ports/2/gid_attrs';
    const sysfs = treeOf({ [`${attrs}/types/3`]: 'RoCE v2\n', [`${attrs}/ndevs/3`]: 'eth0\n' });
    assert.deepEqual([sysfs.gidTypeOf('mlx5_0', 2, 3), sysfs.netdevOf('mlx5_0', 2, 3)], ['RoCE v2', 'eth0']);
    assert.deepEqual([sysfs.gidTypeOf('mlx5_0', 2, 4), sysfs.netdevOf('mlx5_0', 1, 3)], ['', '']);
  });
});
