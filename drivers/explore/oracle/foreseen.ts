import { callsOf, type Op, type Program, type ProgramRecord } from '../../programs/program';
import { behindTheLast } from '../generate/avoided';

/** A list of sends that the kernel refuses, in which state of the QP soever, is done or flushed later. No page has a clause about it. */
export const refusedSendStays = 'sends that are refused without a bad_wr';

/** The calls after which nothing can be foreseen, by the clauses that a device does not keep there. */
const endings: Readonly<Record<string, (record: ProgramRecord) => boolean>> = {
  [behindTheLast]: ({ verb, returned }) => verb === 'ibv_next_poll' && returned !== 0,
  [refusedSendStays]: ({ verb, returned, outputs }) =>
    verb === 'ibv_post_send' && returned !== 0 && outputs.badWr === null,
};

/** A program as far as it was run, and its records. */
interface Course {
  readonly program: Program;
  readonly records: readonly (ProgramRecord | undefined)[];
}

/**
 * What a program has come to up to the first call after which nothing can be foreseen on a device that does not keep these
 * clauses: that call is the last; nothing of threads, of which one makes it. All of it where there is no such call.
 */
export function foreseen(course: Course, excused: ReadonlySet<string>): Course & { readonly endsFor?: string } {
  const ends = Object.entries(endings).filter(([clause]) => excused.has(clause));
  const isEnd = (record: ProgramRecord | undefined): string | undefined =>
    record && ends.find(([, isOne]) => isOne(record))?.[0];
  const last = course.records.findIndex((record) => isEnd(record) !== undefined);
  const endsFor = isEnd(course.records[last]);
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
