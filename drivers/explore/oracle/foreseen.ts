import type { TraceStruct, TraceValue } from '../../contract';
import { callsOf, type Op, type Program, type ProgramRecord } from '../../programs/program';
import { behindTheLast, refusedSendStays } from '../generate/avoided';
import { resetQueueNeverDrains } from '../model/guided-qp';

/** Tells of one record after the other whether it is of a call after which nothing can be foreseen. */
type IsEnding = (record: ProgramRecord) => boolean;

/** Those calls, by the clauses that a device does not keep there. */
const endings: Readonly<Record<string, () => IsEnding>> = {
  [behindTheLast]:
    () =>
    ({ verb, returned }) =>
      verb === 'ibv_next_poll' && returned !== 0,
  [refusedSendStays]:
    () =>
    ({ verb, returned, outputs }) =>
      verb === 'ibv_post_send' && returned !== 0 && outputs.badWr === null,
  [resetQueueNeverDrains]: drainsOfResetQps,
};

/** Whether a request was under way at a reset, only the device knows: any send before it may have been. */
function drainsOfResetQps(): IsEnding {
  const sent = new Set<TraceValue>();
  const reset = new Set<TraceValue>();
  return ({ verb, args: { qp = null, attr }, returned }) => {
    if (verb === 'ibv_create_qp') for (const one of [sent, reset]) one.delete(returned);
    if (verb === 'ibv_post_send') sent.add(qp);
    if (verb !== 'ibv_modify_qp' || returned !== 0) return false;
    const { qpState } = attr as TraceStruct;
    if (qpState === 'IBV_QPS_RESET' && sent.has(qp)) reset.add(qp);
    return qpState === 'IBV_QPS_SQD' && reset.has(qp);
  };
}

/** A program as far as it was run, and its records. */
export interface Course {
  readonly program: Program;
  readonly records: readonly (ProgramRecord | undefined)[];
}

/**
 * What a program has come to up to the first call after which nothing can be foreseen on a device that does not keep these
 * clauses: that call is the last; nothing of threads, of which one makes it. All of it where there is no such call.
 */
export function foreseen(course: Course, excused: ReadonlySet<string>): Course & { readonly endsFor?: string } {
  const { last, endsFor } = firstEnding(course.records, excused);
  if (endsFor === undefined) return course;
  const { program } = course;
  let calls = 0;
  const ops: Op[] = [];
  for (const op of program.ops) {
    const size = callsOf({ ops: [op] }).length;
    if (calls + size > last + 1) break;
    ops.push(op);
    calls += size;
    if (calls === last + 1) break;
  }
  return { program: { ...program, ops }, records: course.records.slice(0, calls), endsFor };
}

function firstEnding(
  records: Course['records'],
  excused: ReadonlySet<string>,
): { readonly last: number; readonly endsFor?: string } {
  const known = Object.entries(endings).filter(([clause]) => excused.has(clause));
  const ends = known.map(([clause, make]) => ({ clause, isOne: make() }));
  for (const [last, record] of records.entries()) {
    // each has to see each record
    const [found] = ends.filter(({ isOne }) => record !== undefined && isOne(record));
    if (found !== undefined) return { last, endsFor: found.clause };
  }
  return { last: -1 };
}
