import { workRequestVerbs } from '../../../drivers/verbs/work-request';
import { membersOf } from '../../../drivers/verbs/derived/c-text';
import type { Members, StructType, Type } from '../../../drivers/verbs/idl';
import { isValueList, isValues, type Value, type Values } from '../program';
import { cString } from './names';
import type { Judged, ProgramWriter } from './program-writer';

/** Posts a list: its elements lie in one array, those of their scatter/gather lists in another. */
export function postStatements(writer: ProgramWriter, judged: Judged): void {
  const { op, checks } = judged;
  const isSend = op.call.verb === 'ibv_post_send';
  const type = wrType(isSend);
  const wrs = isValueList(op.args.wrs) ? op.args.wrs.filter(isValues) : [];
  const queue = writer.object(op, op.call.verb === 'ibv_post_srq_recv' ? 'srq' : 'qp');
  const struct = isSend ? 'ibv_send_wr' : 'ibv_recv_wr';
  const lists = wrs.map(({ sgList }) => (isValueList(sgList) ? sgList.filter(isValues) : []));
  writer.block(() => {
    const sges = lists.flat().map((sge) => sgeText(writer, type, sge));
    if (sges.length > 0) writer.line('struct ibv_sge sge[] = {', ...sges.map((sge) => `\t${sge},`), '};');
    let first = 0;
    const elements = wrs.map((wr, index) => {
      const count = lists[index]?.length ?? 0;
      const list = count === 0 ? [] : [`.sg_list = &sge[${first}]`, `.num_sge = ${count}`];
      first += count;
      const next = index + 1 < wrs.length ? [`.next = &wr[${index + 1}]`] : [];
      return `\t{ ${[...next, ...list, ...membersText(writer, type, wr)].join(', ')} },`;
    });
    if (wrs.length > 0) writer.line(`struct ${struct} wr[] = {`, ...elements, '};');
    writer.line(`struct ${struct} *bad_wr = NULL;`, '');
    writer.call(judged, `${op.call.verb}(${queue}, ${wrs.length > 0 ? 'wr' : 'NULL'}, &bad_wr)`);
    for (const { path, expected } of checks) if (path === 'badWr') badWrCheck(writer, judged, expected);
  });
}

function badWrCheck(writer: ProgramWriter, { op }: Judged, expected: unknown): void {
  const wanted = typeof expected === 'number' ? `&wr[${expected}]` : 'NULL';
  writer.use('check');
  writer.line(`check(bad_wr == ${wanted}, ${cString(`bad_wr of ${writer.callName(op)}`)},`);
  writer.line(`      ${cString(wanted)}, bad_wr ? "another one" : "NULL");`);
}

function wrType(isSend: boolean): StructType<Members, Members> {
  const verb = isSend ? workRequestVerbs.postSend : workRequestVerbs.postRecv;
  return verb.in[1].wrs.item;
}

function sgeText(writer: ProgramWriter, type: StructType<Members, Members>, sge: Values): string {
  const { sgList } = type.members;
  const item: Type | undefined = sgList?.is === 'list' ? sgList.item : undefined;
  return item?.is === 'struct' ? writer.values.struct(item, sge) : '{ 0 }';
}

/** The members of a request but its list. */
function membersText(writer: ProgramWriter, type: StructType<Members, Members>, wr: Values): string[] {
  const without: Members = Object.fromEntries(membersOf(type).filter(([name]) => name !== 'sgList'));
  const plain = { ...type, members: without, optional: {} };
  const inner = writer.values.struct(plain, { ...wr, opcode: opcodeOf(wr.opcode) }).slice(2, -2);
  return inner === '0' ? [] : [inner];
}

/** A receive has none. */
const opcodeOf = (opcode: Value): Value => (typeof opcode === 'string' && opcode !== '' ? opcode : undefined);
