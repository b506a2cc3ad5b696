import { errnoName, isList, isStruct, UsageError, type Data, type TraceStruct } from '../../../drivers/contract';
import { conventionOf, isRefusal } from '../../../drivers/pipeline/conventions';
import { dutName } from '../../../drivers/programs/bindings';
import {
  callsOf,
  isCall,
  isParallel,
  isPort,
  isReference,
  type Op,
  type PortOp,
  type ProgramValue,
} from '../../../drivers/programs/program';
import { descriptionOf } from '../../../drivers/verbs';
import type { RecordedCall } from '../../../reports/evidence/recorded-trace';
import type { StepCall } from '../../reproduce/operations';
import type { Link, LocalPort } from '../../reproduce/program';
import type { StoredFinding, StoredRecord } from './stored-finding';

/** Microseconds: what a call lasts, what lies between two, and how long everything comes to rest. */
const times = { call: 10, between: 1000, settle: 200_000 } as const;

interface Placed {
  readonly at: number;
  startedAt: number;
  /** When others had gone on before it returned. */
  endedAt?: number;
  /** Where to the link of the port is taken before it, in order. */
  readonly moves: readonly PortOp['port'][];
}

/**
 * The calls of a finding as a trace, each as a step of its own: threads one after the other, except for a call that waited for
 * another thread, which ends after them. No clock has seen them: their times only tell that order.
 */
export function recordedCalls({ program, records }: StoredFinding): StepCall[] {
  const placing = new Placing(records);
  placing.sequence(program.ops);
  return placing.placed.flatMap(({ at, startedAt, endedAt }) => {
    const record = records[at];
    if (record === undefined) return [];
    return [{ call: recordedCall(record, startedAt, (endedAt ?? startedAt + times.call) - startedAt), step: at }];
  });
}

/**
 * The moves of the port's link, by the call before which each comes.
 *
 * @throws UsageError if no context is open that could hear of one, or no call comes between two
 */
export function linksIn({ program, records }: StoredFinding): ReadonlyMap<number, Link> {
  const placing = new Placing(records);
  placing.sequence(program.ops);
  const links = new Map<number, Link>();
  const contexts = new Set<string>();
  let ways: PortOp['port'][] = [];
  for (const { at, moves } of placing.placed) {
    ways = [...ways, ...moves];
    const record = records[at];
    if (record === undefined) continue;
    const [way, ...others] = ways;
    if (way !== undefined) links.set(at, linkOf(way, others, contexts));
    ways = [];
    noteContext(contexts, record);
  }
  return links;
}

function linkOf(way: PortOp['port'], others: readonly PortOp['port'][], contexts: ReadonlySet<string>): Link {
  const [context] = contexts;
  if (context !== undefined && others.length === 0) return { way, context };
  const why = context === undefined ? 'where no context is open' : 'twice before a call';
  throw new UsageError(`the finding cannot be shown in C: it moves the link of the port ${why}`, 'use --emit gherkin');
}

function noteContext(contexts: Set<string>, { verb, args, returned, blocked }: StoredRecord): void {
  if (blocked || isRefusal(verb, returned)) return;
  if (verb === 'ibv_open_device' && typeof returned === 'string') contexts.add(returned);
  if (verb === 'ibv_close_device' && typeof args.context === 'string') contexts.delete(args.context);
}

class Placing {
  readonly placed: Placed[] = [];
  #at = 0;
  #now = 0;
  #moves: PortOp['port'][] = [];

  constructor(readonly records: StoredFinding['records']) {}

  sequence(ops: readonly Op[]): void {
    for (const op of ops) {
      if (isCall(op)) this.#place(this.#at++);
      else if (isParallel(op)) this.#parallel(op.par);
      else if (isPort(op)) this.#moves.push(op.port);
      else this.#now += times.settle;
    }
  }

