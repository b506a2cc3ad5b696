import type { AccessFlag, Sge } from '../../contract';
import type { Parts } from '../../sim/device/device';
import type { RemoteAccess } from '../../sim/mr/memory';
import type { Pd } from '../../sim/pd/pd';
import type { Qp } from '../../sim/qp/qp';
import type { Guide } from './guide';
import { inPlaceOf } from './known/other-status';

/** Bytes that a device may hand over within the CQE. */
export const withinCqe = 64;

/** A device is known for this whose peers reach all of the region behind a window, and not the window alone. */
export const windowIsOpen = inPlaceOf('IBV_WC_REM_ACCESS_ERR', 'IBV_WC_SUCCESS');

/** Memory that a device may leave unchecked, as a schedule says: of small messages that the library copies, and of empty ones. */
export function guidedMemory(of: Parts, guide: Guide): Partial<Parts> {
  return {
    MemoryTable: class extends of.MemoryTable {
      override local(pd: Pd, sge: Sge, access?: AccessFlag): Uint8Array | undefined {
        const found = super.local(pd, sge, access);
        if (found !== undefined || access !== 'IBV_ACCESS_LOCAL_WRITE') return found;
        if (guide.delivered?.payload.length === 0 && guide.delivered.grh.length === 0) {
          return this.#unreached(() => this.find(sge.addr, sge.length));
        }
        if (sge.length > withinCqe) return undefined;
        guide.sawSmall = true;
        if (!guide.schedule.isWithinCqe) return undefined;
        guide.ledger.take('within-cqe');
        return this.find(sge.addr, sge.length);
      }

      override remote(
        qp: Qp,
        rkey: number,
        addr: bigint,
        length: number,
        access: RemoteAccess,
      ): Uint8Array | undefined {
        const found = super.remote(qp, rkey, addr, length, access);
        if (found !== undefined) return found;
        return length === 0 ? this.#unreached(() => new Uint8Array()) : this.#beside(qp, rkey, addr, length, access);
      }

      #beside(qp: Qp, rkey: number, addr: bigint, length: number, access: RemoteAccess): Uint8Array | undefined {
        const binding = this.boundWindow(qp, rkey)?.binding;
        const bytes = binding?.access.includes(access) === true ? binding.mr.slice(addr, length) : undefined;
        return bytes !== undefined && guide.excuses(windowIsOpen) ? bytes : undefined;
      }

      /** No byte of an empty message comes into the memory that it or its receive names. */
      #unreached(memory: () => Uint8Array | undefined): Uint8Array | undefined {
        guide.sawUnreached = true;
        if (!guide.schedule.ignoresUnreached) return undefined;
        guide.ledger.take('unreached-memory');
        return memory();
      }
    },
  };
}
