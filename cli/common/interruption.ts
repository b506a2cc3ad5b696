import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type EndingSignal = (typeof signals)[number];

/** Ends a run early but in order when a signal comes; one that comes when there is no order left ends it at once. */
export class Interruption {
  #signal: EndingSignal | undefined;
  #inOrder: ((signal: EndingSignal) => void) | undefined;

  /** @param atOnce - removes what must not stay when there is nothing to end in order */
  constructor(readonly atOnce: () => void) {
    for (const signal of signals) process.on(signal, this.#take);
  }

  /** From now on a signal calls this, once, and the rest of the run is to end by itself. */
  calls(inOrder: (signal: EndingSignal) => void): void {
    this.#inOrder = inOrder;
  }

  /** Exit code of a run that a signal has ended: 128 and the number of the signal, as shells have it. */
  get exitCode(): number | undefined {
    return this.#signal && 128 + constants.signals[this.#signal];
  }

  end(): void {
    for (const signal of signals) process.off(signal, this.#take);
  }

  readonly #take = (signal: EndingSignal): void => {
    this.#signal ??= signal;
    const inOrder = this.#inOrder;
    this.#inOrder = undefined;
    if (inOrder !== undefined) {
      inOrder(signal);
      return;
    }
    try {
      this.atOnce();
    } catch (error) {
      process.stderr.write(`verbspec: ${(error as Error).message}\n`);
    }
    process.exit(this.exitCode);
  };
}
