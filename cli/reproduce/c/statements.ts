import type { Members, Type } from '../../../drivers/verbs/idl';
import { cName } from '../../../drivers/verbs/derived/c-text';
import { inOrder } from '../../../drivers/verbs/derived/call-text';
import { wordOf, isValueList, type Op, type Value } from '../program';
import { cPath } from './checked';
import { keptName } from './names';
import { postStatements } from './post';
import { eventStatements, beginPending, waitFor } from './waiting';
import { pollStatements, batchStatements, readerStatements } from './polling';
import type { Judged, ProgramWriter } from './program-writer';

type Statements = (writer: ProgramWriter, judged: Judged) => void;

/** Verbs whose calls do not follow from their descriptions alone. */
const special: Readonly<Record<string, Statements>> = {
  ibv_open_device: (writer, { op }) => {
    writer.use('open_device');
    const context = madeName(writer, op);
    writer.line(`${context} = open_device(device);`);
    if (writer.ops.find(({ call }) => call.verb === op.call.verb) !== op) return;
    const query = `ibv_query_gid(${context}, port, gid_index, &gid)`;
    writer.line(`@if gid must("ibv_query_gid", ${query} ? errno : 0);`);
  },
  'memory allocate': (writer, { op }) => {
    writer.use('allocate');
    writer.line(`${madeName(writer, op)} = allocate(${wordOf(op.args.length)});`);
  },
  'memory free': (writer, { op }) => {
    const name = writer.object(op, 'memory');
    writer.line(`munmap(${name}, ${writer.lengthOf(wordOf(op.args.memory))});`);
  },
  'memory write': memoryWrite,
  'memory read': (writer, judged) => {
    writer.compare(judged, () => `(const void *)(uintptr_t)(${addressOf(writer, judged.op)})`);
  },
  'struct ibv_cq': (writer, judged) => {
    writer.compare(judged, (path) => `${writer.object(judged.op, 'cq')}->${cPath(path)}`);
  },
  'struct ibv_comp_channel': (writer, judged) => {
    writer.compare(judged, (path) => `${writer.object(judged.op, 'channel')}->${cPath(path)}`);
  },
  'struct ibv_cq_ex': (writer, judged) => {
    writer.compare(judged, (path) => `${writer.object(judged.op, 'cq', true)}->${cPath(path)}`);
  },
  ibv_poll_cq: pollStatements,
  ibv_start_poll: batchStatements,
  ibv_next_poll: (writer, judged) => {
    writer.use('settle');
    writer.line('settle();');
    writer.call(judged, `ibv_next_poll(${writer.object(judged.op, 'cq', true)})`);
  },
  ibv_end_poll: (writer, { op }) => {
    writer.line(`ibv_end_poll(${writer.object(op, 'cq', true)});`);
  },
  ibv_get_cq_event: eventStatements,
  ibv_get_async_event: eventStatements,
  poll: waitFor,
  fcntl: fileFlags,
  setrlimit: openFiles,
  ibv_post_send: postStatements,
  ibv_post_recv: postStatements,
  ibv_post_srq_recv: postStatements,
  ibv_query_device_ex: (writer, judged) => {
    writer.block(() => {
      writer.line('struct ibv_device_attr_ex attr;', '');
      writer.call(judged, `ibv_query_device_ex(${writer.object(judged.op, 'context')}, NULL, &attr)`);
    });
  },
};

/** Structs that a function fills in, by the names of its arguments. */
const filledStructs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ibv_query_device: { deviceAttr: 'ibv_device_attr' },
  ibv_query_port: { portAttr: 'ibv_port_attr' },
  ibv_query_srq: { srqAttr: 'ibv_srq_attr' },
  ibv_query_qp: { attr: 'ibv_qp_attr', initAttr: 'ibv_qp_init_attr' },
};

/** Writes the statements of an operation. */
export function statements(writer: ProgramWriter, judged: Judged): void {
  const { op } = judged;
  if (op.pendingUntil !== undefined) {
    beginPending(writer, judged);
    return;
  }
  const write = special[op.call.verb];
  if (write !== undefined) write(writer, judged);
  else if (op.call.verb.startsWith('ibv_wc_read_')) readerStatements(writer, judged);
  else plainCall(writer, judged);
}

