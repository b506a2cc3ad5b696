import { constants } from 'node:os';
import type { Driver } from '../drivers/contract';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Ends a run early but in order when a signal comes; the second signal ends it at once. */
export class Interruption {
  #signal: (typeof signals)[number] | undefined;
  #driver: Driver | undefined;

  /** @param atOnce - removes what must not stay when there is nothing to end in order yet */
  constructor(readonly atOnce: () => void) {
    for (const signal of signals) process.on(signal, this.#take);
  }

  /** From now on an interruption closes the driver, so that the rest of the run ends by itself. */
  closes(driver: Driver): void {
    this.#driver = driver;
  }

  /** Exit code of a run that a signal has ended: 128 and the number of the signal, as shells have it. */
  get exitCode(): number | undefined {
    return this.#signal && 128 + constants.signals[this.#signal];
  }

  end(): void {
    for (const signal of signals) process.off(signal, this.#take);
  }

  readonly #take = (signal: (typeof signals)[number]): void => {
    const first = this.#signal === undefined;
    this.#signal ??= signal;
    if (first && this.#driver !== undefined) {
      this.#driver.close(`the run was interrupted by ${signal}`).catch(() => undefined); // the run closes it again, and tells
      return;
    }
    this.atOnce();
    process.exit(this.exitCode);
  };
}
