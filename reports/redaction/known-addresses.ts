import {
  bytesOfGroups,
  bytesOfIpv4,
  hasGuid,
  hexOfBytes,
  ipv4OfGid,
  macsOfGuid,
  tellsNothing,
  type Bytes,
} from './addresses';
import type { PseudonymKind } from './pseudonyms';

/** An address that was seen. */
export interface Known {
  readonly kind: PseudonymKind;
  readonly bytes: Bytes;
  /** Whether somebody said that it is an address; what only looked like one could be a version. */
  readonly isSure: boolean;
}

/** A byte that differs from zero is worth 8 bits; with fewer, other numbers look like the address. */
const tellingBytesMin = 4;
/** An IPv4 address as a number, which a key could be too. */
const tellingBytesOfWordMin = 3;

const gidDigits = 32;
const guidDigits = 16;
const macDigits = 12;
const byteLengths = [16, 8, 6, 4];

/** What may be bytes of an address: digits with little between them. */
const stretch = /(?:0x)?[0-9a-f](?:0x|%3a|%20|&#58;|\\u003a|[0-9a-f:._,\s-]){10,}/gi;
/** A part of a stretch: a prefix or separator, or digits. */
const pieces = /%3a|%20|&#58;|\\u003a|0x(?=[0-9a-f])|[:._,\s-]+|[0-9a-f]/gi;
/** Longer than `, ` and the `0x` after it, what is between two digits divides two things. */
const separatorMax = 6;

const shortNumber = /(?<![0-9a-z])(?:0x)?[0-9a-f]{9,15}(?![0-9a-z])/gi;
const shortGroups = /(?<![0-9a-f:.])[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){3}(?!:?[0-9a-f])/gi;
const shortPairs = /(?<![0-9a-f:-])[0-9a-f]{1,2}(?:[:-][0-9a-f]{1,2}){5}(?![:-]?[0-9a-f])/gi;
const word = /(?<![0-9a-z])0x[0-9a-f]{7,8}(?![0-9a-z])/gi;
const dottedQuad = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?!\d|\.\d)/g;
const fourPairs = /(?<![0-9a-f])[0-9a-f]{2}(?:[ :][0-9a-f]{2}){3}(?![0-9a-f])/gi;

/** The addresses that were learned, which are found in any spelling, also where nothing else shows that it is one. */
export class KnownAddresses {
  readonly #all = new Map<string, Known>();

  /** Takes note of an address, and of those that are within it. */
  note(kind: PseudonymKind, bytes: Bytes, isSure: boolean): void {
    const before = this.of(bytes);
    if (tellsNothing(bytes) || before?.isSure === true || (before !== undefined && !isSure)) return;
    this.#all.set(hexOfBytes(bytes), { kind: before?.kind ?? kind, bytes, isSure });
    if (bytes.length === 8) for (const mac of macsOfGuid(bytes)) this.note('mac', mac, isSure);
    if (bytes.length === 20) this.note('gid', bytes.slice(4), isSure); // a hardware address of IPoIB ends in a GID
    if (bytes.length !== 16) return;
    const address = ipv4OfGid(bytes);
    if (address !== undefined) this.note('ip', address, isSure);
    if (hasGuid(bytes)) this.note('guid', bytes.slice(8), isSure);
  }

  of(bytes: Bytes): Known | undefined {
    return this.#all.get(hexOfBytes(bytes));
  }