  #parallel(threads: readonly (readonly Op[])[]): void {
    const rests = threads.map((ops) => {
      const first = this.#at;
      this.#at += callsOf({ ops }).length;
      return { ops, first, after: this.#at };
    });
    const waiting = rests.map(({ ops, first, after }) => {
      this.#at = first;
      const held = ops.findIndex(
        (op, index) => isCall(op) && this.#isHeld(first + callsOf({ ops: ops.slice(0, index) }).length),
      );
      const until = held < 0 ? ops.length : held + 1;
      this.sequence(ops.slice(0, until));
      const call = held < 0 ? undefined : this.placed.at(-1);
      return { call, rest: ops.slice(until), next: this.#at, after };
    });
    for (const { call } of waiting) if (call !== undefined) call.endedAt = this.#now;
    this.#now += times.between;
    for (const { rest, next } of waiting) {
      this.#at = next;
      this.sequence(rest);
    }
    this.#at = waiting.at(-1)?.after ?? this.#at;
  }

  /** Whether it waits for what another thread does, or may have waited for that. */
  #isHeld(at: number): boolean {
    const record = this.records[at];
    if (record === undefined) return false;
    const { verb, args, returned, blocked, hasWaited } = record;
    if (blocked || hasWaited) return true;
    const mayBlock = descriptionOf(verb, args as TraceStruct).blocks !== undefined && args.timeoutMs !== 0;
    return mayBlock && !isRefusal(verb, returned);
  }

  #place(at: number): void {
    this.placed.push({ at, startedAt: this.#now, moves: this.#moves });
    this.#moves = [];
    this.#now += times.between;
  }
}

function recordedCall(record: StoredRecord, startedAt: number, durationUs: number): RecordedCall {
  const { verb, args, returned, outputs, blocked } = record;
  const timed = { verb, args, outputs, startedAt, durationUs };
  if (blocked) return timed;
  if (!isRefusal(verb, returned)) return { ...timed, returned };
  return { ...timed, returned, errno: errnoOf(record) };
}

/** The name of the error of a refusal. */
function errnoOf({ verb, returned, errno }: StoredRecord): string {
  return errnoName(conventionOf(verb) === 'errno' && typeof returned === 'number' ? Math.abs(returned) : errno);
}

/** The names that the program gives objects, by their handles. */
export function namesIn({ program, records }: StoredFinding): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [at, { as }] of callsOf(program).entries()) {
    const { returned = null, outputs = {} } = records[at] ?? {};
    const handles = [returned, ...Object.values(outputs)].filter(
      (value) => typeof value === 'string' && /^[a-z]+#\d+$/.test(value),
    );
    const [handle] = handles;
    if (as !== undefined && typeof handle === 'string' && !names.has(handle)) names.set(handle, as);
  }
  return names;
}

/** The port that a finding was made on, as far as its program asks for it. */
export function localOf({ device, program, records }: StoredFinding): LocalPort {
  const found = new Map<string, Data>();
  for (const [at, { args }] of callsOf(program).entries()) collect(args, records[at]?.args ?? null, found);
  const [portNum, gidIndex, gid] = [found.get('portNum'), found.get('gidIndex'), found.get('gid')];
  return {
    device: device.hcaId,
    portNum: typeof portNum === 'number' ? portNum : 1,
    gidIndex: typeof gidIndex === 'number' ? gidIndex : 0,
    gid: typeof gid === 'string' ? gid : '',
  };
}

/** What the members of the device stood for. */
function collect(value: ProgramValue, given: Data, found: Map<string, Data>): void {
  if (typeof value !== 'object' || value === null) return;
  if (isReference(value)) {
    if (value.of === dutName && value.member !== undefined) found.set(value.member, given);
    return;
  }
  const inner = isList(given) ? Object.fromEntries(given.entries()) : given;
  if (!isStruct(inner)) return;
  for (const [name, member] of Object.entries(value)) collect(member, inner[name] ?? null, found);
}
