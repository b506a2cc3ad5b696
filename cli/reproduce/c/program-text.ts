import type { Check } from '../checks';
import type { Answer, LocalPort, Op } from '../program';
import { cPath } from './checked';
import { helperTexts } from './helpers';
import { cComment, cString, Identifiers, keptName } from './names';
import { ProgramWriter, type Judged } from './program-writer';
import { statements } from './statements';
import { endPending, linkStatements, pendingName } from './waiting';

/** What a program is made of, and what its comment says. */
export interface ProgramParts {
  readonly ops: readonly Op[];
  readonly answers: readonly Answer[];
  readonly checks: readonly Check[];
  readonly nameOf: (handle: string) => string;
  readonly local: LocalPort;
  /** What the comment at the beginning says, a line each. */
  readonly about: readonly string[];
  /** Whether the run's device did not return from the last call. */
  readonly hangs: boolean;
}

/** Seconds after which a program counts as hung; a pause of the run is shorter. */
const hangSeconds = 60;

/** Struct types of variables for objects. */
const objectTypes: Readonly<Record<string, string>> = {
  context: 'struct ibv_context *',
  pd: 'struct ibv_pd *',
  ah: 'struct ibv_ah *',
  memory: 'unsigned char *',
  mr: 'struct ibv_mr *',
  mw: 'struct ibv_mw *',
  channel: 'struct ibv_comp_channel *',
  cq: 'struct ibv_cq *',
  srq: 'struct ibv_srq *',
  qp: 'struct ibv_qp *',
  event: 'struct ibv_async_event ',
};

/** A program in C that makes the calls of a scenario and compares what failed. */
export function programText(parts: ProgramParts): string {
  const { ops, checks, answers, nameOf, hangs } = parts;
  const writer = new ProgramWriter(ops, new Identifiers(nameOf));
  const judged = ops.map((op, index): Judged => {
    const own = checks.filter((check) => check.op === index);
    return { op, index, expected: answers[index], checks: own };
  });
  writer.use('on_alarm');
  writeBody(writer, judged);
  const body = keptOnly(writer);
  const helpers = helperTexts(writer.uses);
  const hung = hangText(judged.at(-1), writer, hangs);
  return [...opening(parts, writer.uses), ...hung, ...helpers, ...mainText(parts, writer, body), ''].join('\n');
}

function opening({ about, local }: ProgramParts, uses: ReadonlySet<string>): string[] {
  const hasThreads = uses.has('pending');
  const command = `cc -o reproduce FILE -libverbs${hasThreads ? ' -pthread' : ''}`;
  return [
    '/*',
    ...[...about, '', command, './reproduce [DEVICE [PORT [GID_INDEX]]]', ''].map((line) =>
      ` * ${cComment(line)}`.trimEnd(),
    ),
    ' * Exit code 1: the failure shows. 0: it does not. 2: the program did not come as far as that.',
    ' */',
    '#define _GNU_SOURCE',
    ...['arpa/inet.h', 'errno.h', 'fcntl.h', 'infiniband/verbs.h', 'poll.h'].map(include),
    ...(hasThreads ? ['pthread.h', 'stdatomic.h'].map(include) : []),
    ...['signal.h', 'stdint.h', 'stdio.h', 'stdlib.h', 'string.h', 'sys/mman.h'].map(include),
    ...['sys/resource.h', 'time.h', 'unistd.h'].map(include),
    '',
    '/* Milliseconds in which what has to happen happens, and in which whatever goes on has come to rest. */',
    '#define EVENT_MS 5000',
    '#define QUIET_MS 200',
    ...(uses.has('await_link')
      ? ['/* Milliseconds in which somebody moves the link of the port. */', '#define LINK_MS 15000']
      : []),
    `#define DEVICE ${cString(local.device)}`,
    `#define PORT ${local.portNum}`,
    `#define GID_INDEX ${local.gidIndex}`,
  ];
}

const include = (file: string): string => `#include <${file}>`;

function hangText(last: Judged | undefined, writer: ProgramWriter, hangs: boolean): string[] {
  const name = last === undefined ? 'the program' : writer.callName(last.op);
  const text = hangs
    ? `${name}: expected that it returns, observed that it did not within ${hangSeconds} s\n`
    : `set-up: a call did not return within ${hangSeconds} s\n`;
  return [`#define HANG_TEXT ${cString(text).replaceAll('\\012', '\\n')}`, `#define HANG_CODE ${hangs ? 1 : 2}`];
}

