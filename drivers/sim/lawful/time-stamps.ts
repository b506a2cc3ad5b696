import type { TraceValue, WcReader } from '../../contract';
import type { Cqe } from '../cq/cq';
import type { Parts } from '../device/device';
import type { Variant, Variants } from './variant';

/** A device whose time stamps have so many bits. */
function stamps(bits: bigint): Variant {
  return {
    does: `time stamps have ${bits} bits, and begin anew soon`,
    because: 'completion_timestamp_mask of ibv_query_device_ex(3) says which bits count',
    uses: ['ibv_create_cq_ex.wcflag-completion-ts'],
    parts: (of: Parts) => ({
      Device: class extends of.Device {
        override timestampMask(): bigint {
          return (1n << bits) - 1n;
        }
      },
      CqIterator: class extends of.CqIterator {
        protected override member(reader: WcReader, cqe: Cqe): TraceValue {
          const value = super.member(reader, cqe);
          return typeof value === 'bigint' ? (value - wrapsAt) & ((1n << bits) - 1n) : value;
        }
      },
    }),
  };
}

/** Nanoseconds of virtual time at which the stamps begin anew, in the midst of scenarios. */
const wrapsAt = 25_000n;

export const variants: Variants = {
  'time-stamps-of-32-bits': stamps(32n),
  'time-stamps-of-48-bits': stamps(48n),
  'time-stamps-of-64-bits': stamps(64n),
  'time-stamps-of-17-bits': {
    ...stamps(17n),
    because: 'completion_timestamp_mask says so for an E810; they begin anew too soon to tell which CQE came first',
    lacks: ['completion-timestamps'],
  },
};
