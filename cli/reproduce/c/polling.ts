import type { Op } from '../program';
import { cPath } from './checked';
import { cString } from './names';
import type { Judged, ProgramWriter } from './program-writer';

/** CQEs that lie on the stack at most. */
const onStackMax = 256;

/** Takes CQEs: as many as the run got, or where that is what failed, as many as the reference gives. */
export function pollStatements(writer: ProgramWriter, judged: Judged): void {
  const { op, checks, expected } = judged;
  const entries = Number(op.args.numEntries);
  const got = countOf(op.answer.returned);
  const wanted = checks.length > 0 ? countOf(expected?.returned) : got;
  const room = Math.max(entries, 0) + 1;
  writer.block(() => {
    writer.line(`${room > onStackMax ? 'static ' : ''}struct ibv_wc wc[${room}];`);
    writer.line('int polled;', '', 'memset(wc, 0xa5, sizeof wc);');
    const isShort = op.calls === 1 && got > 0 && got < wanted;
    writer.line(...(isShort ? onePoll(writer, op, entries) : [`polled = ${pollText(writer, op, entries, wanted)};`]));
    if (checks.length > 0 && got > wanted) pollFurther(writer, op, entries);
    compareCount(writer, judged, wanted);
    writer.compare(judged, (path) => memberText(path, entries));
  });
}

/** The run polled once and got less than there was: a second poll might find the rest. */
function onePoll(writer: ProgramWriter, op: Op, entries: number): string[] {
  writer.use('settle');
  return ['settle();', `polled = ibv_poll_cq(${writer.object(op, 'cq')}, ${entries}, wc);`];
}

const countOf = (returned: unknown): number => (typeof returned === 'number' ? Math.max(0, returned) : 0);

function pollText(writer: ProgramWriter, op: Op, entries: number, wanted: number): string {
  const cq = writer.object(op, 'cq');
  if (entries < 1 || op.answer.errno !== undefined) return `ibv_poll_cq(${cq}, ${entries}, wc)`;
  writer.use('take');
  return `take(${cq}, ${entries}, wc, ${wanted})`;
}

/** More came in the run than the reference gives. */
function pollFurther(writer: ProgramWriter, op: Op, entries: number): void {
  writer.use('take');
  writer.line(`if (polled >= 0 && polled < ${entries})`);
  writer.line(`\tpolled += take(${writer.object(op, 'cq')}, ${entries} - polled, wc + polled, 0);`);
}

function compareCount(writer: ProgramWriter, { op, checks }: Judged, wanted: number): void {
  const count = checks.find(({ path }) => path === 'count');
  const result = checks.find(({ path }) => path === 'result');
  const name = writer.callName(op);
  if (result !== undefined) writer.check(result, '(polled < 0 ? (errno ? errno : -polled) : 0)', name);
  if (count !== undefined) writer.check(count, 'polled', `CQEs of ${name}`);
  if (count !== undefined || result !== undefined) return;
  if (op.answer.errno !== undefined) {
    writer.line(`(void)polled; /* ${op.answer.errno} in the run */`);
    return;
  }
  writer.use('need');
  writer.line(`need(polled == ${wanted}, ${cString(`${name} has to give ${wanted} CQEs`)});`);
}

function memberText(path: string, entries: number): string | undefined {
  if (path === 'count' || path === 'result') return undefined;
  if (path === 'overflowed')
    return `(((unsigned char *)&wc[${Math.max(entries, 0)}])[0] != 0xa5 || wc[${Math.max(entries, 0)}].qp_num != 0xa5a5a5a5)`;
  return path.endsWith('.immData') ? `ntohl(${cPath(path)})` : cPath(path);
}

/** Opens a batch: waits for a CQE where the reference, or before what failed the run, had one. */
export function batchStatements(writer: ProgramWriter, judged: Judged): void {
  const { op, checks, expected } = judged;
  const cq = writer.object(op, 'cq', true);
  const errno = checks.length > 0 ? expected?.errno : op.answer.errno;
  if (errno === undefined) {
    writer.use('start_batch');
    writer.call(judged, `start_batch(${cq})`);
    return;
  }
  writer.use('settle');
  writer.line('settle();');
  writer.call(judged, `ibv_start_poll(${cq}, &(struct ibv_poll_cq_attr){ 0 })`);
}

/** Reads a member of the CQE that the iterator stands on; what nobody compares is read all the same. */
export function readerStatements(writer: ProgramWriter, judged: Judged): void {
  const { op, checks } = judged;
  const call = `${op.call.verb}(${writer.object(op, 'cq', true)})`;
  const seen = op.call.verb === 'ibv_wc_read_imm_data' ? `ntohl(${call})` : call;
  if (checks.length === 0) writer.line(`(void)${call};`);
  writer.compare(judged, () => seen);
}
