import type { Dut } from '../../drivers/contract';
import {
  bytesOfHex,
  bytesOfIpv4,
  bytesOfIpv6,
  hasGuid,
  hexOf,
  ipv4OfGid,
  macsOfGuid,
  tellsNothing,
  type Bytes,
} from './addresses';
import { Pseudonyms, type Kind } from './pseudonyms';

const fullGid = /(?<![0-9a-f])[0-9a-f]{4}(?::[0-9a-f]{4}){7,}(?![0-9a-f])/gi;
/** MAC addresses, and longer ones, as of IPoIB. */
const bytePairs = /(?<![0-9a-f])[0-9a-f]{2}(?:(?::[0-9a-f]{2}){5,}|(?:-[0-9a-f]{2}){5})(?![0-9a-f])/gi;
/** What may be an IPv6 address: groups and colons, and at its end perhaps an IPv4 address. */
const ipv6Like = /(?<![0-9a-z_])(?:[0-9a-f]{0,4}:){2,8}(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4})(?![0-9a-z_])/gi;
const guid = /(?<![0-9a-f])[0-9a-f]{4}(?::[0-9a-f]{4}){3}(?![0-9a-f])/gi;
const octet = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
/** Not within a longer number, nor behind a name, as in `libibverbs.so.1.14.44.0`. */
const ipv4 = new RegExp(`(?<![\\w.-])(?:${octet}\\.){3}${octet}(?![\\w-]|\\.\\d)`, 'g');
/** An interface that systemd has named by its MAC address. */
const macOfName = /(?<=\benx)[0-9a-f]{12}\b/gi;
/** Four numbers and three dots may be a version too. */
const beforeVersion = /(?:version|firmware|fw|fw_?ver|release|rdma-core|kernel|driver)["']?[\s:=]*["']?$/i;

/** Names that say nothing of a machine. */
const commonHosts = ['', '(none)', 'localhost'];

/** A byte that differs from zero is worth 8 bits; with fewer, other numbers look like the address. */
const tellingBytesMin = 4;

/**
 * Hides GUIDs, GIDs, addresses and names of hosts in what a run writes. The same thing has the same pseudonym
 * everywhere, so that a trace still makes sense. What is known to be the device's is hidden in any spelling, the rest
 * where it looks like an address.
 */
export class Redactor {
  readonly #pseudonyms = new Pseudonyms();
  readonly #known = new Map<string, { readonly kind: Kind; readonly bytes: Bytes }>();
  readonly #hostNames: RegExp | undefined;
  #spellings: RegExp | undefined;

  /** @param hosts - names of machines that shall not be told */
  constructor(hosts: readonly string[]) {
    const spelled = hosts.flatMap((host) => [host, host.toLowerCase()]);
    const names = spelled.flatMap((host) => [host, host.replace(/\..*$/, '')]);
    const own = [...new Set(names)].filter((name) => !commonHosts.includes(name)).sort((a, b) => b.length - a.length);
    this.#hostNames = own.length === 0 ? undefined : new RegExp(own.map(hostPattern).join('|'), 'g');
  }

  /** Takes note of the addresses of a device. */
  learn({ nodeGuid, port }: Partial<Dut>): void {
    const before = this.#known.size;
    const guidBytes = bytesOfHex(nodeGuid ?? '');
    const gidBytes = gidOf(port?.gid ?? '');
    if (guidBytes.length === 8) this.#learnGuid(guidBytes);
    if (gidBytes !== undefined) this.#learnGid(gidBytes);
    if (this.#known.size > before) this.#rebuild();
  }

  #learnGuid(bytes: Bytes): void {
    this.#note('guid', bytes);
    for (const mac of macsOfGuid(bytes)) this.#note('mac', mac);
  }

  #learnGid(bytes: Bytes): void {
    this.#note('gid', bytes);
    const address = ipv4OfGid(bytes);
    if (address !== undefined) this.#note('ip', address);
    if (hasGuid(bytes)) this.#learnGuid(bytes.slice(8));
  }

  #note(kind: Kind, bytes: Bytes): void {
    if (!tellsNothing(bytes)) this.#known.set(hexOf(bytes), { kind, bytes });
  }

  /** The pseudonym of a GUID of a device, however it is spelled. */
  guid(text: string): string {
    const bytes = bytesOfHex(text);
    return text === '' || (bytes.length > 0 && tellsNothing(bytes)) ? text : this.#name('guid', bytes);
  }

  /** The pseudonym of a GID of a device, however it is spelled. */
  gid(text: string): string {
    const bytes = gidOf(text) ?? bytesOfHex(text);
    return text === '' || (bytes.length > 0 && tellsNothing(bytes)) ? text : this.#name('gid', bytes);
  }

  /** The text without what is to be hidden. */
  text(text: string): string {
    const unknown = text
      .replace(fullGid, (found) => this.#hide('gid', bytesOfHex(found), found))
      .replace(bytePairs, (found) => this.#hidePairs(found))
      .replace(ipv6Like, (found) => this.#hideIpv6(found))
      .replace(guid, (found) => this.#hide('guid', bytesOfHex(found), found))
      .replace(macOfName, (found) => this.#hide('mac', bytesOfHex(found), found))
      .replace(ipv4, (found, at: number, whole: string) => this.#hideIpv4(found, whole.slice(0, at)));
    const known = replaceAll(unknown, this.#spellings, (found) => this.#nameKnown(found));
    return replaceAll(known, this.#hostNames, (found) => this.#pseudonyms.of('host', `host ${found.toLowerCase()}`));
  }

  /** Memory as hexadecimal digits, two a byte: known addresses may lie in it. */
  memory(hex: string): string {
    const known = [...this.#known].sort(([one], [other]) => other.length - one.length);
    return known.reduce((redacted, [digits, { kind, bytes }]) => {
      const name = (): string => `<${this.#name(kind, bytes)}>`;
      return redacted.replace(new RegExp(`<[^>]*>|(?:[0-9a-f]{2})+`, 'gi'), (part) =>
        part.startsWith('<') ? part : replaceAligned(part, digits, name),
      );
    }, hex);
  }

  #hide(kind: Kind, bytes: Bytes, found: string): string {
    return tellsNothing(bytes) ? found : this.#name(kind, bytes);
  }

  #hidePairs(found: string): string {
    const bytes = bytesOfHex(found);
    return this.#hide(bytes.length === 8 ? 'guid' : 'mac', bytes, found);
  }

  /** A colon behind an address is punctuation, and what is in front may be a word. */
  #hideIpv6(found: string): string {
    const address = found.replace(/(?<!:):$/, '');
    const bytes = bytesOfIpv6(address);
    if (bytes !== undefined) return this.#hide('ip', bytes, address) + found.slice(address.length);
    const [word = ''] = /^[0-9a-f]*:(?=.*:)/i.exec(found) ?? [];
    return word === '' ? found : word + this.#hideIpv6(found.slice(word.length));
  }

  #hideIpv4(found: string, before: string): string {
    const bytes = bytesOfIpv4(found);
    return beforeVersion.test(before.slice(-24)) ? found : this.#hide('ip', bytes, found);
  }

  #nameKnown(found: string): string {
    const bytes =
      /^[\d.]+$/.test(found) && found.includes('.') ? bytesOfIpv4(found) : bytesOfHex(found.replace(/0x/gi, ''));
    return this.#name(this.#known.get(hexOf(bytes))?.kind ?? 'guid', bytes);
  }

  /** A GID that is known is called so in each of its spellings. */
  #name(kind: Kind, bytes: Bytes): string {
    const identity = hexOf(bytes);
    return this.#pseudonyms.of(this.#known.get(identity)?.kind ?? kind, identity);
  }

  /** All spellings of what is known, the longest first. */
  #rebuild(): void {
    const known = [...this.#known.values()].sort((one, other) => other.bytes.length - one.bytes.length);
    const telling = known.map(({ bytes }) => spellingsOf(bytes)).filter((part) => part !== '');
    this.#spellings = telling.length === 0 ? undefined : new RegExp(telling.join('|'), 'gi');
  }
}

function gidOf(text: string): Bytes | undefined {
  const bytes = bytesOfIpv6(text) ?? bytesOfHex(text);
  return bytes.length === 16 ? bytes : undefined;
}

/** Source of an expression for bytes as dumps show them: together, or with something between two of them. */
function spellingsOf(bytes: Bytes): string {
  const pairs = bytes.map((byte) => byte.toString(16).padStart(2, '0'));
  if (bytes.length === 4)
    return `(?<![0-9a-f])${pairs.join(' ')}(?![0-9a-f])|(?<![\\d.])${bytes.join('\\.')}(?![\\d]|\\.\\d)`;
  if (bytes.filter((byte) => byte !== 0).length < tellingBytesMin) return '';
  return `(?:0x)?${pairs.join('(?:[\\s:._-]|,\\s*)?(?:0x)?')}`;
}

function replaceAll(text: string, pattern: RegExp | undefined, name: (found: string) => string): string {
  return pattern === undefined ? text : text.replace(pattern, name);
}

function hostPattern(name: string): string {
  return `(?<![\\w-])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`;
}

function replaceAligned(hex: string, digits: string, name: () => string): string {
  const pairs = hex.toLowerCase().match(/../g) ?? [];
  const wanted = digits.match(/../g) ?? [];
  const out: string[] = [];
  for (let at = 0; at < pairs.length;) {
    const isHere = wanted.every((pair, offset) => pairs[at + offset] === pair);
    out.push(isHere ? name() : (pairs[at] ?? ''));
    at += isHere ? wanted.length : 1;
  }
  return out.join('');
}
