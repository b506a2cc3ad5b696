import type { TraceStruct } from '../../contract';
import type { VerbName } from '../../verbs';
import type { Parts } from '../device/device';
import type { Success } from '../return-values';
import type { Variants } from './variant';

/** Microseconds that a call of the firmware takes. */
const callUs = 300;

/** Microseconds in which what was posted is done. */
const workUs = 50;

/** What goes on while a C function runs. */
export const variants: Variants = {
  'calls-take-long': {
    does: 'each C function takes 300 microseconds more',
    because: 'no page says how long a call takes; those that talk to firmware take that long and longer',
    parts: (of: Parts) => ({
      Verbs: class extends of.Verbs {
        override call(name: VerbName, args: TraceStruct): Success | Promise<Success> {
          this.model.pass((clock) => {
            clock.advance(callUs);
          });
          return super.call(name, args);
        }
      },
    }),
  },
  'work-is-done-before-the-post-returns': {
    does: 'sends that are posted have completed when ibv_post_send() returns',
    because: 'no page says how soon work completes; a driver in software may do it at once',
    parts: (of: Parts) => ({
      Verbs: class extends of.Verbs {
        override call(name: VerbName, args: TraceStruct): Success | Promise<Success> {
          const success = super.call(name, args);
          if (name === 'ibv_post_send')
            this.model.pass((clock) => {
              clock.advance(workUs);
            });
          return success;
        }
      },
    }),
  },
};
