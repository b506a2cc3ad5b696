import { openSync, writeSync } from 'node:fs';
import type { Envelope } from '@cucumber/messages';

/** Keeps the Cucumber messages of a run, and writes each at once to messages.ndjson, so that nothing is lost with us. */
export class Recorder {
  readonly envelopes: Envelope[] = [];
  /** Why the file is incomplete. */
  failure: Error | undefined;
  readonly #file: number;

  constructor(path: string) {
    this.#file = openSync(path, 'w');
  }

  record(envelope: Envelope): void {
    this.envelopes.push(envelope);
    try {
      writeSync(this.#file, `${JSON.stringify(envelope)}\n`);
    } catch (error) {
      this.failure ??= error as Error;
    }
  }
}
