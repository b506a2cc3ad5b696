import type { Mr, Mw, Qp, Srq } from '../../contract';
import { isRefused, type Bench } from './bench';
import { Pair, type PairWish } from './loopback';
import type { Trial } from './trial';
import { completionsOf } from './waits';

/** Windows of type 1 let the device choose the R_Key, which no scenario can name then. */
const windowFlags: readonly string[] = ['IBV_DEVICE_MEM_WINDOW_TYPE_2A', 'IBV_DEVICE_MEM_WINDOW_TYPE_2B'];

/** Bytes of an atomic operation. */
const atomicBytes = 8;

/** Shared receive queues, and work requests that not every device takes. */
export const workTrials: readonly Trial[] = [
  { capability: 'srq', shows: async ({ bench }) => !(await isRefused(newSrq(bench), 'ibv_create_srq')) },
  {
    capability: 'memory-windows',
    needs: ['connection'],
    shows: async ({ bench }) => {
      const { deviceCapFlags } = await bench.driver.queryDevice(bench.context);
      if (!deviceCapFlags.some((flag) => windowFlags.includes(flag))) return false;
      const { sender, sendCq } = await rcPair(bench);
      const mr = await windowMemory(bench);
      const allocated = newWindow(bench);
      if (await isRefused(allocated)) return false;
      if (await isRefused(bind(bench, sender, await allocated, mr))) return false;
      const [completion] = await completionsOf(bench.driver, sendCq);
      return completion === undefined || completion.status === 'IBV_WC_SUCCESS';
    },
  },
  {
    capability: 'send-with-invalidate',
    needs: ['connection'],
    shows: async ({ bench, found }) => {
      const pair = await rcPair(bench);
      const invalidateRkey = found.has('memory-windows') ? await boundRkey(bench, pair) : pair.memory.rkey;
      await pair.receive();
      if (await isRefused(pair.send(1, { opcode: 'IBV_WR_SEND_WITH_INV', invalidateRkey }))) return false;
      await completionsOf(bench.driver, pair.sendCq);
      return true;
    },
  },
  {
    capability: 'atomics',
    needs: ['connection'],
    shows: async ({ bench }) => {
      const { atomicCap } = await bench.driver.queryDevice(bench.context);
      if (atomicCap === 'IBV_ATOMIC_NONE') return false;
      return !(await isRefused(addAtomically(bench), 'ibv_reg_mr', 'ibv_modify_qp', 'ibv_post_send'));
    },
  },
];

/** An SRQ with room for one receive. */
export async function newSrq(bench: Bench): Promise<Srq> {
  return bench.keep('srq', bench.driver.createSrq(await bench.pd(), { attr: { maxWr: 1, maxSge: 1 } }));
}

async function rcPair(bench: Bench, wish: Partial<PairWish> = {}): Promise<Pair> {
  const [sendCq, recvCq] = await Promise.all([bench.cq(4), bench.cq(4)]);
  return Pair.make(bench, { qpType: 'IBV_QPT_RC', sendCq, recvCq, ...wish });
}

/** Memory that a window can show. It is made before the window, which holds it. */
function windowMemory(bench: Bench): Promise<Mr> {
  return bench.memory(['IBV_ACCESS_LOCAL_WRITE', 'IBV_ACCESS_MW_BIND']);
}

async function newWindow(bench: Bench): Promise<Mw> {
  return bench.keep('mw', bench.driver.allocMw(await bench.pd(), 'IBV_MW_TYPE_2'));
}

/** Posts the binding of a window. @returns its R_Key from then on */
async function bind(bench: Bench, qp: Qp, mw: Mw, mr: Mr): Promise<number> {
  const rkey = ((mw.rkey & 0xffffff00) | ((mw.rkey + 1) & 0xff)) >>> 0; // the low byte is the program's: ibv_inc_rkey(3)
  const bindMw = { mw, rkey, mr, addr: mr.addr, length: mr.length, access: ['IBV_ACCESS_REMOTE_WRITE'] } as const;
  const wr = { wrId: 0n, sgList: [], sendFlags: ['IBV_SEND_SIGNALED'], opcode: 'IBV_WR_BIND_MW', bindMw } as const;
  await bench.driver.postSend(qp, [wr]);
  return rkey;
}

/** An R_Key that the receiver may have invalidated. */
async function boundRkey(bench: Bench, { receiver, sendCq }: Pair): Promise<number> {
  const mr = await windowMemory(bench);
  const rkey = await bind(bench, receiver, await newWindow(bench), mr);
  await completionsOf(bench.driver, sendCq);
  return rkey;
}

async function addAtomically(bench: Bench): Promise<void> {
  const target = await bench.memory(['IBV_ACCESS_LOCAL_WRITE', 'IBV_ACCESS_REMOTE_ATOMIC']);
  const pair = await rcPair(bench, { access: ['IBV_ACCESS_REMOTE_ATOMIC'] });
  const { addr, lkey } = pair.memory;
  await pair.send(1, {
    opcode: 'IBV_WR_ATOMIC_FETCH_AND_ADD',
    sgList: [{ addr, length: atomicBytes, lkey }],
    atomic: { remoteAddr: target.addr, rkey: target.rkey, compareAdd: 1n, swap: 0n },
  });
  await completionsOf(bench.driver, pair.sendCq);
}
