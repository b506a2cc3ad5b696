import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { extractVmlinux, hasPvhEntry, payloadOf } from './vmlinux';

/** An ELF file of one program header, whose segment is one note. */
function elf(noteType: number): Buffer {
  const file = Buffer.alloc(64 + 56 + 20);
  file.write('\x7fELF', 'latin1');
  file.writeBigUInt64LE(64n, 32);
  file.writeUInt16LE(56, 54);
  file.writeUInt16LE(1, 56);
  file.writeUInt32LE(4, 64);
  file.writeBigUInt64LE(120n, 64 + 8);
  file.writeBigUInt64LE(20n, 64 + 32);
  [4, 4, noteType].forEach((value, index) => file.writeUInt32LE(value, 120 + index * 4));
  file.write('Xen\0', 132, 'latin1');
  return file;
}

/** A kernel image with one sector of set-up code and this payload. */
function image(payload: Buffer): Buffer {
  const head = Buffer.alloc(1024 + 16);
  head.writeUInt8(1, 0x1f1);
  head.write('HdrS', 0x202, 'latin1');
  head.writeUInt32LE(16, 0x248);
  head.writeUInt32LE(payload.length + 4, 0x24c);
  return Buffer.concat([head, payload, Buffer.alloc(4)]);
}

describe('extractVmlinux', () => {
  it('unpacks a kernel that can be entered by PVH', () => {
    assert.deepEqual(extractVmlinux(image(gzipSync(elf(18)))), elf(18));
  });

  it('leaves alone what it cannot unpack or QEMU cannot enter', () => {
    assert.equal(extractVmlinux(image(gzipSync(elf(6)))), undefined);
    assert.equal(extractVmlinux(image(Buffer.from('unknown'))), undefined);
    assert.equal(extractVmlinux(elf(18)), undefined);
  });
});

describe('payloadOf', () => {
  it('finds the payload without the size after it', () => {
    assert.equal(payloadOf(image(Buffer.from('payload')))?.toString(), 'payload');
  });
});

describe('hasPvhEntry', () => {
  it('looks for the note of the entry point', () => {
    assert.ok(hasPvhEntry(elf(18)));
    assert.ok(!hasPvhEntry(elf(17)));
    assert.ok(!hasPvhEntry(Buffer.from('no ELF')));
  });
});
