import type { AccessFlag, Sge } from '../../contract';
import type { Parts } from '../../sim/device/device';
import type { Pd } from '../../sim/pd/pd';
import { ack, type Answer } from '../../sim/qp/message';
import type { Guide } from './guide';

/** Bytes that a device may hand over within the CQE. */
const withinCqe = 64;

/** Responders and memory that may hand small messages over within the CQE, as a schedule says: the library copies them. */
export function guidedResponder(of: Parts, guide: Guide): Partial<Parts> {
  return {
    Responder: class extends of.Responder {
      protected override tooLong(length: number, isReliable: boolean): Answer {
        if (length > withinCqe || !isReliable) return super.tooLong(length, isReliable);
        guide.sawSmall = true;
        if (!guide.schedule.isWithinCqe) return super.tooLong(length, isReliable);
        guide.ledger.take('within-cqe');
        const wr = this.qp.receives.take();
        if (wr !== undefined) this.qp.failReceive(wr, 'IBV_WC_LOC_LEN_ERR');
        return ack;
      }
    },
    MemoryTable: class extends of.MemoryTable {
      override local(pd: Pd, sge: Sge, access?: AccessFlag): Uint8Array | undefined {
        const found = super.local(pd, sge, access);
        if (found !== undefined || access !== 'IBV_ACCESS_LOCAL_WRITE' || sge.length > withinCqe) return found;
        guide.sawSmall = true;
        if (!guide.schedule.isWithinCqe) return undefined;
        guide.ledger.take('within-cqe');
        return this.at(sge.addr, sge.length);
      }
    },
  };
}
