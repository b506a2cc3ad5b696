import { openSync, writeSync } from 'node:fs';
import type { Envelope } from '@cucumber/messages';
import { HarnessError } from '../../drivers/contract';

/** Keeps the Cucumber messages of a run, and writes each at once to messages.ndjson, so that nothing is lost with us. */
export class Recorder {
  /** As they were said. */
  readonly envelopes: Envelope[] = [];
  /** As they are written. */
  readonly shown: Envelope[] = [];
  readonly #file: number;
  #failure: Error | undefined;
  /** How many messages, and bytes of them, the file has whole. */
  #written = 0;
  #bytes = 0;

  /** @param show - what a message looks like to others */
  constructor(
    path: string,
    readonly show: (envelope: Envelope) => Envelope,
  ) {
    try {
      this.#file = openSync(path, 'w');
    } catch (error) {
      throw new HarnessError(`cannot write ${path}: ${(error as Error).message}`, 'free space or name another --out');
    }
  }

  record(envelope: Envelope): void {
    this.envelopes.push(envelope);
    this.shown.push(this.show(envelope));
    if (this.#failure === undefined) this.#writeRest();
  }

  /**
   * Tries again to write what could not be written when it came.
   *
   * @returns why the file is incomplete; its whole lines are the first messages of the run
   */
  complete(): Error | undefined {
    this.#failure = undefined;
    this.#writeRest();
    return this.#failure;
  }

  #writeRest(): void {
    try {
      for (const envelope of this.shown.slice(this.#written)) {
        const line = Buffer.from(`${JSON.stringify(envelope)}\n`);
        for (let done = 0; done < line.length;) {
          done += writeSync(this.#file, line, done, line.length - done, this.#bytes + done);
        }
        this.#bytes += line.length;
        this.#written += 1;
      }
    } catch (error) {
      this.#failure = error as Error;
    }
  }
}
