import { errnos, rnrTimerUs, type Wc } from '../../contract';
import type { VerbName } from '../../pipeline/conventions';
import type { WcStatus } from '../cq/completions';
import type { Cqe } from '../cq/cq';
import type { Parts } from '../device/device';
import { demand, type Refusal } from '../refusal';
import type { Returned } from '../return-values';
import type { SendRequest } from '../qp/work-request';
import type { Variant } from './variant';

/** What providers do that no page allows, as their sources tell: each has its entries in drivers/deviations. */
type Departure = Variant['parts'];

/** irdma: a request for solicited CQEs while the CQ is armed is remembered; the get of the event then arms for any CQE. */
export const furtherRequestIsRemembered: Departure = (of) => ({
  Cq: class extends of.Cq {
    #isArmed = false;
    #isRemembered = false;

    override arm(solicitedOnly: number): void {
      if (this.#isArmed && solicitedOnly !== 0) this.#isRemembered = true;
      else super.arm(solicitedOnly);
      this.#isArmed = true;
    }

    override countTaken(): void {
      super.countTaken();
      this.#isArmed = this.#isRemembered;
      if (this.#isRemembered) super.arm(0);
      this.#isRemembered = false;
    }
  },
});

/** bnxt_re: a resize that changes nothing in the size of the ring is refused. */
export const resizeToTheSameIsRefused: Departure = (of) => ({
  Cq: class extends of.Cq {
    #asked = this.init.cqe;

    override resize(cqe: number): void {
      demand(ringOf(cqe) !== ringOf(this.#asked), 'ENOMEM');
      super.resize(cqe);
      this.#asked = cqe;
    }
  },
});

/** bnxt_re: a CQ of so many entries has so many places. */
function ringOf(cqe: number): number {
  return 2 ** Math.ceil(Math.log2(cqe + 2));
}

/** bnxt_re: the device hears of polled CQEs when they are half of the CQ, or when it is armed, and has no room until then. */
export const polledCqesAreToldLate: Departure = (of) => ({
  Cq: class extends of.Cq {
    #untold = 0;

    override add(cqe: Cqe): void {
      if (!this.overrun && this.cqes.length + this.#untold >= this.capacity) this.overflow(cqe);
      else super.add(cqe);
    }

    override arm(solicitedOnly: number): void {
      this.#untold = 0;
      super.arm(solicitedOnly);
    }

    override poll(numEntries: number): Cqe[] {
      const cqes = super.poll(numEntries);
      this.#untold += cqes.length;
      if (2 * this.#untold >= this.capacity) this.#untold = 0;
      return cqes;
    }
  },
});

/**
 * mana: a request where nothing was polled since the one before claims one CQE more than was polled. Where the device has
 * made none it takes no notice of the request, and the next one claims too much as well.
 */
export const requestsClaimCqes: Departure = (of) => ({
  Cq: class extends of.Cq {
    #claimed = -1;

    override arm(solicitedOnly: number): void {
      this.#claimed = Math.max(0, this.#claimed + 1);
      if (this.#claimed <= this.cqes.length) super.arm(solicitedOnly);
    }

    override poll(numEntries: number): Cqe[] {
      const cqes = super.poll(numEntries);
      this.#claimed -= cqes.length;
      return cqes;
    }
  },
});

/** efa: no CQE has IBV_WC_GRH. */
export const grhIsNotTold: Departure = (of) => ({
  Completions: class extends of.Completions {
    override ofReceive(...args: Parameters<InstanceType<Parts['Completions']>['ofReceive']>): Wc {
      const wc = super.ofReceive(...args);
      return { ...wc, wcFlags: wc.wcFlags.filter((flag) => flag !== 'IBV_WC_GRH') };
    }
  },
});

/** bnxt_re of a resize beyond what the device allows, mana of a request for solicited CQEs: the number is negative. */
export const refusesNegatively =
  (verb: VerbName, name: 'EINVAL' | 'EOPNOTSUPP'): Departure =>
  (of) => ({
    ReturnValues: class extends of.ReturnValues {
      override ofRefusal(called: VerbName, refusal: Refusal): Returned {
        const returned = super.ofRefusal(called, refusal);
        return called === verb && refusal.name === name ? { ...returned, returned: -errnos[name] } : returned;
      }
    },
  });

/** mana: byte_len is written for receives alone. */
export const byteLenOfReceivesAlone: Departure = (of) => ({
  Completions: class extends of.Completions {
    override ofSend(wr: SendRequest, status: WcStatus, byteLen: number): Wc {
      return { ...super.ofSend(wr, status, byteLen), byteLen: 0xa5a5_a5a5 };
    }
  },
});

/** bnxt_re: of the highest byte of src_qp only the bits arrive that the shift by which it is read has set itself. */
export const sourceLosesBits: Departure = (of) => ({
  Completions: class extends of.Completions {
    override ofReceive(...args: Parameters<InstanceType<Parts['Completions']>['ofReceive']>): Wc {
      const wc = super.ofReceive(...args);
      return this.qp.isUd ? { ...wc, srcQp: wc.srcQp & 0x18_ffff } : wc;
    }
  },
});

/** irdma before GEN3: min_rnr_timer is not handed to the device, which has a time of its own. */
export const rnrTimerIsItsOwn: Departure = (of) => ({
  Device: class extends of.Device {
    override rnrWaitUs(): number {
      return rnrTimerUs(ownRnrTimer);
    }
  },
});

/** A code of min_rnr_timer: 0.64 milliseconds, which is among the short ones. */
const ownRnrTimer = 12;

/** mlx5: a region without IBV_ACCESS_MW_BIND lets windows be bound. */
export const bindsWithoutTheRight: Departure = (of) => ({
  Transmitter: class extends of.Transmitter {
    protected override performLocally(wr: SendRequest): WcStatus {
      const { bindMw } = wr;
      if (bindMw === undefined || bindMw.mr.access.has('IBV_ACCESS_MW_BIND')) return super.performLocally(wr);
      const { mw, rkey, ...shown } = bindMw;
      mw.bind({ qp: this.qp, ...shown }, rkey);
      return 'IBV_WC_SUCCESS';
    }
  },
});
