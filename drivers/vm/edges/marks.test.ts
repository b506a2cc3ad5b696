import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { moduleImage, type PlantedSection } from '../../soft-roce/fixtures/module-image';
import { marksOf } from './marks';

const marker = '__sanitizer_cov_trace_pc';
const types = { branch: 4, address: 11 } as const;

interface Use {
  /** Where the address of the symbol is in the code. */
  readonly at: number;
  readonly opcode?: number;
  readonly symbol?: string;
  readonly type?: number;
}

/** A module of 64 bytes of code, in which the marker is at 16. */
function imageWith(uses: readonly Use[], markerIn = 1): Buffer {
  const code = Buffer.alloc(64, 0x90);
  const names = Buffer.from(`\0printk\0${marker}\0`);
  const symbols = [symbol(0, 0, 0), symbol(1, 0, 0), symbol(8, markerIn, 16)];
  const relocations = uses.map(({ at, opcode = 0xe8, symbol: name = marker, type = types.branch }) => {
    code[at - 1] = opcode;
    return relocation(at, name === marker ? 2 : 1, type);
  });
  const sections: PlantedSection[] = [
    { name: '.text', content: code },
    { name: '.rela.text', content: Buffer.concat(relocations) },
    { name: '.symtab', content: Buffer.concat(symbols) },
    { name: '.strtab', content: names },
  ];
  return moduleImage({ name: 'rdma_rxe' }, sections);
}

function symbol(name: number, section: number, value: number): Buffer {
  const bytes = Buffer.alloc(24);
  bytes.writeUInt32LE(name, 0);
  bytes.writeUInt16LE(section, 6);
  bytes.writeBigUInt64LE(BigInt(value), 8);
  return bytes;
}

function relocation(at: number, index: number, type: number): Buffer {
  const bytes = Buffer.alloc(24);
  bytes.writeBigUInt64LE(BigInt(at), 0);
  bytes.writeUInt32LE(type, 8);
  bytes.writeUInt32LE(index, 12);
  return bytes;
}

describe('the marks of a module', () => {
  it('are known by where each call returns, counted from the marker', () => {
    const image = imageWith([{ at: 50 }, { at: 33 }, { at: 41, symbol: 'printk' }, { at: 20, type: types.address }]);
    assert.deepEqual(marksOf(image, 1000), [
      { at: 33 + 4 - 16, call: 32 },
      { at: 50 + 4 - 16, call: 49 },
    ]);
  });

  it('cannot be a jump, which returns elsewhere', () => {
    assert.throws(() => marksOf(imageWith([{ at: 33, opcode: 0xe9 }]), 1000), /at 33 the code jumps/);
  });

  it('lie within the map', () => {
    assert.throws(() => marksOf(imageWith([{ at: 33 }]), 21), /a block at 32 is out of the 21 bytes of the map/);
    assert.throws(() => marksOf(imageWith([{ at: 8 }]), 1000), /a block at 7 is out/);
  });

  it('want the marker in the same section', () => {
    assert.throws(() => marksOf(imageWith([{ at: 33 }], 2), 1000), /the module has no __sanitizer_cov_trace_pc/);
    assert.throws(() => marksOf(Buffer.from('no module'), 1000), /the module has no/);
  });
});
