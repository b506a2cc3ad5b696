import { isIPv4, isIPv6 } from 'node:net';

/** Bytes of an address: 16 of a GID or an IPv6 address, 8 of a GUID, 6 of a MAC address, 4 of an IPv4 address. */
export type Bytes = readonly number[];

/** One identity for all spellings of an address. */
export function hexOf(bytes: Bytes): string {
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The bytes that hexadecimal digits say, whatever is between them. */
export function bytesOfHex(text: string): Bytes {
  const digits = text.replace(/^0x/i, '').replace(/[^0-9a-f]/gi, '');
  return (digits.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
}

/** Bytes of an IPv6 address in any of its spellings; `undefined` if it is none. */
export function bytesOfIpv6(text: string): Bytes | undefined {
  if (!isIPv6(text)) return undefined;
  const [before = '', after] = text.split('::');
  const head = wordsOf(before);
  const tail = after === undefined ? [] : wordsOf(after);
  const gap = Array<number>(after === undefined ? 0 : 8 - head.length - tail.length).fill(0);
  return [...head, ...gap, ...tail].flatMap((word) => [word >> 8, word & 0xff]);
}

/** 16-bit words of a part of an IPv6 address; an IPv4 address at its end makes two. */
function wordsOf(part: string): number[] {
  return part
    .split(':')
    .filter((group) => group !== '')
    .flatMap((group) => {
      const [a = 0, b = 0, c = 0, d = 0] = isIPv4(group) ? bytesOfIpv4(group) : [];
      return isIPv4(group) ? [(a << 8) | b, (c << 8) | d] : [Number.parseInt(group, 16)];
    });
}

export function bytesOfIpv4(text: string): Bytes {
  return text.split('.').map(Number);
}

/** Addresses that are the same everywhere tell nothing: unspecified ones, and those of a machine to itself. */
export function tellsNothing(bytes: Bytes): boolean {
  if (bytes.every((byte) => byte === 0) || bytes.every((byte) => byte === 0xff)) return true;
  if (bytes.length === 4) return bytes[0] === 127;
  return bytes.length === 16 && bytes.slice(0, 15).every((byte) => byte === 0) && bytes[15] === 1;
}

const universalBit = 2;

/** The MAC addresses that a GUID may have been made of: with two bytes more in its middle, and mostly with a bit turned. */
export function macsOfGuid(guid: Bytes): Bytes[] {
  if (guid.length !== 8) return [];
  const [first = 0, ...others] = [...guid.slice(0, 3), ...guid.slice(5)];
  return [
    [first, ...others],
    [first ^ universalBit, ...others],
  ];
}

/** The IPv4 address within a GID of RoCE. */
export function ipv4OfGid(gid: Bytes): Bytes | undefined {
  const isMapped = gid.slice(0, 10).every((byte) => byte === 0) && gid[10] === 0xff && gid[11] === 0xff;
  return isMapped ? gid.slice(12) : undefined;
}

/** Whether a GID ends in a GUID that was made of a MAC address. */
export function hasGuid(gid: Bytes): boolean {
  return gid[11] === 0xff && gid[12] === 0xfe;
}
