import { cName } from '../../../drivers/verbs/derived/c-text';

/** Words that C, or what a program includes, has for something else. */
const reserved: ReadonlySet<string> = new Set(
  `auto break case char const continue default do double else enum extern float for goto if inline int long register
  restrict return short signed sizeof static struct switch typedef union unsigned void volatile while asm typeof main
  errno alarm allocate awaited begin check close device done fcntl finding gid gid_index memcmp memcpy mmap munmap now_ms
  open_device pause pause_ms poll port printf must readable settle signal stderr stdin stdout take unix linux
  start_batch text name_of socket htonl ntohl exit index EVENT_MS QUIET_MS argc argv err returned polled wc wr sge bad_wr`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** Names in C for the objects of a scenario, no two the same. */
export class Identifiers {
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();

  /** @param nameOf - what the scenario calls an object, or its handle */
  constructor(readonly nameOf: (handle: string) => string) {}

  of(handle: string): string {
    const known = this.#names.get(handle);
    if (known !== undefined) return known;
    const plain = this.nameOf(handle).replace(/[^A-Za-z0-9_]+/g, '_');
    const begun = /^[A-Za-z]/.test(plain) ? plain : `object_${plain}`;
    let name = reserved.has(begun) ? `${begun}_${handle.replace(/\W.*$/, '')}` : begun;
    while (this.#taken.has(name) || reserved.has(name)) name += '_';
    this.#names.set(handle, name);
    this.#taken.add(name);
    return name;
  }
}

/** The variable for a member of an object that is used when that may be gone. */
export const keptName = (object: string, member: string): string => `${object}_${cName(member)}`;

/** A text as a string of C: what is not printable ASCII, and what would make a trigraph, is written in octal digits. */
export function cString(text: string): string {
  const bytes = [...Buffer.from(text, 'utf8')];
  const escaped = bytes.map((byte) => {
    const letter = String.fromCharCode(byte);
    if (letter === '"' || letter === '\\') return `\\${letter}`;
    return byte < 0x20 || byte > 0x7e || letter === '?' ? `\\${byte.toString(8).padStart(3, '0')}` : letter;
  });
  return `"${escaped.join('')}"`;
}

/** A text within a comment of C, in one line, which can neither end the comment nor begin a line of its own. */
export function cComment(text: string): string {
  const plain = text.replace(/[^\x20-\x7e]/g, '?').replace(/\s+/g, ' ');
  return plain.replaceAll('*/', '* /').replaceAll('/*', '/ *').replaceAll('??', '? ?').replace(/\\$/, '\\ ');
}
