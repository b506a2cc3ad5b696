import type { PolledCompletion } from './polled-completions';
import type { PostedWork } from './posted-work';
import type { CqOfTrace } from './queues';

/**
 * Whether a CQ can have overrun: at some time more work was posted than the CQ had entries and had not given its CQEs.
 *
 * @param work - that may complete on the CQ
 * @param completions - that the CQ has given
 */
export function mayHaveOverrun(
  { entries }: CqOfTrace,
  work: readonly PostedWork[],
  completions: readonly PolledCompletion[],
): boolean {
  const changes = [
    ...work.map(({ atUs }) => ({ atUs, by: 1 })),
    ...completions.map(({ atUs }) => ({ atUs, by: -1 })),
  ].sort((one, other) => one.atUs - other.atUs || one.by - other.by);
  let open = 0;
  return changes.some(({ by }) => (open += by) > entries);
}
