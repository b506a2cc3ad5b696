import type { AccessFlag } from '../../contract';
import type { Mr, RemoteAccess } from '../mr/memory';
import type { Pd } from '../pd/pd';
import type { Qp } from '../qp/qp';

/** What a window shows of a region, and to the peer of which QP. */
export interface Binding {
  readonly qp: Qp;
  readonly mr: Mr;
  readonly addr: bigint;
  /** Bytes. */
  readonly length: number;
  readonly access: readonly AccessFlag[];
}

/** A type 2 memory window, which a send queue binds to a part of a memory region: ibv_alloc_mw(3), ibv_post_send(3). */
export class Mw {
  #binding: Binding | undefined;
  #rkey: number;

  constructor(
    readonly pd: Pd,
    rkey: number,
  ) {
    this.#rkey = rkey;
  }

  get rkey(): number {
    return this.#rkey;
  }

  get binding(): Binding | undefined {
    return this.#binding;
  }

  isBoundFor(qp: Qp): boolean {
    return this.#binding?.qp === qp;
  }

  bind(binding: Binding, rkey: number): void {
    this.#binding = binding;
    this.#rkey = rkey;
  }

  /** Its R_Key opens nothing from now on. */
  unbind(): void {
    this.#binding = undefined;
  }

  /** The bytes from `addr` on, or `undefined` if window or rights do not reach so far. */
  slice(addr: bigint, length: number, access: RemoteAccess): Uint8Array | undefined {
    const binding = this.#binding;
    if (!binding?.access.includes(access)) return undefined;
    const end = binding.addr + BigInt(binding.length);
    return addr >= binding.addr && addr + BigInt(length) <= end ? binding.mr.slice(addr, length) : undefined;
  }
}
