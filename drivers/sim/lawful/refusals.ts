import type { TraceStruct } from '../../contract';
import { numberOf, stringsOf } from '../../pipeline/values';
import type { Cqe } from '../cq/cq';
import { demand } from '../refusal';
import { refusing } from './refusing';
import type { Variants } from './variant';

const asksForFlags = ({ cqAttr }: TraceStruct): boolean =>
  ['compMask', 'flags'].every((member) => stringsOf(cqAttr as TraceStruct, member).length > 0);
const hasNoEntries = ({ cqe }: TraceStruct): boolean => Number(cqe) <= 0;
const hasEmptyMask = ({ attr }: TraceStruct): boolean => stringsOf(attr as TraceStruct, 'attrMask').length === 0;
const isLong = ({ attr }: TraceStruct): boolean =>
  numberOf((attr as TraceStruct).moderate as TraceStruct, 'cqPeriod') > periodUsMax;

/** Microseconds of the longest cq_period that mlx5 takes. */
const periodUsMax = 4095;

export const variants: Variants = {
  'flags-of-extended-cqs-are-refused': {
    does: 'an extended CQ with any flag is refused',
    because: 'the page does not say that a device has the flags',
    uses: ['ibv_create_cq_ex.attr-comp-mask', 'ibv_create_cq_ex.flag-single-threaded'],
    parts: refusing(['ibv_create_cq_ex'], 'EOPNOTSUPP', asksForFlags),
  },
  'cq-of-no-entries-is-refused': {
    does: 'a CQ of 0 or fewer entries is refused',
    because: 'the page does not say what becomes of the request',
    uses: ['ibv_create_cq'],
    unseen: 'no scenario asks for such a CQ',
    parts: refusing(['ibv_create_cq'], 'EINVAL', hasNoEntries),
  },
  'empty-moderation-is-refused': {
    does: 'ibv_modify_cq() with an empty attr_mask is refused',
    because: 'the page does not say whether it is',
    uses: ['ibv_modify_cq.modifies-by-mask'],
    parts: refusing(['ibv_modify_cq'], 'EINVAL', hasEmptyMask),
  },
  'long-moderation-is-refused': {
    does: 'a cq_period above 4095 microseconds is refused',
    because: 'the page does not say how long it may be; mlx5 takes no more',
    uses: ['ibv_modify_cq'],
    unseen: 'no scenario asks for a longer one',
    parts: refusing(['ibv_modify_cq'], 'EINVAL', isLong),
  },
  'arming-without-a-channel-is-refused': {
    does: 'a CQ without a channel cannot be armed',
    because: 'no page says what arming means for it',
    uses: ['ibv_req_notify_cq.any-cq-allowed'],
    parts: (of) => ({
      Cq: class extends of.Cq {
        override arm(solicitedOnly: number): void {
          demand(this.channel !== undefined, 'EINVAL');
          super.arm(solicitedOnly);
        }
      },
    }),
  },
  'resize-below-the-backlog-does-nothing': {
    does: 'a CQ that is asked to be smaller than its backlog keeps its size and says so with success',
    because: 'the page does not say that the request is refused, and lets a device keep more entries',
    uses: ['ibv_resize_cq.not-below-backlog'],
    parts: (of) => ({
      Cq: class extends of.Cq {
        override resize(cqe: number): void {
          if (cqe >= this.cqes.length) super.resize(cqe);
        }
      },
    }),
  },
  'cq-does-not-shrink': {
    does: 'a CQ that is asked to be smaller keeps its size',
    because: 'the page says that a request for fewer entries may change nothing',
    uses: ['ibv_resize_cq.shrink-may-noop'],
    parts: (of) => ({
      Cq: class extends of.Cq {
        override resize(cqe: number): void {
          super.resize(Math.max(cqe, this.capacity));
        }
      },
    }),
  },
  'overrun-cq-can-be-polled': {
    does: 'what an overrun CQ held before can be polled',
    because: 'the page does not say how it shows that a CQ cannot be used any more',
    uses: ['ibv_poll_cq.overrun-cq-unusable'],
    parts: (of) => ({
      Cq: class extends of.Cq {
        override poll(numEntries: number): Cqe[] {
          return this.cqes.splice(0, numEntries);
        }
      },
    }),
  },
  'overrun-cq-is-empty': {
    does: 'an overrun CQ gives nothing any more, and refuses nothing',
    because: 'the page does not say how it shows that a CQ cannot be used any more',
    uses: ['ibv_poll_cq.overrun-cq-unusable'],
    parts: (of) => ({
      Cq: class extends of.Cq {
        override poll(numEntries: number): Cqe[] {
          return this.overrun ? [] : super.poll(numEntries);
        }
      },
    }),
  },
};
