import { isEnding, type CallRecord, type Handle } from '../../drivers/contract';

/** Whether an object had been destroyed, and the call had returned, by that time of the trace. */
export function hasEndedBefore(trace: readonly CallRecord[], object: Handle, timeUs: number): boolean {
  return trace.some((record) => isEnding(record, object) && record.startedAt + record.durationUs <= timeUs);
}
