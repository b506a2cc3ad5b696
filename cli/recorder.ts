import { openSync, writeSync } from 'node:fs';
import type { Envelope } from '@cucumber/messages';

/** Keeps the Cucumber messages of a run, and writes each at once to messages.ndjson, so that nothing is lost with us. */
export class Recorder {
  /** As they were said. */
  readonly envelopes: Envelope[] = [];
  /** As they are written. */
  readonly shown: Envelope[] = [];
  /** Why the file is incomplete. */
  failure: Error | undefined;
  readonly #file: number;

  /** @param show - what a message looks like to others */
  constructor(
    path: string,
    readonly show: (envelope: Envelope) => Envelope,
  ) {
    this.#file = openSync(path, 'w');
  }

  record(envelope: Envelope): void {
    const shown = this.show(envelope);
    this.envelopes.push(envelope);
    this.shown.push(shown);
    try {
      writeSync(this.#file, `${JSON.stringify(shown)}\n`);
    } catch (error) {
      this.failure ??= error as Error;
    }
  }
}
