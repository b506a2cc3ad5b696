import type { Guide } from '../guide';

/** Which status belongs to which error. A device that is known not to keep it at all may give any in place of another. */
export const statusOfErrors = 'ibv_poll_cq.error-valid-status';

/** What a device is known for that gives one status of a failed CQE in place of another. */
export const inPlaceOf = (expected: string, observed: string): string =>
  `${statusOfErrors}, ${observed} in place of ${expected}`;

/** The name of what lets the device give another status, if it is known for that. */
export function knownForStatus(guide: Guide, expected: string, observed: string): string | undefined {
  return [statusOfErrors, inPlaceOf(expected, observed)].find((name) => guide.isKnownFor(name));
}
