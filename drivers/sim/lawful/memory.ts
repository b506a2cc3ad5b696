import type { AccessFlag, RecvWr, Sge } from '../../contract';
import type { Cqe } from '../cq/cq';
import type { Pd } from '../pd/pd';
import { ack, type Answer, type Message } from '../qp/message';
import type { Variants } from './variant';

/** Bytes that a device may hand over within the CQE. */
const withinCqe = 64;

/** What is put into memory when its CQE is taken. */
const placements = new WeakMap<object, () => void>();

export const variants: Variants = {
  'small-messages-pass-by-the-region': {
    does: 'up to 64 bytes come within the CQE and are copied by the processor, which does not ask the memory region',
    because: 'mlx5 and hns do so, and no page says who writes what a receive takes',
    unseen: 'messages to memory that must not be written are longer',
    parts: (of) => ({
      MemoryTable: class extends of.MemoryTable {
        override local(pd: Pd, sge: Sge, access?: AccessFlag): Uint8Array | undefined {
          const isSmall = access === 'IBV_ACCESS_LOCAL_WRITE' && sge.length <= withinCqe;
          return isSmall ? this.at(sge.addr, sge.length) : super.local(pd, sge, access);
        }
      },
    }),
  },
  'short-receives-of-small-messages-fail-alone': {
    does: 'a receive that is too short for up to 64 bytes fails when it is polled, and neither its QP nor the sender hears of it',
    because: 'mlx5 and hns find out when they copy the bytes out of the CQE',
    parts: (of) => ({
      Responder: class extends of.Responder {
        protected override tooLong(length: number, isReliable: boolean): Answer {
          if (length > withinCqe || !isReliable) return super.tooLong(length, isReliable);
          const wr = this.qp.receives.take();
          if (wr !== undefined) this.qp.failReceive(wr, 'IBV_WC_LOC_LEN_ERR');
          return ack;
        }
      },
    }),
  },
  'memory-is-written-when-the-cqe-is-taken': {
    does: 'the bytes of a receive are in memory no sooner than its CQE has been polled',
    because: 'a program may look at them only then',
    unseen: 'no scenario looks at the memory of a receive before its CQE',
    parts: (of) => ({
      Qp: class extends of.Qp {
        override completeReceive(wr: RecvWr, message: Message): void {
          super.completeReceive(wr, message);
          this.#placeLater(wr);
        }

        /** What the responder has written already is taken away until then. */
        #placeLater(wr: RecvWr): void {
          const cqe = this.init.recvCq.newestCqe;
          if (cqe === undefined) return;
          const targets = wr.sgList.map(({ addr, length }) => this.device.memory.at(addr, length));
          const written = targets.map((target) => target.slice());
          for (const target of targets) target.fill(0xee);
          placements.set(cqe, () => {
            for (const [index, target] of targets.entries()) target.set(written[index] ?? []);
          });
        }
      },
      Cq: class extends of.Cq {
        override poll(numEntries: number): Cqe[] {
          const cqes = super.poll(numEntries);
          for (const cqe of cqes) placements.get(cqe)?.();
          return cqes;
        }
      },
    }),
  },
};
