import type { RecvWr } from '../../contract';

/** Receives that wait for messages, of one QP or shared by several. */
export class ReceiveQueue {
  protected wrs: RecvWr[] = [];
  /** Senders that wait without limit until there is a receive. */
  #waiting: (() => void)[] = [];
  /** How often they were woken. */
  #wakes = 0;

  get length(): number {
    return this.wrs.length;
  }

  post(wrs: readonly RecvWr[]): void {
    this.wrs.push(...wrs);
    this.wake();
  }

  get first(): RecvWr | undefined {
    return this.wrs[0];
  }

  take(): RecvWr | undefined {
    return this.wrs.shift();
  }

  /** All receives of a QP that can use them no more. */
  takeAll(): RecvWr[] {
    return this.wrs.splice(0);
  }

  /** Lets those who wait try again. */
  wake(): void {
    this.#wakes += 1;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /**
   * How a sender waits that finds no receive now: until there may be one, which may have come before it hears of that.
   */
  get whenPosted(): (wake: () => void) => void {
    const wakes = this.#wakes;
    return (wake) => {
      if (wakes === this.#wakes) this.#waiting.push(wake);
      else wake();
    };
  }
}
