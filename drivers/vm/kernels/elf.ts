/** Relocatable ELF files for x86-64, as kernel modules are. */
const elfMagic = 0x7f454c46;
const relocatable = 1;
const x8664 = 62;
/** Bytes of a section header, of a symbol, and of a relocation with its addend. */
const sizes = { header: 64, symbol: 24, relocation: 24 } as const;

/** Something with a name in a section. */
export interface ElfSymbol {
  readonly name: string;
  /** Index of its section. */
  readonly section: number;
  /** Where it is in its section. */
  readonly value: number;
}

/** A place in a section that depends on where a symbol will be. */
export interface ElfRelocation {
  /** Where it is in its section. */
  readonly at: number;
  /** Of the symbol. */
  readonly name: string;
  /** How the place depends on it, as the ABI of x86-64 counts. */
  readonly type: number;
}

/** The content of a section, or `undefined` if the file is not a relocatable ELF file, is cut off, or has none. */
export function sectionOf(image: Buffer, name: string): Buffer | undefined {
  return withinFile(() => {
    const header = headersOf(image).find((candidate) => candidate.name === name);
    return header === undefined ? undefined : contentOf(image, header.bytes);
  });
}

/** The index of a section, by which symbols name theirs. */
export function sectionIndex(image: Buffer, name: string): number | undefined {
  return withinFile(() => headersOf(image).findIndex((header) => header.name === name));
}

/** All symbols, in the order by which relocations name them. */
export function symbolsOf(image: Buffer): readonly ElfSymbol[] {
  const [table, names] = ['.symtab', '.strtab'].map((name) => sectionOf(image, name));
  if (table === undefined || names === undefined) return [];
  return recordsOf(table, sizes.symbol).map((record) => ({
    name: textAt(names, record.readUInt32LE(0)),
    section: record.readUInt16LE(6),
    value: Number(record.readBigUInt64LE(8)),
  }));
}

/** The relocations of a section. */
export function relocationsOf(image: Buffer, section: string): readonly ElfRelocation[] {
  const symbols = symbolsOf(image);
  return recordsOf(sectionOf(image, `.rela${section}`) ?? Buffer.alloc(0), sizes.relocation).map((record) => ({
    at: Number(record.readBigUInt64LE(0)),
    name: symbols[record.readUInt32LE(12)]?.name ?? '',
    type: record.readUInt32LE(8),
  }));
}

/** What lies past the end of the file is not there. */
function withinFile<Found>(find: () => Found): Found | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

interface Header {
  readonly name: string;
  readonly bytes: Buffer;
}

function headersOf(image: Buffer): readonly Header[] {
  const isModule =
    image.readUInt32BE(0) === elfMagic && image.readUInt16LE(16) === relocatable && image.readUInt16LE(18) === x8664;
  if (!isModule) return [];
  const table = Number(image.readBigUInt64LE(0x28));
  const headers = Array.from({ length: image.readUInt16LE(0x3c) }, (_, index) =>
    image.subarray(table + index * sizes.header),
  );
  const names = contentOf(image, headers[image.readUInt16LE(0x3e)] ?? Buffer.alloc(0));
  return headers.map((bytes) => ({ name: textAt(names, bytes.readUInt32LE(0)), bytes }));
}

function contentOf(image: Buffer, header: Buffer): Buffer {
  const start = Number(header.readBigUInt64LE(0x18));
  return image.subarray(start, start + Number(header.readBigUInt64LE(0x20)));
}

function recordsOf(table: Buffer, size: number): readonly Buffer[] {
  return Array.from({ length: Math.floor(table.length / size) }, (_, index) =>
    table.subarray(index * size, (index + 1) * size),
  );
}

function textAt(strings: Buffer, offset: number): string {
  return strings.toString('latin1', offset, strings.indexOf(0, offset));
}
