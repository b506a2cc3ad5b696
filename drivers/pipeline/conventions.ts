import { descriptionOf, type VerbName } from '../verbs';
import type { FailureConvention } from '../verbs/verb';

export type { VerbName };

/** How a C function says that it refused. */
export const conventionOf = (verb: VerbName): FailureConvention => descriptionOf(verb).fails;

/** Whether a raw result is a refusal under its function's convention. */
export function isRefusal(verb: VerbName, returned: number | string | null): boolean {
  switch (conventionOf(verb)) {
    case 'null':
      return returned === null;
    case 'minus-one':
      return returned === -1;
    case 'errno':
    case 'zero-or-minus-one':
      return returned !== 0;
    case 'negative':
      return typeof returned === 'number' && returned < 0;
    case 'never':
      return false;
  }
}

/** What a function returns to refuse with `errno`. */
export function refusalOf(verb: VerbName, errno: number): number | null {
  switch (conventionOf(verb)) {
    case 'null':
    case 'never':
      return null;
    case 'minus-one':
    case 'zero-or-minus-one':
      return -1;
    case 'errno':
      return errno;
    case 'negative':
      return -errno;
  }
}
