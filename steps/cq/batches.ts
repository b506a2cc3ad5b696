import type { Cq, Driver } from '../../drivers/contract';

/** The batches of CQEs that a scenario has open on its extended CQs: ibv_create_cq_ex(3). */
export class Batches {
  readonly #open = new Set<Cq>();

  constructor(readonly driver: Driver) {}

  /** While a batch is open no other call on its CQ is allowed. */
  isOpen(cq: Cq): boolean {
    return this.#open.has(cq);
  }

  /** Opens a batch and stands on its first CQE; one that was refused is not open. */
  async open(cq: Cq): Promise<void> {
    await this.driver.startPoll(cq);
    this.#open.add(cq);
  }

  async close(cq: Cq): Promise<void> {
    this.#open.delete(cq);
    await this.driver.endPoll(cq);
  }

  async closeAll(): Promise<void> {
    for (const cq of this.#open) await this.close(cq);
  }
}
