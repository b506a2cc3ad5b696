import type { VerbName } from '../../pipeline/conventions';
import type { Parts } from '../device/device';
import type { Refusal } from '../refusal';
import { ReturnValues, type Success, type Returned } from '../return-values';

/** C functions that say something else than the page does when they have succeeded. */
export function succeedingWith(
  verbs: readonly VerbName[],
  change: (outcome: Success) => Partial<Returned>,
): Partial<Parts> {
  class Changed extends ReturnValues {
    /** What it changes: other calls return what they do without it. */
    static readonly verbs = verbs;

    override ofSuccess(verb: VerbName, outcome: Success): Returned {
      return { ...super.ofSuccess(verb, outcome), ...(verbs.includes(verb) && change(outcome)) };
    }
  }
  return { ReturnValues: Changed };
}

/** C functions that say something else than the page does when they refuse. */
export function refusingWith(
  verbs: readonly VerbName[],
  change: (refusal: Refusal) => Partial<Returned>,
): Partial<Parts> {
  class Changed extends ReturnValues {
    /** What it changes: other calls return what they do without it. */
    static readonly verbs = verbs;

    override ofRefusal(verb: VerbName, refusal: Refusal): Returned {
      return { ...super.ofRefusal(verb, refusal), ...(verbs.includes(verb) && change(refusal)) };
    }
  }
  return { ReturnValues: Changed };
}
