import type { Errno, TraceStruct } from '../../contract';
import type { VerbName } from '../../verbs';
import type { Parts } from '../device/device';
import { demand } from '../refusal';
import type { Success } from '../return-values';

/** A device that refuses calls of these C functions, all or some of them. */
export function refusing(
  verbs: readonly VerbName[],
  errno: Errno,
  isMeant: (args: TraceStruct) => boolean = () => true,
): (of: Parts) => Partial<Parts> {
  return (of) => ({
    Verbs: class extends of.Verbs {
      override call(name: VerbName, args: TraceStruct): Success | Promise<Success> {
        demand(!(verbs.includes(name) && isMeant(args)), errno);
        return super.call(name, args);
      }
    },
  });
}