function writeBody(writer: ProgramWriter, judged: readonly Judged[]): void {
  let title: string | undefined;
  for (const one of judged) {
    const { op, index } = one;
    if (op.title !== title && op.title !== undefined) writer.line('', `/* ${cComment(op.title)} */`);
    title = op.title;
    for (const other of judged) if (other.op.pendingUntil === index) endPending(writer, other);
    if (op.pauseMs > 0) {
      writer.use('pause_ms');
      writer.line(`pause_ms(${op.pauseMs});`);
    }
    if (op.link !== undefined) linkStatements(writer, op.link);
    statements(writer, one);
  }
  for (const one of judged) {
    const { pendingUntil } = one.op;
    if (pendingUntil !== undefined && (pendingUntil === 'never' || pendingUntil >= judged.length))
      endPending(writer, one);
  }
}

/** The lines of a body; of those that keep a member of an object, those that something uses. */
function keptOnly(writer: ProgramWriter): string[] {
  return writer.lines.flatMap((line) => {
    const [, indent = '', key = '', text = ''] = /^(\t*)@if (\S+) (.*)$/.exec(line) ?? [];
    if (key === '') return [line];
    const { kept, locals } = writer.values;
    return kept.has(key) || locals.has(key) ? [`${indent}${text}`] : [];
  });
}

function mainText({ ops, checks }: ProgramParts, writer: ProgramWriter, body: readonly string[]): string[] {
  return [
    '',
    'int main(int argc, char **argv)',
    '{',
    ...declarations(ops, writer).map((line) => `\t${line}`),
    '',
    ...(writer.uses.has('open_device') ? [] : ['\t(void)argc;', '\t(void)argv;']),
    '\tsignal(SIGALRM, on_alarm);',
    `\talarm(${hangSeconds});`,
    ...body.map((line) => (line === '' ? '' : `\t${line}`)),
    ...unread(ops, writer, body).map((name) => `\t(void)${name};`),
    '',
    `\tputs(${cString(endText(checks, ops, writer))});`,
    '\treturn 0;',
    '}',
  ];
}

function declarations(ops: readonly Op[], writer: ProgramWriter): string[] {
  const { kept, locals } = writer.values;
  const objects = ops.flatMap(({ made, call }) => {
    if (made === undefined) return [];
    const type = call.verb === 'ibv_create_cq_ex' ? 'struct ibv_cq_ex *' : (objectTypes[kindOf(made)] ?? 'void *');
    return [`${type}${writer.names.of(made)};`];
  });
  const numbers = [...kept].map((key) => {
    const [handle = '', member = ''] = key.split('.');
    return `uint32_t ${keptName(writer.names.of(handle), member)};`;
  });
  const threads = ops.flatMap(({ pendingUntil }, index) =>
    pendingUntil === undefined ? [] : [`static struct pending ${pendingName(index)};`],
  );
  return [
    ...(writer.uses.has('open_device') ? ['const char *device = argc > 1 ? argv[1] : DEVICE;'] : []),
    ...(locals.has('portNum') || locals.has('gid') ? ['int port = argc > 2 ? atoi(argv[2]) : PORT;'] : []),
    ...(locals.has('gidIndex') || locals.has('gid') ? ['int gid_index = argc > 3 ? atoi(argv[3]) : GID_INDEX;'] : []),
    ...(locals.has('gid') ? ['union ibv_gid gid;'] : []),
    ...objects,
    ...numbers,
    ...threads,
  ];
}

const kindOf = (handle: string): string => handle.replace(/#.*$/, '');

/** Objects that are made and then stand for nothing more, which a compiler would complain of. */
function unread(ops: readonly Op[], writer: ProgramWriter, body: readonly string[]): string[] {
  const code = body.filter((line) => !line.startsWith('/*')).join('\n');
  const names = ops.flatMap(({ made }) => (made === undefined ? [] : [writer.names.of(made)]));
  return names.filter((name) => (code.match(new RegExp(`(?<![\\w.])${name}(?!\\w)`, 'g')) ?? []).length < 2);
}

function endText(checks: readonly Check[], ops: readonly Op[], writer: ProgramWriter): string {
  const [first] = checks;
  const op = first && ops[first.op];
  if (first === undefined || op === undefined)
    return 'not reproduced: nothing was to be compared, and all calls returned';
  return `not reproduced: ${cPath(first.path)} of ${writer.callName(op)} is as expected`;
}
