import type { RecvWr } from '../../contract';

/** Receives that wait for messages, of one QP or shared by several. */
export class ReceiveQueue {
  protected wrs: RecvWr[] = [];
  /** Senders that wait without limit until there is a receive. */
  #waiting: (() => void)[] = [];

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
    for (const wake of this.#waiting.splice(0)) wake();
  }

  whenPosted(wake: () => void): void {
    this.#waiting.push(wake);
  }
}
