/** What a kernel module says of itself. */
export interface ModuleInfo {
  readonly name: string;
  /** Release and configuration of the kernel that it is built for. */
  readonly vermagic: string;
}

const elfMagic = 0x7f454c46;
const relocatable = 1;
const x8664 = 62;
/** Bytes of a section header. */
const headerSize = 64;

/** Reads the section .modinfo of a module. @returns `undefined` if it is not a module for x86-64 */
export function moduleInfo(image: Buffer): ModuleInfo | undefined {
  const entries = new Map(
    (sectionOf(image, '.modinfo')?.toString('latin1') ?? '').split('\0').flatMap((entry) => {
      const at = entry.indexOf('=');
      return at < 0 ? [] : [[entry.slice(0, at), entry.slice(at + 1).trim()]];
    }),
  );
  const name = entries.get('name');
  return name === undefined ? undefined : { name, vermagic: entries.get('vermagic') ?? '' };
}

/** The content of a section, or `undefined` if the file is not a relocatable ELF file, is cut off, or has none. */
function sectionOf(image: Buffer, name: string): Buffer | undefined {
  try {
    const isModule =
      image.readUInt32BE(0) === elfMagic && image.readUInt16LE(16) === relocatable && image.readUInt16LE(18) === x8664;
    if (!isModule) return undefined;
    const table = Number(image.readBigUInt64LE(0x28));
    const headers = Array.from({ length: image.readUInt16LE(0x3c) }, (_, index) =>
      image.subarray(table + index * headerSize),
    );
    const names = contentOf(image, headers[image.readUInt16LE(0x3e)] ?? Buffer.alloc(0));
    const header = headers.find((candidate) => textAt(names, candidate.readUInt32LE(0)) === name);
    return header === undefined ? undefined : contentOf(image, header);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function contentOf(image: Buffer, header: Buffer): Buffer {
  const start = Number(header.readBigUInt64LE(0x18));
  return image.subarray(start, start + Number(header.readBigUInt64LE(0x20)));
}

function textAt(strings: Buffer, offset: number): string {
  return strings.toString('latin1', offset, strings.indexOf(0, offset));
}
