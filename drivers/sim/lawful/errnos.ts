import { errnos, type Errno } from '../../contract';
import type { VerbName } from '../../pipeline/conventions';
import { refusalOf } from '../../pipeline/conventions';
import type { Parts } from '../device/device';
import type { Refusal } from '../refusal';
import type { Returned } from '../return-values';
import type { Variant, Variants } from './variant';

/** By POSIX, what a descriptor without events says with O_NONBLOCK; by the page, what an empty batch says. */
const named: readonly string[] = ['EAGAIN', 'ENOENT'];

/** Refusals with another errno. */
function refusingWith(errno: Errno, does: string): Variant {
  return {
    does,
    because: 'the pages say that errno, or what is returned, tells why, and do not name the value',
    uses: [
      'ibv_create_comp_channel.errno-on-null',
      'ibv_create_comp_channel.destroy-returns-errno',
      'ibv_create_cq.errno-on-null',
      'ibv_create_cq.destroy-returns-errno',
      'ibv_create_cq_ex.errno-on-null',
      'ibv_resize_cq.returns-errno',
    ],
    parts: (of: Parts) => ({
      ReturnValues: class extends of.ReturnValues {
        override ofRefusal(verb: VerbName, refusal: Refusal): Returned {
          const returned = super.ofRefusal(verb, refusal);
          if (named.includes(refusal.name)) return returned;
          return { ...returned, returned: refusalOf(verb, errnos[errno]), errno: errnos[errno] };
        }
      },
    }),
  };
}

export const variants: Variants = {
  'empty-gets-are-refused-with-eio': {
    does: 'a get from an empty queue that does not block says EIO',
    because: 'the pages do not name errno; that it is EAGAIN is of POSIX',
    uses: ['ibv_get_async_event.fd-nonblock-empty-get', 'ibv_get_cq_event.fd-nonblock-empty-get'],
    breaks: ['ibv_get_async_event.fd-nonblock-empty-get', 'ibv_get_cq_event.fd-nonblock-empty-get'],
    parts: (of) => ({
      ReturnValues: class extends of.ReturnValues {
        override ofRefusal(verb: VerbName, refusal: Refusal): Returned {
          const returned = super.ofRefusal(verb, refusal);
          return refusal.name === 'EAGAIN' ? { ...returned, errno: errnos.EIO } : returned;
        }
      },
    }),
  },
  'refusals-with-eio': refusingWith('EIO', 'every refusal says EIO'),
  'refusals-with-enomem': refusingWith(
    'ENOMEM',
    'every refusal says ENOMEM, as a library does that cannot make its buffers',
  ),
  'refusals-with-eproto': refusingWith('EPROTO', 'every refusal says EPROTO, as a device does whose firmware refuses'),
};
