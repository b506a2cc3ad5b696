import type { RecvWr } from '../contract';
import { demand } from './refusal';

/** Receives that wait for messages, of one QP or shared by several. */
export class ReceiveQueue {
  protected wrs: RecvWr[] = [];
  /** Senders that wait without limit until there is a receive. */
  #waiting: (() => void)[] = [];

  constructor(
    public maxWr: number,
    readonly maxSge: number,
  ) {}

  get length(): number {
    return this.wrs.length;
  }

  post(wr: RecvWr): void {
    demand(wr.sgList.length <= this.maxSge, 'EINVAL');
    demand(this.wrs.length < this.maxWr, 'ENOMEM');
    this.wrs.push(wr);
    this.wake();
  }

  get first(): RecvWr | undefined {
    return this.wrs[0];
  }

  take(): RecvWr | undefined {
    return this.wrs.shift();
  }

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
