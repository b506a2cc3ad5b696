import type { TraceStruct } from '../../contract';
import type { VerbName } from '../../verbs';
import type { Parts } from '../device/device';
import type { Success } from '../return-values';
import type { Variants } from './variant';

/** Microseconds that a call of the firmware takes. */
const callUs = 300;

/** Microseconds in which what was posted is done. */
const workUs = 50;

/** C functions that take time: before they do their work, and after it. */
function lasting(of: Parts, beforeUs: (verb: VerbName) => number, afterUs: (verb: VerbName) => number): Partial<Parts> {
  return {
    Verbs: class extends of.Verbs {
      override call(name: VerbName, args: TraceStruct): Success | Promise<Success> {
        this.#pass(beforeUs(name));
        const success = super.call(name, args);
        this.#pass(afterUs(name));
        return success;
      }

      #pass(us: number): void {
        if (us === 0) return;
        this.model.pass((clock) => {
          clock.advance(us);
        });
      }
    },
  };
}

/** What goes on while a C function runs. */
export const variants: Variants = {
  'calls-take-long': {
    does: 'each C function takes 300 microseconds more',
    because: 'no page says how long a call takes; those that talk to firmware take that long and longer',
    parts: (of) =>
      lasting(
        of,
        () => callUs,
        () => 0,
      ),
  },
  'work-is-done-before-the-post-returns': {
    does: 'sends that are posted have completed when ibv_post_send() returns',
    because: 'no page says how soon work completes; a driver in software may do it at once',
    parts: (of) =>
      lasting(
        of,
        () => 0,
        (verb) => (verb === 'ibv_post_send' ? workUs : 0),
      ),
  },
};
