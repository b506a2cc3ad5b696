import type { Parts } from '../device/device';
import type { Variant, Variants } from './variant';

const because = 'the pages let a device make a CQ larger than was asked for, and say how large in its cqe member';
const uses = ['ibv_resize_cq.not-below-backlog'];

/** CQs of other sizes; the largest that can be asked for stays what the device says. */
function sized(does: string, sizeFor: (asked: number) => number, why = because): Variant {
  return {
    does,
    because: why,
    uses,
    parts: (of: Parts) => ({
      Cq: class extends of.Cq {
        protected override sizeFor(asked: number): number {
          return sizeFor(super.sizeFor(asked));
        }
      },
    }),
  };
}

/** CQs that have room for more CQEs than their cqe member says. */
function withSpare(does: string, spareOf: (cqe: number) => number, why: string): Variant {
  return {
    does,
    because: why,
    uses: ['ibv_poll_cq.overrun-async-event'],
    unseen: 'scenarios that overrun a CQ post more messages than it has room for even then',
    parts: (of: Parts) => ({
      Cq: class extends of.Cq {
        override get cqe(): number {
          return this.asked;
        }

        protected asked = this.init.cqe;

        protected override sizeFor(asked: number): number {
          this.asked = super.sizeFor(asked);
          return this.asked + spareOf(this.asked);
        }
      },
    }),
  };
}

export const variants: Variants = {
  'cq-of-a-power-of-two-less-one': sized(
    'a CQ has 2^n - 1 entries',
    (asked) => 2 ** Math.ceil(Math.log2(asked + 1)) - 1,
    `${because}; mlx4 and mlx5 do so`,
  ),
  'cq-of-multiples-of-64': sized(
    'the entries of a CQ are a multiple of 64',
    (asked) => Math.ceil(asked / 64) * 64,
    `${because}; hns and mana do so`,
  ),
  'cq-of-twice-the-size': sized('a CQ has twice the entries that were asked for', (asked) => 2 * asked),
  'cq-of-256-entries-at-least': sized('a CQ has at least 256 entries', (asked) => Math.max(asked, 256)),
  'cq-of-1023-entries-at-least': sized('a CQ has at least 1,023 entries', (asked) => Math.max(asked, 1023)),
  'cq-with-one-spare-entry': withSpare(
    'a CQ takes one CQE more than its cqe member says',
    () => 1,
    'the pages promise room for as many CQEs as the member says, and forbid no more',
  ),
  'cq-with-twice-the-room': withSpare(
    'a CQ takes twice as many CQEs as its cqe member says, and two more',
    (cqe) => cqe + 2,
    'the pages promise room for as many CQEs as the member says, and forbid no more; irdma does so',
  ),
};
