import { isIP, isIPv4 } from 'node:net';
import type { Dut } from '../../drivers/contract';
import { bytesOfGuid, bytesOfHex, bytesOfIpv4, bytesOfIpv6, hexOfBytes, tellsNothing, type Bytes } from './addresses';
import { KnownAddresses } from './known-addresses';
import { Names } from './names';
import { replaceCredentials, replaceFolders, type Folders } from './places';
import { Pseudonyms, type PseudonymKind } from './pseudonyms';
import { replaceUnknown } from './unknown-addresses';

/** What is known beside the names of machines. */
export interface RedactorOptions {
  /** Names of persons who work on these machines. */
  readonly users?: readonly string[];
  readonly folders?: Folders;
}

/**
 * Hides GUIDs, GIDs, addresses, names of hosts and persons, and folders in what a run writes. The same thing has the same
 * pseudonym everywhere, so that a trace still makes sense. What is known to be the device's, or was seen as an address
 * once, is hidden in any spelling, the rest where it looks like an address.
 */
export class Redactor {
  readonly #pseudonyms = new Pseudonyms();
  readonly #known = new KnownAddresses();
  readonly #hosts = new Names('host');
  readonly #users = new Names('user');
  readonly #folders: Folders;

  /** @param hosts - names or addresses of machines that are hidden */
  constructor(hosts: readonly string[], { users = [], folders = {} }: RedactorOptions = {}) {
    this.#folders = folders;
    for (const host of hosts) this.learnHost(host);
    for (const user of users) this.learnUser(user);
  }

  /** Takes note of the addresses of a device. */
  learn({ nodeGuid, port }: Partial<Dut>): void {
    const guidBytes = bytesOfGuid(nodeGuid ?? '');
    const gidBytes = gidOf(port?.gid ?? '');
    if (guidBytes.length === 8) this.#known.note('guid', guidBytes, true);
    if (gidBytes !== undefined) this.#known.note('gid', gidBytes, true);
  }

  /** Takes note of a machine, by its name or address. */
  learnHost(host: string): void {
    const address = host.replace(/^\[|\]$/g, '');
    if (isIP(address) === 0) this.#hosts.learn(host);
    else this.#known.note('ip', isIPv4(address) ? bytesOfIpv4(address) : (bytesOfIpv6(address) ?? []), true);
  }

  learnUser(user: string): void {
    this.#users.learn(user);
  }

  /** The pseudonym of a GUID of a device, however it is spelled. */
  guid(text: string): string {
    const bytes = bytesOfGuid(text);
    return text === '' || (bytes.length > 0 && tellsNothing(bytes)) ? text : this.#name('guid', bytes);
  }

  /** The pseudonym of a GID of a device, however it is spelled. */
  gid(text: string): string {
    const bytes = gidOf(text) ?? bytesOfHex(text);
    return text === '' || (bytes.length > 0 && tellsNothing(bytes)) ? text : this.#name('gid', bytes);
  }

  /** The pseudonym of something else, by what identifies it. */
  name(kind: PseudonymKind, identity: string): string {
    return this.#pseudonyms.of(kind, `${kind} ${identity}`);
  }

  /** The text without what is to be hidden. */
  text(text: string): string {
    const placeless = replaceFolders(replaceCredentials(text), this.#folders, (user) => this.#userName(user));
    const name = (kind: PseudonymKind) => (identity: string) => this.#pseudonyms.of(kind, identity);
    return this.#users.replaceIn(
      this.#hosts.replaceIn(this.addresses(this.#unknown(placeless)), name('host')),
      name('user'),
    );
  }

  /** The text without the addresses that are known, for what can hold no others: versions, names of members. */
  addresses(text: string): string {
    return this.#known.replaceIn(text, ({ kind, bytes }) => this.#name(kind, bytes));
  }

  /** Memory as hexadecimal digits, two per byte: known addresses may lie in it. */
  memory(hex: string): string {
    return this.#known.replaceInMemory(hex, ({ kind, bytes }) => this.#name(kind, bytes));
  }

  /** An address of the web, or of a repository, of which nothing stays but where it is the same as another. */
  url(text: string): string {
    const [, scheme = '', host, path = ''] =
      /^(\w[\w+.-]*:\/\/)(?:[^/@]*@)?(\[[^\]]*\]|[^/:?#]*)(.*)$/.exec(text) ??
      /^()(?:[^/@:]*@)?([^/:@]+):(.*)$/.exec(text) ??
      [];
    if (host === undefined) return this.text(text);
    this.learnHost(host);
    const hidden = scheme === '' ? `${this.#hostName(host)}:` : `${scheme}${this.#hostName(host)}/`;
    return /^(?:[/:]\d*\/?)?$/.test(path) ? hidden : `${hidden}${this.name('path', `${host}${path}`)}`;
  }

  #unknown(text: string): string {
    return replaceUnknown(text, (kind, bytes, found) => {
      if (tellsNothing(bytes)) return found;
      this.#known.note(kind, bytes, false);
      return this.#name(kind, bytes);
    });
  }

  #userName(user: string): string {
    this.learnUser(user);
    const named = this.#users.replaceIn(user, (identity) => this.#pseudonyms.of('user', identity));
    return named === user ? this.name('user', user.toLowerCase()) : named;
  }

  #hostName(host: string): string {
    const named = this.text(`//${host}`).slice(2);
    return named === host ? this.name('host', host.toLowerCase()) : named;
  }

  /** A GUID that is known is called so in each of its spellings. */
  #name(kind: PseudonymKind, bytes: Bytes): string {
    return this.#pseudonyms.of(this.#known.of(bytes)?.kind ?? kind, hexOfBytes(bytes));
  }
}

function gidOf(text: string): Bytes | undefined {
  const bytes = bytesOfIpv6(text) ?? bytesOfHex(text);
  return bytes.length === 16 ? bytes : undefined;
}
