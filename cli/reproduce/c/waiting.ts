import type { Check } from '../checks';
import { wordOf, type Answer, type Link, type Op } from '../program';
import { cPath } from './checked';
import { cString } from './names';
import type { Judged, ProgramWriter } from './program-writer';

/** The descriptor of a channel or a context. */
export function descriptorOf(writer: ProgramWriter, { args }: Op): string {
  const handle = wordOf(args.source ?? args.channel ?? args.context);
  return `${writer.names.of(handle)}->${handle.startsWith('context') ? 'async_fd' : 'fd'}`;
}

/** Asks for what libibverbs cannot do, and waits until the device tells of it. */
export function linkStatements(writer: ProgramWriter, { way, context }: Link): void {
  writer.use('await_link');
  writer.line(`await_link(${writer.names.of(context)}->async_fd, ${cString(way)});`);
}

/** poll(2): a look at once is one after everything has settled. */
export function waitFor(writer: ProgramWriter, judged: Judged): void {
  const { op, checks } = judged;
  const { timeoutMs } = op.args;
  const { returned } = op.answer;
  if (timeoutMs === 0) {
    writer.use('settle');
    writer.line('settle();');
  }
  writer.block(() => {
    writer.line(`struct pollfd look = { .fd = ${descriptorOf(writer, op)}, .events = POLLIN };`, '');
    writer.call(judged, `poll(&look, 1, ${wordOf(timeoutMs)}) < 0 ? errno : 0`);
    writer.compare(judged, (path) => (path === 'revents' ? 'look.revents' : undefined));
    if (checks.length > 0 || typeof returned !== 'number' || returned < 1) return;
    writer.use('need');
    writer.line(`need(look.revents & POLLIN, ${cString(`${writer.callName(op)} has to find an event`)});`);
  });
}

/** Takes an event, which a descriptor that blocks has to have. */
export function eventStatements(writer: ProgramWriter, judged: Judged): void {
  const { op, expected } = judged;
  const isAsync = op.call.verb === 'ibv_get_async_event';
  const mayRefuse = op.isNonBlocking && (op.answer.errno !== undefined || expected?.errno !== undefined);
  awaitEvent(writer, judged, mayRefuse);
  const event = op.made === undefined ? 'event' : writer.names.of(op.made);
  const source = writer.object(op, isAsync ? 'context' : 'channel');
  writer.block(() => {
    if (isAsync && op.made === undefined) writer.line('struct ibv_async_event event = { 0 };');
    if (!isAsync) writer.line('struct ibv_cq *event_cq = NULL;', 'void *event_context = NULL;');
    writer.line('');
    const args = isAsync ? `&${event}` : '&event_cq, &event_context';
    const call = `${op.call.verb}(${source}, ${args})`;
    writer.call(judged, `${call} ? errno : 0`, call);
    writer.compare(judged, (path) => eventMember(path, event, judged.checks));
  });
}

function eventMember(path: string, event: string, checks: readonly Check[]): string | undefined {
  if (path === 'cq') return 'event_cq';
  if (path === 'cqContext') return 'event_context';
  if (path === 'eventType') return `${event}.event_type`;
  if (path !== 'element') return undefined;
  const { expected, observed } = checks.find((check) => check.path === path) ?? {};
  const named = [expected, observed].find((one) => typeof one === 'string');
  if (typeof named !== 'string') return `${event}.element.port_num`;
  return `${event}.element.${named.replace(/#.*$/, '')}`;
}

function awaitEvent(writer: ProgramWriter, { op, checks, expected }: Judged, mayRefuse: boolean): void {
  if (mayRefuse) {
    writer.use('settle');
    writer.line('settle();');
    return;
  }
  const fd = descriptorOf(writer, op);
  const pending = checks.find(({ path }) => path === 'pending');
  const name = cString(writer.callName(op));
  writer.use('readable');
  if (pending !== undefined && isPending(expected)) {
    writer.use('settle', 'finding');
    writer.line('settle();', `if (readable(${fd}, 0))`, `\tfinding(${name}, "that it blocks", "an event");`);
  } else if (checks.length > 0) {
    writer.use('finding');
    writer.line(`if (!readable(${fd}, EVENT_MS))`, `\tfinding(${name}, "an event", "no event");`);
  } else {
    writer.use('need');
    writer.line(`need(readable(${fd}, EVENT_MS), ${cString(`${writer.callName(op)} has to find an event`)});`);
  }
}

const isPending = (answer: Answer | undefined): boolean => answer?.returned === undefined;

/** The name of a call that is under way. */
export const pendingName = (index: number): string => `pending_${index}`;

/** Begins a call that blocks in a thread of its own. */
export function beginPending(writer: ProgramWriter, { op, index }: Judged): void {
  const { verb } = op.call;
  const name = pendingName(index);
  writer.use('pending', `run_${verb}`);
  const object =
    verb === 'poll'
      ? [`${name}.fd = ${descriptorOf(writer, op)};`, `${name}.timeout_ms = ${wordOf(op.args.timeoutMs)};`]
      : [`${name}.object = ${writer.object(op, Object.keys(op.args)[0] ?? '')};`];
  writer.line(`${name}.run = run_${verb};`, ...object, `begin(&${name});`);
}

/** Looks at a call that has begun, where the run's had returned, or the scenario looked whether it had. */
export function endPending(writer: ProgramWriter, judged: Judged): void {
  const { op, index, checks, expected } = judged;
  const name = pendingName(index);
  const pending = checks.find(({ path }) => path === 'pending');
  const what = cString(writer.callName(op));
  if (pending !== undefined) {
    writer.use('finding');
    if (isPending(expected)) {
      writer.use('settle');
      writer.line('settle();', `if (atomic_load(&${name}.returned))`);
      writer.line(`\tfinding(${what}, "that it is still blocked", "that it has returned");`);
      return;
    }
    writer.use('awaited');
    writer.line(`if (!awaited(&${name}))`, `\tfinding(${what}, "that it returns", "that it is still blocked");`);
    if (op.answer.returned === undefined) return;
  } else if (op.pendingUntil === 'never') return;
  else {
    writer.use('need', 'awaited');
    writer.line(`need(awaited(&${name}), ${cString(`${writer.callName(op)} has to return`)});`);
  }
  if (op.made !== undefined) writer.line(`${writer.names.of(op.made)} = ${name}.event;`);
  if (op.answer.errno === undefined || checks.length > 0) writer.call(judged, `${name}.result`);
  writer.compare(judged, (path) => pendingMember(path, name, checks));
}

function pendingMember(path: string, name: string, checks: readonly Check[]): string | undefined {
  if (path === 'result' || path === 'pending') return undefined;
  if (path === 'revents') return `${name}.revents`;
  if (path === 'cq' || path === 'cqContext') return `${name}.${cPath(path)}`;
  return eventMember(path, `${name}.event`, checks);
}
