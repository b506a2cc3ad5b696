import type { Segment } from './packet';

/** How many packets carry so many bytes; also nothing takes one. */
export function packetsFor(bytes: number, mtu: number): number {
  return Math.max(1, Math.ceil(bytes / mtu));
}

/** The bytes of the packet with that index. */
export function packetAt(bytes: Uint8Array, mtu: number, index: number): Uint8Array {
  return bytes.subarray(index * mtu, (index + 1) * mtu);
}

export function segmentAt(index: number, packets: number): Segment {
  if (packets === 1) return 'only';
  if (index === 0) return 'first';
  return index === packets - 1 ? 'last' : 'middle';
}

export const beginsMessage = (segment: Segment): boolean => segment === 'first' || segment === 'only';

export const endsMessage = (segment: Segment): boolean => segment === 'last' || segment === 'only';

/** Puts bytes together that lie apart. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return bytes;
}

/** Spreads bytes over several places in turn, as far as these go. */
export function spread(bytes: Uint8Array, places: readonly Uint8Array[]): void {
  let rest = bytes;
  for (const place of places) {
    place.set(rest.subarray(0, place.length));
    rest = rest.subarray(place.length);
  }
}
