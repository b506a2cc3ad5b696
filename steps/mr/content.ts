import { hexOf, HarnessError, type Data } from '../../drivers/contract';

/** What memory holds, and how a message shows it. */
export interface Content {
  readonly bytes: Uint8Array;
  readonly encoding: 'latin1' | 'hex';
}

/** What a message shows: the text, if that is one, and the bytes as hexadecimal digits otherwise. */
export function contentData({ bytes, encoding }: Content): Data {
  const text = String.fromCharCode(...bytes);
  return encoding === 'latin1' && /^[ -~]*$/.test(text) ? text : { bytes: hexOf(bytes) };
}

export const contentPattern = /"[^"]*"|the number (?:0x[0-9a-f]+|\d+)/;

/** Reads a text, or a number of 64 bits in the byte order of the machine, as atomics have it. */
export function contentOf(text: string): Content {
  const [, quoted, number] = /^(?:"([^"]*)"|the number (\w+))$/.exec(text) ?? [];
  if (quoted !== undefined) return { bytes: Uint8Array.from(quoted, (sign) => sign.charCodeAt(0)), encoding: 'latin1' };
  if (number === undefined) throw new HarnessError(`"${text}" is not a known content of memory`);
  return { bytes: new Uint8Array(BigUint64Array.of(BigInt(number)).buffer), encoding: 'hex' };
}
