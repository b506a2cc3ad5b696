/** A verb that was called and may still be blocked. */
export class PendingCall<T = void> {
  #outcome: { readonly value: T } | { readonly error: unknown } | undefined;
  #examined = false;
  /** Resolves when the call has returned, whatever it gave. */
  readonly settled: Promise<unknown>;

  constructor(call: Promise<T>) {
    this.settled = call.then(
      (value) => (this.#outcome = { value }),
      (error: unknown) => (this.#outcome = { error }),
    );
  }

  get returned(): boolean {
    return this.#outcome !== undefined;
  }

  /** Whether somebody has looked at what the call gave. */
  get examined(): boolean {
    return this.#examined;
  }

  /** What the call gave. @throws what the call rejected with */
  result(): T {
    if (this.#outcome === undefined) throw new Error('the call has not returned');
    this.#examined = true;
    if ('error' in this.#outcome) throw this.#outcome.error;
    return this.#outcome.value;
  }
}
