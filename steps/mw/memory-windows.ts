import type { AccessFlag } from '../../drivers/contract';
import type { VerbsWorld } from '../world/world';

/** A memory window as a scenario wants it, by the names of what it joins. */
export interface WantedWindow {
  readonly name: string;
  readonly memory: string;
  /** What it shows of the memory, in bytes; all, if it is left out. */
  readonly part?: { readonly offset: number; readonly length: number };
  /** The QP that binds it and whose peer may use it. */
  readonly owner: string;
  readonly access: readonly AccessFlag[];
}

/** Posts the binding of a new type 2 window. */
export async function bindWindow(world: VerbsWorld, wanted: WantedWindow): Promise<void> {
  const { name, memory, owner, access } = wanted;
  const mr = world.memories.get(memory);
  const { offset, length } = wanted.part ?? { offset: 0, length: mr.length };
  const addr = mr.addr + BigInt(offset);
  const allocated = world.driver.allocMw(await world.pd(), 'IBV_MW_TYPE_2');
  const mw = await world.keep('mw', allocated);
  const rkey = nextRkey(mw.rkey);
  const bindMw = { mw, rkey, mr, addr, length, access };
  const wr = { wrId: world.nextWrId(), sgList: [], sendFlags: ['IBV_SEND_SIGNALED'], bindMw } as const;
  await world.driver.postSend(world.qps.get(owner).qp, [{ ...wr, opcode: 'IBV_WR_BIND_MW' }]);
  world.windows.add(name, { mw, rkey, addr });
}

/** The low byte of an R_Key is the owner's to choose: ibv_inc_rkey(3). */
function nextRkey(rkey: number): number {
  return ((rkey & 0xffffff00) | ((rkey + 1) & 0xff)) >>> 0;
}
