import { errnoName } from '../contract';
import { isRefusal } from '../pipeline/conventions';
import { structsOf } from '../pipeline/values';
import type { ProgramRecord } from '../programs/program';
import { shown } from './shown';

/** What a record is an example of: its function and outcome, and of completions what they say. */
export function* examplesOf(records: readonly (ProgramRecord | undefined)[]): Generator<string> {
  let before = '';
  for (const record of records) {
    if (record === undefined) continue;
    const outcome = `${record.verb} ${outcomeOf(record)}`;
    yield outcome;
    yield `${before} > ${record.verb}`;
    before = outcome;
    if (record.verb !== 'ibv_poll_cq' || !('wc' in record.outputs)) continue;
    for (const { status, opcode, wcFlags } of structsOf(record.outputs, 'wc')) {
      yield status === 'IBV_WC_SUCCESS' ? `${shown(opcode)} ${shown(wcFlags)}` : shown(status);
    }
  }
}

function outcomeOf({ verb, returned, errno, blocked, outputs }: ProgramRecord): string {
  if (blocked === true) return 'blocked';
  if (isRefusal(verb, returned)) return errnoName(errno);
  return typeof outputs.eventType === 'string'
    ? outputs.eventType
    : typeof returned === 'number' && returned > 0
      ? 'some'
      : 'done';
}
