import { setImmediate } from 'node:timers/promises';

/**
 * The clock of the machine that a host process runs on, where it is not that of this process: as far as the host has reported
 * it. It goes on through the ends of hosts, each of which may count from another beginning.
 */
export class HostClock {
  readonly #pauseHost: (ms: number) => Promise<number>;
  #nowMs = 0;
  #heardUs: number | undefined;

  /** @param pauseHost - asks the host for a pause, which may end early; resolves with its time then, in microseconds */
  constructor(pauseHost: (ms: number) => Promise<number>) {
    this.#pauseHost = pauseHost;
  }

  /** Milliseconds that have passed for the hosts. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Another host follows. */
  restart(): void {
    this.#heardUs = undefined;
  }

  /** Takes the time of an answer; answers may overtake each other. */
  hear(hostUs: number): void {
    this.#nowMs += Math.max(hostUs - (this.#heardUs ?? hostUs), 0) / 1000;
    this.#heardUs = Math.max(hostUs, this.#heardUs ?? hostUs);
  }

  /**
   * Lets time pass on the host's clock.
   *
   * @param sooner - ends the pause
   */
  async pause(ms: number, sooner?: Promise<unknown>): Promise<void> {
    const over = new AbortController();
    const end = (): void => {
      over.abort();
    };
    sooner?.then(end, end);
    const untilMs = this.#nowMs + ms;
    while (!over.signal.aborted && this.#nowMs < untilMs) {
      this.hear(await this.#pauseHost(Math.ceil(untilMs - this.#nowMs)));
      // An answer has ended the pause: whoever waits for it hears of it first.
      if (sooner !== undefined && this.#nowMs < untilMs) await setImmediate();
    }
  }
}