/** A call as its description says: structs are variables of a block around it. */
function plainCall(writer: ProgramWriter, judged: Judged): void {
  const { op } = judged;
  const parameters = op.description.in.flatMap((parameter) => Object.entries(parameter));
  const structs = parameters.filter(([, type]) => type.is === 'struct');
  const filled = Object.entries(filledStructs[op.call.verb] ?? {});
  const write = (): void => {
    for (const [name, type] of structs) writer.line(...structLines(writer, type, name, op.args[name]));
    for (const [name, struct] of filled) writer.line(`struct ${struct} ${cName(name)};`);
    if (structs.length > 0 || filled.length > 0) writer.line('');
    const call = callText(writer, op);
    if (op.description.returns === 'text') textCall(writer, judged, call);
    else conventionCall(writer, judged, call);
    if (filled.length > 0) compareFilled(writer, judged, filled);
    else compareMade(writer, judged, structs[0]?.[0]);
    keepMembers(writer, op);
  };
  if (structs.length > 0 || filled.length > 0) writer.block(write);
  else write();
}

function callText(writer: ProgramWriter, op: Op): string {
  const parameters = op.description.in.flatMap((parameter) => Object.entries(parameter));
  const args = parameters.map(([name, type]) => [name, argument(writer, op, name, type)] as const);
  const filled = Object.keys(filledStructs[op.call.verb] ?? {}).map((name) => [name, `&${cName(name)}`] as const);
  return `${op.call.verb}(${inOrder(op.description, [...args, ...filled]).join(', ')})`;
}

/** What the function has filled in: of two structs the path begins with the name of one. */
function compareFilled(writer: ProgramWriter, judged: Judged, filled: readonly (readonly [string, string])[]): void {
  const [first = '', other] = filled.map(([name]) => cName(name));
  writer.compare(judged, (path) => {
    if (path === 'result') return undefined;
    return other === undefined ? `${first}.${cPath(path)}` : cPath(path);
  });
}

/** A variable for a struct; what does not fit into a line has one for each member. */
function structLines(writer: ProgramWriter, type: Type, name: string, value: Value): string[] {
  if (type.is !== 'struct') return [];
  return wrapped(`struct ${type.c} ${cName(name)} = ${writer.values.text(type, name, value)};`);
}

/** Breaks a long initializer after the commas of its outer braces. */
export function wrapped(text: string): string[] {
  const open = text.indexOf('{');
  if (text.length <= 96 || open < 0) return [text];
  const lines = [text.slice(0, open + 1)];
  let depth = 0;
  let member = '';
  const end = text.lastIndexOf('}');
  for (const letter of text.slice(open + 1, end)) {
    if (letter === '{' || letter === '(') depth++;
    if (letter === '}' || letter === ')') depth--;
    member += letter;
    if (letter !== ',' || depth > 0) continue;
    lines.push(`\t${member.trim()}`);
    member = '';
  }
  if (member.trim() !== '') lines.push(`\t${member.trim()},`);
  return [...lines, text.slice(end)];
}

function argument(writer: ProgramWriter, op: Op, name: string, type: Type): string {
  if (type.is === 'struct') return `&${cName(name)}`;
  if (type.is === 'constant') return type.text;
  const text = writer.values.text(type, name, op.args[name]);
  return op.call.verb === 'ibv_reg_mr' && name === 'addr' ? `(void *)(uintptr_t)(${text})` : text;
}

function conventionCall(writer: ProgramWriter, judged: Judged, call: string): void {
  const { op, checks } = judged;
  const { fails } = op.description;
  if (fails === 'never') writer.line(`${call};`);
  else if (fails === 'errno') writer.call(judged, call);
  else if (fails !== 'null') writer.call(judged, `${call} ? errno : 0`, call);
  else {
    const isKept = op.made !== undefined || checks.some(({ path }) => path === 'result');
    const made = op.made === undefined || !isKept ? call : `(${madeName(writer, op)} = ${call})`;
    writer.call(judged, `${made} ? 0 : errno`);
  }
}

