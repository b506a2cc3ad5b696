/** Cuts a byte stream at a marker that may arrive in pieces. */
export class MarkedOutput {
  readonly #marker: Buffer;
  /** Bytes with which the marker may have begun. */
  #held: Buffer = Buffer.alloc(0);

  constructor(marker: string) {
    this.#marker = Buffer.from(marker);
  }

  /**
   * Takes the next bytes.
   *
   * @returns those known to lie before the marker, and whether the marker has come
   */
  push(chunk: Buffer): { output: Buffer; isComplete: boolean } {
    const bytes = Buffer.concat([this.#held, chunk]);
    const at = bytes.indexOf(this.#marker);
    const end = at === -1 ? bytes.length - this.#begunMarkerLength(bytes) : at;
    this.#held = bytes.subarray(end);
    return { output: bytes.subarray(0, end), isComplete: at !== -1 };
  }

  #begunMarkerLength(bytes: Buffer): number {
    let length = Math.min(bytes.length, this.#marker.length - 1);
    while (!bytes.subarray(bytes.length - length).equals(this.#marker.subarray(0, length))) length--;
    return length;
  }
}