  /** A text in which each known address is replaced, however it is spelled. */
  replaceIn(text: string, name: (known: Known) => string): string {
    if (this.#all.size === 0) return text;
    const named = (found: string, bytes: Bytes, tellingMin = tellingBytesMin): string => {
      const known = this.of(bytes);
      return known !== undefined && isTelling(bytes, tellingMin) ? name(known) : found;
    };
    return text
      .replace(stretch, (found) => this.#replaceInStretch(found, name))
      .replace(shortGroups, (found) => firstOther(found, [bytesOfGroups(found, 4), bytesOfCutNumber(found)], named))
      .replace(shortPairs, (found) => named(found, bytesOfGroups(found, 2)))
      .replace(shortNumber, (found) => named(found, bytesOfGroups(found, 16)))
      .replace(dottedQuad, (found) =>
        this.of(bytesOfIpv4(found))?.isSure ? named(found, bytesOfIpv4(found), 0) : found,
      )
      .replace(fourPairs, (found) => named(found, bytesOfGroups(found, 2), 0))
      .replace(word, (found) => {
        const bytes = bytesOfGroups(found, 16).slice(4);
        const either = named(found, bytes, tellingBytesOfWordMin); // the kernel may print it in its own byte order
        return either === found ? named(found, [...bytes].reverse(), tellingBytesOfWordMin) : either;
      });
  }

  /** Memory as hexadecimal digits, two per byte, in which known addresses lie at whole bytes. */
  replaceInMemory(hex: string, name: (known: Known) => string): string {
    const out: string[] = [];
    for (let at = 0; at < hex.length;) {
      const found = this.#at(hex.toLowerCase(), at);
      out.push(found === undefined ? hex.slice(at, at + 2) : `<${name(found)}>`);
      at += found === undefined ? 2 : found.bytes.length * 2;
    }
    return out.join('');
  }

  #at(hex: string, at: number): Known | undefined {
    const lengths = byteLengths.map((bytes) => this.#all.get(hex.slice(at, at + bytes * 2)));
    return lengths.find((known) => known !== undefined);
  }

  #replaceInStretch(text: string, name: (known: Known) => string): string {
    const { digits, places } = digitsOf(text);
    const out: string[] = [];
    let done = 0;
    for (let at = 0; at + macDigits <= digits.length;) {
      const [known, length] = this.#spelledAt(digits, at);
      if (known !== undefined) {
        out.push(text.slice(done, places[at]).replace(/0x$/i, ''), name(known));
        done = (places[at + length - 1] ?? 0) + 1;
      }
      at += length;
    }
    return [...out, text.slice(done)].join('');
  }

  /** The address that is spelled there, if any, and how many digits to go on by. */
  #spelledAt(digits: string, at: number): readonly [Known | undefined, number] {
    for (const length of [gidDigits, guidDigits, macDigits]) {
      const spelled = digits.slice(at, at + length);
      const known = spelled.length < length ? undefined : (this.#all.get(spelled) ?? this.#mapped(spelled));
      if (known !== undefined && isTelling(known.bytes, Math.min(tellingBytesMin, known.bytes.length - 1))) {
        return [known, length];
      }
    }
    return [undefined, 1];
  }

  /** An IPv4 address with the bytes that stand before it in a GID. */
  #mapped(spelled: string): Known | undefined {
    const isMapped = spelled.length === macDigits && spelled.startsWith('ffff');
    return isMapped ? this.#all.get(spelled.slice(4)) : undefined;
  }
}

function firstOther(found: string, meanings: readonly Bytes[], name: (found: string, bytes: Bytes) => string): string {
  return meanings.map((bytes) => name(found, bytes)).find((text) => text !== found) ?? found;
}

/** A GUID that lost its leading zeros before it was cut into groups: `2c9:300:a1b2:c3` of 0x0002c90300a1b2c3. */
function bytesOfCutNumber(found: string): Bytes {
  const [first = '', second = '', third = '', last = ''] = found.split(':');
  return bytesOfGroups(`${first}${second.padStart(4, '0')}${third.padStart(4, '0')}${last.padStart(2, '0')}`, 16);
}

function isTelling(bytes: Bytes, telling: number): boolean {
  return bytes.filter((byte) => byte !== 0).length >= telling;
}

/** The hexadecimal digits of a text, and where each stands; a `|` among them divides what is too far apart. */
function digitsOf(text: string): { digits: string; places: number[] } {
  const digits: string[] = [];
  const places: number[] = [];
  let end = 0;
  for (const { 0: piece, index } of text.toLowerCase().matchAll(pieces)) {
    if (piece.length > 1 || !/[0-9a-f]/.test(piece)) continue;
    if (index - end > separatorMax) {
      digits.push('|');
      places.push(index);
    }
    digits.push(piece);
    places.push(index);
    end = index + 1;
  }
  return { digits: digits.join(''), places };
}
