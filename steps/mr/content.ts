import { hexOf, HarnessError, type Data } from '../../drivers/contract';

/** What memory holds, and how a message shows it. */
export interface Content {
  readonly bytes: Uint8Array;
  readonly encoding: 'latin1' | 'hex' | 'pattern';
}

/** What a message shows: the text, if that is one, and the bytes as hexadecimal digits otherwise. */
export function contentData({ bytes, encoding }: Content): Data {
  const text = String.fromCharCode(...bytes);
  return encoding === 'latin1' && /^[ -~]*$/.test(text) ? text : { bytes: hexOf(bytes) };
}

export const contentPattern = /"[^"]*"|the number (?:0x[0-9a-f]+|\d+)|a pattern of \d+ bytes|\d+ zeros/;

/** Bytes of which no 256 that follow each other are like others, so that none can stand for another. */
const patternByte = (index: number): number => (index * 31 + (index >> 8) * 17 + 5) & 0xff;

function patternOf(length: number): Content {
  return { bytes: Uint8Array.from({ length }, (_, index) => patternByte(index)), encoding: 'pattern' };
}

/** The first byte of a long content that is another one, or `none`. */
export function firstDifference(expected: Uint8Array, observed: Uint8Array): Data {
  const at = expected.findIndex((byte, index) => byte !== observed[index]);
  return at < 0 ? 'none' : { byte: at, expected: expected[at] ?? null, observed: observed[at] ?? null };
}

/** Reads a text, a number of 64 bits in the byte order of the machine, as atomics have it, or a long content. */
export function contentOf(text: string): Content {
  const [, pattern, zeros] = /^(?:a pattern of (\d+) bytes|(\d+) zeros)$/.exec(text) ?? [];
  if (pattern !== undefined) return patternOf(Number(pattern));
  if (zeros !== undefined) return { bytes: new Uint8Array(Number(zeros)), encoding: 'pattern' };
  const [, quoted, number] = /^(?:"([^"]*)"|the number (\w+))$/.exec(text) ?? [];
  if (quoted !== undefined) return { bytes: Uint8Array.from(quoted, (sign) => sign.charCodeAt(0)), encoding: 'latin1' };
  if (number === undefined) throw new HarnessError(`"${text}" is not a known content of memory`);
  return { bytes: new Uint8Array(BigUint64Array.of(BigInt(number)).buffer), encoding: 'hex' };
}
