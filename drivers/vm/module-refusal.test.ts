import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ModuleChoice } from './kernels/module-file';
import { moduleRefusalOf } from './module-refusal';
import { rxe } from './kernels/rdma-links';

const dutModule = { name: 'rdma_rxe', file: 'x.ko', sha256: '' };
const info = { name: 'rdma_rxe', vermagic: '6.1' };
const mine: ModuleChoice = { rdmaLink: rxe, file: { path: 'x.ko', info, image: Buffer.alloc(0), dutModule } };

const refused =
  '[    1.40] verbspec: cannot load module rdma_rxe: insmod: unknown symbol in module, or unknown parameter';
const taints = '[    1.30] rdma_rxe: loading out-of-tree module taints kernel.';
const died = '[    1.50] Kernel panic - not syncing: Fatal exception';
const bug = '[    1.41] BUG: kernel NULL pointer dereference, address: 0000000000000008';

const messageOf = (...lines: string[]): string | undefined => moduleRefusalOf(mine, '6.1', lines)?.message;

describe('what a kernel has against a module', () => {
  it('is reported by the kernel, the first symbol that it lacks', () => {
    const symbols = ['a', 'b'].map((name) => `[    1.35] rdma_rxe: Unknown symbol ${name} (err -2)`);
    assert.match(
      messageOf(taints, ...symbols, refused) ?? '',
      /^kernel 6\.1 does not load x\.ko: rdma_rxe: Unknown symbol a \(err -2\); build it/,
    );
    const version = '[    1.35] rdma_rxe: disagrees about version of symbol ib_alloc_device';
    assert.match(messageOf(version, symbols[0] ?? '', refused) ?? '', /: rdma_rxe: disagrees about version of symbol/);
  });

  it('is reported by insmod where the kernel is silent', () => {
    assert.match(messageOf(taints, refused) ?? '', /x\.ko: verbspec: cannot load module rdma_rxe: insmod: unknown/);
  });

  it('is the line of the fault, and its place, where the kernel died of it', () => {
    const place = '[    1.42] RIP: 0010:rxe_break+0x5/0x15 [rdma_rxe]';
    const expected = /^kernel 6\.1 died of x\.ko: BUG: kernel NULL .* 0000000000000008, in rxe_break\+0x5\/0x15; fix/;
    assert.match(messageOf(taints, bug, place, died) ?? '', expected);
    assert.match(messageOf(bug, place, '[ 1.43] Modules linked in: rdma_rxe(+) ib_uverbs', died) ?? '', expected);
  });

  it('is nothing where the module had not come to be loaded, or is none of the user', () => {
    assert.equal(messageOf(bug, '[    1.43] Modules linked in: virtio_pci(+)', died), undefined);
    assert.equal(messageOf('[    1.40] verbspec: cannot load module ib_core: insmod: no'), undefined);
    assert.equal(messageOf(taints), undefined);
    assert.equal(moduleRefusalOf({ rdmaLink: rxe }, '6.1', [refused]), undefined);
  });
});
