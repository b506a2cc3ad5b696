/** What stands for something that is hidden. */
export type PseudonymKind = 'guid' | 'gid' | 'ip' | 'mac' | 'host' | 'user' | 'path';

/** Hands out names for what is hidden: the same for the same thing, `gid-1`, `gid-2`, … in the order of appearance. */
export class Pseudonyms {
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<PseudonymKind, number>();

  /**
   * The name of something hidden.
   *
   * @param identity - what it is, in one spelling; where that has a name already, it keeps it
   */
  of(kind: PseudonymKind, identity: string): string {
    const known = this.#names.get(identity);
    if (known !== undefined) return known;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const name = `${kind}-${count}`;
    this.#names.set(identity, name);
    return name;
  }
}
