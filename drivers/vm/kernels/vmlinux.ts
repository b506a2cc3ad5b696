import { execFileSync } from 'node:child_process';
import { gunzipSync } from 'node:zlib';
import { findProgram } from '../../support/programs';

/** Bytes of the size that follows the payload of a kernel image, for the boot code to know it. */
const SIZE_BYTES = 4;

/**
 * The ELF file within a compressed kernel image. QEMU can boot it by the PVH entry point, without the seconds that an
 * emulated processor takes to unpack it.
 *
 * @returns `undefined` if this machine cannot unpack it, or it has no such entry point: boot the image itself then
 */
export function extractVmlinux(image: Buffer): Buffer | undefined {
  const payload = payloadOf(image);
  const elf = payload === undefined ? undefined : unpack(payload);
  return elf !== undefined && hasPvhEntry(elf) ? elf : undefined;
}

/** The compressed kernel in an image, by the header of the x86 boot protocol (Documentation/arch/x86/boot.rst). */
export function payloadOf(image: Buffer): Buffer | undefined {
  if (image.length < 0x250 || image.toString('latin1', 0x202, 0x206) !== 'HdrS') return undefined;
  const setupSectors = image.readUInt8(0x1f1) || 4;
  const start = (setupSectors + 1) * 512 + image.readUInt32LE(0x248);
  return image.subarray(start, start + image.readUInt32LE(0x24c) - SIZE_BYTES);
}

function unpack(payload: Buffer): Buffer | undefined {
  const magic = payload.readUInt32BE(0);
  try {
    if (magic >>> 16 === 0x1f8b) return gunzipSync(payload);
    const program = magic === 0xfd377a58 ? findProgram('xz') : magic === 0x28b52ffd ? findProgram('zstd') : undefined;
    const options = { input: payload, maxBuffer: 1 << 30, stdio: ['pipe', 'pipe', 'ignore'] } as const;
    return program === undefined
      ? undefined
      : execFileSync(program, ['-dc'], { ...options, stdio: [...options.stdio] });
  } catch {
    return undefined;
  }
}

const PT_NOTE = 4;
const XEN_ELFNOTE_PHYS32_ENTRY = 18;

/** Whether a note of Xen names the 32-bit entry point. */
export function hasPvhEntry(elf: Buffer): boolean {
  if (elf.length < 64 || elf.toString('latin1', 0, 4) !== '\x7fELF') return false;
  const [table, size, count] = [Number(elf.readBigUInt64LE(32)), elf.readUInt16LE(54), elf.readUInt16LE(56)];
  const headers = Array.from({ length: count }, (_, index) => elf.subarray(table + index * size));
  return headers
    .filter((header) => header.readUInt32LE(0) === PT_NOTE)
    .some((header) => {
      const start = Number(header.readBigUInt64LE(8));
      return hasNote(elf.subarray(start, start + Number(header.readBigUInt64LE(32))), 'Xen', XEN_ELFNOTE_PHYS32_ENTRY);
    });
}

function hasNote(notes: Buffer, owner: string, type: number): boolean {
  const aligned = (length: number): number => (length + 3) & ~3;
  for (let at = 0; at + 12 <= notes.length;) {
    const [nameSize, dataSize] = [notes.readUInt32LE(at), notes.readUInt32LE(at + 4)];
    const name = notes.toString('latin1', at + 12, at + 12 + Math.max(nameSize - 1, 0));
    if (name === owner && notes.readUInt32LE(at + 8) === type) return true;
    at += 12 + aligned(nameSize) + aligned(dataSize);
  }
  return false;
}
