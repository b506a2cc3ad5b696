import type { AccessFlag, Sge } from '../contract';
import type { Pd } from './pd';

const pageBytes = 4096n;

/** A memory region: ibv_reg_mr(3). */
export class Mr {
  readonly memory: Buffer;

  constructor(
    readonly pd: Pd,
    readonly addr: bigint,
    readonly key: number,
    length: number,
    readonly access: ReadonlySet<AccessFlag>,
  ) {
    this.memory = Buffer.alloc(length);
  }

  /** The bytes from `addr` on, or `undefined` if they do not lie within the region. */
  slice(addr: bigint, length: number): Buffer | undefined {
    const offset = addr - this.addr;
    if (offset < 0n || offset + BigInt(length) > BigInt(this.memory.length)) return undefined;
    return this.memory.subarray(Number(offset), Number(offset) + length);
  }
}

/** The registered memory of a device: addresses and keys are handed out once and never again. */
export class MemoryTable {
  readonly #mrs = new Map<number, Mr>();
  #nextAddr = 0x1000_0000n;
  #nextKey = 0x100;

  register(pd: Pd, length: number, access: readonly AccessFlag[]): Mr {
    const mr = new Mr(pd, this.#nextAddr, this.#nextKey, length, new Set(access));
    const pages = (BigInt(length) + pageBytes - 1n) / pageBytes;
    this.#nextAddr += (pages + 1n) * pageBytes;
    this.#nextKey += 1;
    this.#mrs.set(mr.key, mr);
    pd.users += 1;
    return mr;
  }

  deregister(mr: Mr): void {
    this.#mrs.delete(mr.key);
    mr.pd.users -= 1;
  }

  /** The bytes that a scatter/gather entry names, or `undefined` if the PD or the access rights forbid it. */
  local(pd: Pd, sge: Sge, access?: AccessFlag): Buffer | undefined {
    const mr = this.#mrs.get(sge.lkey);
    if (mr?.pd !== pd) return undefined;
    if (access !== undefined && !mr.access.has(access)) return undefined;
    return mr.slice(sge.addr, sge.length);
  }
}
