import type { Mr, Pd, Sge } from '../../drivers/contract';
import { registerMemory } from './registered';
import type { Keeper } from '../world/keeper';

/** Bytes of a message whose size does not matter to the scenario. */
const messageBytes = 16;

/** Bytes that a receive has room for where the scenario does not say: a UD receive begins with 40 bytes for the GRH. */
const roomBytes = 1024;

/** Registered memory for messages whose content does not matter: one half is sent from, the other received into. */
export class MessageMemory {
  private constructor(readonly mr: Mr) {}

  static async register(keeper: Keeper, pd: Pd): Promise<MessageMemory> {
    return new MessageMemory(await registerMemory(keeper, pd, 2 * roomBytes, ['IBV_ACCESS_LOCAL_WRITE']));
  }

  source(bytes = messageBytes): Sge {
    return { addr: this.mr.addr, length: bytes, lkey: this.mr.lkey };
  }

  target(bytes = roomBytes): Sge {
    return { addr: this.mr.addr + BigInt(roomBytes), length: bytes, lkey: this.mr.lkey };
  }
}