function textCall(writer: ProgramWriter, judged: Judged, call: string): void {
  const check = judged.checks.find(({ path }) => path === 'text');
  const other = check?.other === undefined ? undefined : writer.ops[check.other];
  if (check === undefined) writer.line(`(void)${call};`);
  else if (other === undefined) writer.check(check, call, writer.callName(judged.op));
  else writer.check(check, `strcmp(${call}, ${callText(writer, other)})`, `text of ${call}`);
}

/** What the function says of what it made, in the object or in the struct that it was given. */
function compareMade(writer: ProgramWriter, judged: Judged, struct: string | undefined): void {
  const { op } = judged;
  const object = op.made === undefined ? '' : writer.values.object(op.made);
  writer.compare(judged, (path) => {
    if (path === 'result' || path === 'text') return undefined;
    if (path === 'cqe') return `${op.made === undefined ? writer.object(op, 'cq') : object}->cqe`;
    return struct === undefined
      ? undefined
      : `${cName(struct)}.${op.call.verb === 'ibv_create_srq' ? 'attr.' : ''}${cPath(path)}`;
  });
}

const keptKinds: Readonly<Record<string, readonly string[]>> = {
  qp: ['qpNum'],
  mr: ['lkey', 'rkey'],
  mw: ['rkey'],
};

/** Numbers that are used later outlive their object. The line stands for a member that may turn out to be used. */
function keepMembers(writer: ProgramWriter, { made, description, answer }: Op): void {
  if (made === undefined || answer.errno !== undefined) return;
  for (const member of keptKinds[description.makes ?? ''] ?? []) {
    const name = writer.names.of(made);
    writer.line(`@if ${made}.${member} ${keptName(name, member)} = ${name}->${cName(member)};`);
  }
}

const madeName = (writer: ProgramWriter, { made = '' }: Op): string => writer.names.of(made);

const addressOf = (writer: ProgramWriter, op: Op): string => argumentText(writer, op, 'addr');

function argumentText(writer: ProgramWriter, op: Op, name: string): string {
  const types = Object.assign({}, ...op.description.in) as Members;
  const type = types[name];
  return type === undefined ? '0' : writer.values.text(type, name, op.args[name]);
}

function memoryWrite(writer: ProgramWriter, { op }: Judged): void {
  const digits = wordOf(op.args.bytes);
  const bytes = (digits.match(/../g) ?? []).map((byte) => `0x${byte}`);
  const address = `(void *)(uintptr_t)(${addressOf(writer, op)})`;
  if (bytes.length === 0) return;
  if (bytes.every((byte) => byte === bytes[0])) {
    writer.line(`memset(${address}, ${bytes[0] ?? '0'}, ${bytes.length});`);
    return;
  }
  writer.line(`memcpy(${address}, (const unsigned char[]){ ${bytes.join(', ')} }, ${bytes.length});`);
}

/** Other flags of the descriptor stay as they are: those that the run had may not all have names. */
function fileFlags(writer: ProgramWriter, judged: Judged): void {
  const { op, checks } = judged;
  const source = wordOf(op.args.source);
  const fd = `${writer.object(op, 'source')}->${source.startsWith('context') ? 'async_fd' : 'fd'}`;
  if (op.args.cmd === 'F_SETFL') {
    const { flags } = op.args;
    const text = isValueList(flags) ? flags.map(String).join(' | ') || '0' : '0';
    writer.call(judged, `fcntl(${fd}, F_SETFL, ${text}) == -1 ? errno : 0`);
    return;
  }
  if (checks.length > 0) writer.compare(judged, () => `fcntl(${fd}, F_GETFL)`);
}

function openFiles(writer: ProgramWriter, judged: Judged): void {
  const { soft } = judged.op.args;
  writer.use('limit_open_files');
  writer.call(judged, `limit_open_files(${soft === null ? -1 : wordOf(soft)})`);
}
