import { isIPv4, isIPv6 } from 'node:net';

/** Bytes of an address: 16 of a GID or an IPv6 address, 8 of a GUID, 6 of a MAC address, 4 of an IPv4 address. */
export type Bytes = readonly number[];

/** One identity for all spellings of an address. */
export function hexOfBytes(bytes: Bytes): string {
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The bytes that hexadecimal digits say, whatever is between them. */
export function bytesOfHex(text: string): Bytes {
  const digits = text.replace(/^0x/i, '').replace(/[^0-9a-f]/gi, '');
  return (digits.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
}

/** The bytes that groups of hexadecimal digits say, each of which may lack leading zeros: `2c9:300:a1b2:c3`, `0:2:c9:3`. */
export function bytesOfGroups(text: string, digitsPerGroup: 2 | 4 | 16): Bytes {
  const groups = text.replace(/0x/gi, '').split(/[^0-9a-f]+/i);
  return bytesOfHex(groups.map((group) => group.padStart(digitsPerGroup, '0')).join(''));
}

/** The bytes of a GUID, which may be spelled as a number without leading zeros; not 8 if it is none. */
export function bytesOfGuid(text: string): Bytes {
  if (/^(?:0x)?[0-9a-f]{1,16}$/i.test(text)) return bytesOfGroups(text, 16);
  return /^[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){3}$/i.test(text) ? bytesOfGroups(text, 4) : bytesOfHex(text);
}

/** Bytes of an IPv6 address in any of its spellings; `undefined` if it is none. */
export function bytesOfIpv6(text: string): Bytes | undefined {
  if (!isIPv6(text)) return undefined;
  const [before = '', after] = text.replace(/%.*/, '').split('::');
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

const linkLocalPrefix = 'fe80000000000000';

/** Addresses that are the same everywhere identify nothing: unspecified ones, those of a machine to itself, and fe80::/64. */
export function tellsNothing(bytes: Bytes): boolean {
  if (bytes.every((byte) => byte === 0) || bytes.every((byte) => byte === 0xff)) return true;
  if (bytes.length === 4) return bytes[0] === 127;
  if (bytes.length === 8) return hexOfBytes(bytes) === linkLocalPrefix;
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
  const isMapped = gid.length === 16 && gid.slice(0, 10).every((byte) => byte === 0);
  return isMapped ? ipv4OfTail(gid.slice(8)) : undefined;
}

/** The IPv4 address in the last eight bytes of such a GID, as logs show them alone. */
export function ipv4OfTail(tail: Bytes): Bytes | undefined {
  return hexOfBytes(tail.slice(0, 4)) === '0000ffff' ? tail.slice(4) : undefined;
}

/** Whether a GID ends in a GUID that was made of a MAC address. */
export function hasGuid(gid: Bytes): boolean {
  return gid[11] === 0xff && gid[12] === 0xfe;
}
