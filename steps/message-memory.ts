import type { Driver, Mr, Pd, Sge } from '../drivers/contract';

/** Bytes of a message whose content does not matter to the scenario. */
const messageBytes = 16;

/** Registered memory for messages whose content does not matter: one half is sent from, the other received into. */
export class MessageMemory {
  private constructor(
    readonly driver: Driver,
    readonly mr: Mr,
  ) {}

  static async register(driver: Driver, pd: Pd): Promise<MessageMemory> {
    return new MessageMemory(driver, await driver.regMr(pd, 2 * messageBytes, ['IBV_ACCESS_LOCAL_WRITE']));
  }

  get source(): Sge {
    return { addr: this.mr.addr, length: messageBytes, lkey: this.mr.lkey };
  }

  get target(): Sge {
    return { addr: this.mr.addr + BigInt(messageBytes), length: messageBytes, lkey: this.mr.lkey };
  }

  deregister(): Promise<void> {
    return this.driver.deregMr(this.mr);
  }
}
