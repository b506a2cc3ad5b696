import { HarnessError, type AccessFlag, type Sge } from '../../contract';
import { Mw } from '../mw/memory-window';
import { demand } from '../refusal';
import type { Pd } from '../pd/pd';
import type { Qp } from '../qp/qp';

/** How far apart regions begin. */
const addrStep = 0x1_0000_0000n;
/** The low 8 bits of a key belong to the consumer, the others say which object it is of. */
const keyBits = 8;

/** What a peer may do with memory. */
export type RemoteAccess = 'IBV_ACCESS_REMOTE_WRITE' | 'IBV_ACCESS_REMOTE_READ' | 'IBV_ACCESS_REMOTE_ATOMIC';

/** Bytes from an address on. */
export class Memory {
  constructor(
    readonly addr: bigint,
    readonly memory: Uint8Array,
  ) {}

  /** The bytes from `addr` on, or `undefined` if they do not lie within it. */
  slice(addr: bigint, length: number): Uint8Array | undefined {
    const offset = addr - this.addr;
    if (offset < 0n || offset + BigInt(length) > BigInt(this.memory.length)) return undefined;
    return this.memory.subarray(Number(offset), Number(offset) + length);
  }
}

/** A memory region: ibv_reg_mr(3). */
export class Mr extends Memory {
  constructor(
    readonly pd: Pd,
    addr: bigint,
    memory: Uint8Array,
    readonly key: number,
    readonly access: ReadonlySet<AccessFlag>,
  ) {
    super(addr, memory);
  }
}

/** The memory of a program, and what of it is registered with a device: addresses and keys are handed out once and never again. */
export class MemoryTable {
  protected readonly allocated = new Set<Memory>();
  protected readonly mrs = new Map<number, Mr>();
  /** By the part of the R_Key that stays. */
  protected readonly windows = new Map<number, Mw>();
  #nextAddr = 0x1000_0000n;
  #nextKey = 0x100;

  allocate(length: number): Memory {
    const memory = new Memory(this.#nextAddr, new Uint8Array(length));
    this.#nextAddr += addrStep;
    this.allocated.add(memory);
    return memory;
  }

  free(memory: Memory): void {
    this.allocated.delete(memory);
  }

  register(pd: Pd, addr: bigint, length: number, access: readonly AccessFlag[]): Mr {
    const mr = new Mr(pd, addr, this.at(addr, length), this.#newKey(), new Set(access));
    this.mrs.set(mr.key, mr);
    return mr;
  }

  /** @throws Refusal while a window of a QP is bound to it: ibv_reg_mr(3) */
  deregister(mr: Mr): void {
    const isBound = ({ binding }: Mw): boolean => binding?.mr === mr && binding.qp.pd.context.device.hasQp(binding.qp);
    demand(![...this.windows.values()].some(isBound), 'EBUSY');
    this.mrs.delete(mr.key);
  }

  allocateWindow(pd: Pd): Mw {
    const window = new Mw(pd, this.#newKey());
    this.windows.set(window.rkey >>> keyBits, window);
    return window;
  }

  deallocateWindow(window: Mw): void {
    this.windows.delete(window.rkey >>> keyBits);
  }

  /** The window that is bound under this R_Key for this QP. */
  boundWindow(qp: Qp, rkey = 0): Mw | undefined {
    const window = this.windows.get(rkey >>> keyBits);
    return window?.rkey === rkey && window.isBoundFor(qp) ? window : undefined;
  }

  /** The bytes that a scatter/gather entry names, or `undefined` if the PD or the access rights forbid it. */
  local(pd: Pd, sge: Sge, access?: AccessFlag): Uint8Array | undefined {
    const mr = this.mrs.get(sge.lkey);
    if (mr?.pd !== pd) return undefined;
    if (access !== undefined && !mr.access.has(access)) return undefined;
    return mr.slice(sge.addr, sge.length);
  }

  /** The bytes that the peer of a QP names, or `undefined` if R_Key, rights or bounds forbid it. */
  remote(qp: Qp, rkey: number, addr: bigint, length: number, access: RemoteAccess): Uint8Array | undefined {
    const mr = this.mrs.get(rkey);
    if (mr === undefined) return this.boundWindow(qp, rkey)?.slice(addr, length, access);
    return mr.pd === qp.pd && mr.access.has(access) ? mr.slice(addr, length) : undefined;
  }

  /** The bytes at an address, whatever keys they have; a program that names other bytes crashes. */
  at(addr: bigint, length: number): Uint8Array {
    const bytes = this.find(addr, length);
    if (bytes === undefined) throw new HarnessError(`no memory holds ${length} bytes at ${addr}`);
    return bytes;
  }

  /** The same, where they may be those of no memory. */
  find(addr: bigint, length: number): Uint8Array | undefined {
    for (const memory of this.allocated) {
      const bytes = memory.slice(addr, length);
      if (bytes !== undefined) return bytes;
    }
    return undefined;
  }

  #newKey(): number {
    const key = this.#nextKey;
    this.#nextKey += 1 << keyBits;
    return key;
  }
}
