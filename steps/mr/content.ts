import { endianness } from 'node:os';
import { HarnessError, type Data } from '../../drivers/contract';

/** What memory holds, and how a message shows it. */
export interface Content {
  readonly bytes: Buffer;
  readonly encoding: 'latin1' | 'hex';
}

/** What a message shows: the text, if that is one, and the bytes as hexadecimal digits otherwise. */
export function contentData({ bytes, encoding }: Content): Data {
  const text = bytes.toString('latin1');
  return encoding === 'latin1' && /^[ -~]*$/.test(text) ? text : { bytes: bytes.toString('hex') };
}

export const contentPattern = /"[^"]*"|the number (?:0x[0-9a-f]+|\d+)/;

/** Reads a text, or a number of 64 bits in the byte order of the machine, as atomics have it. */
export function contentOf(text: string): Content {
  const [, quoted, number] = /^(?:"([^"]*)"|the number (\w+))$/.exec(text) ?? [];
  if (quoted !== undefined) return { bytes: Buffer.from(quoted, 'latin1'), encoding: 'latin1' };
  if (number === undefined) throw new HarnessError(`"${text}" is no content of memory`);
  const bytes = Buffer.alloc(8);
  if (endianness() === 'LE') bytes.writeBigUInt64LE(BigInt(number));
  else bytes.writeBigUInt64BE(BigInt(number));
  return { bytes, encoding: 'hex' };
}
