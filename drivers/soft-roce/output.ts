/** Cuts a byte stream at a marker that may arrive in pieces. */
export class MarkedOutput {
  private readonly marker: Buffer;
  private held: Buffer = Buffer.alloc(0);

  constructor(marker: string) {
    this.marker = Buffer.from(marker);
  }

  /**
   * Takes the next bytes.
   *
   * @returns those known to lie before the marker, and whether the marker has come
   */
  push(chunk: Buffer): { output: Buffer; complete: boolean } {
    const bytes = Buffer.concat([this.held, chunk]);
    const at = bytes.indexOf(this.marker);
    const end = at === -1 ? bytes.length - this.beginningsOfMarker(bytes) : at;
    this.held = bytes.subarray(end);
    return { output: bytes.subarray(0, end), complete: at !== -1 };
  }

  /** Length of the longest end of `bytes` with which the marker may have begun. */
  private beginningsOfMarker(bytes: Buffer): number {
    for (let length = Math.min(bytes.length, this.marker.length - 1); length > 0; length--) {
      if (bytes.subarray(bytes.length - length).equals(this.marker.subarray(0, length))) return length;
    }
    return 0;
  }
}
