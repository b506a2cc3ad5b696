import type { Capability } from '../../contract';
import type { VerbName } from '../../verbs';
import type { CallOp, Op, ProgramRecord, ProgramStruct, ProgramValue } from '../../programs/program';
import { Execution } from '../../programs/run-program';
import type { SeeCell, Situation } from '../coverage/cell';
import type { Chance } from './chance';
import { Detours } from './detours';
import { PeekBackend } from './peek-backend';
import { question } from './questions';
import { anySizes, withinSizes, type Sizes } from './sizes';

export type QpType = 'IBV_QPT_RC' | 'IBV_QPT_UC' | 'IBV_QPT_UD';
export type QpState = 'RESET' | 'INIT' | 'RTR' | 'RTS' | 'SQD' | 'ERR';

export interface Channel {
  readonly name: string;
  isNonblocking: boolean;
}

export interface Cq {
  readonly name: string;
  /** The members that its completions provide; nothing for one that ibv_create_cq() made. */
  readonly members: readonly string[] | undefined;
  readonly channel: Channel | undefined;
  readonly users: Set<Qp>;
  /** Events that were taken and not acknowledged. */
  unacked: number;
  isInBatch: boolean;
  /** Its last request was for any CQE. */
  hasAny: boolean;
}

export interface Srq {
  readonly name: string;
  readonly users: Set<Qp>;
}

export interface Region {
  readonly mr: string;
  readonly memory: string;
  readonly bytes: number;
  next: number;
}

export interface Qp {
  readonly name: string;
  readonly type: QpType;
  readonly sendCq: Cq;
  readonly recvCq: Cq;
  readonly srq: Srq | undefined;
  readonly signalsAll: boolean;
  state: QpState;
  peer: Qp;
  /** Its address handle for its peer, for datagrams. */
  ah: string | undefined;
  readonly region: Region;
  readonly rnrRetry: number;
  readonly firstPsn: number;
  readonly path: Path;
  /** What its peer may do with its memory. */
  readonly rights: readonly string[];
}

/** What both ends of a connection have to agree on. */
export interface Path {
  /** Name of the path MTU. */
  readonly mtu: ProgramValue;
  /** RDMA reads and atomics that are under way at once at most. */
  readonly reads: number;
}

/** An asynchronous event that was taken and not acknowledged. */
export interface TakenEvent {
  readonly name: string;
  /** Name of the object that it is of. */
  readonly of: string | undefined;
}

/** What is kept small in a program, so that what needs many calls otherwise happens in a few. */
export interface Caps {
  readonly cqe: number;
  readonly receives: number;
  readonly batch: number;
}

/** A context of a program, and what it has made there. */
export class Home {
  readonly channels: Channel[] = [];
  readonly cqs: Cq[] = [];
  readonly qps: Qp[] = [];
  readonly srqs: Srq[] = [];
  readonly regions: Region[] = [];
  readonly events: TakenEvent[] = [];
  isNonblocking = false;

  constructor(
    readonly context: string,
    readonly pd: string,
  ) {}
}

/** Operations after which a program ends, in the midst of a move or not. */
const opsMost = 235;

/** What goes on beside the moves of a program. */
export interface Asides {
  /** Other chances than those of the moves, which come to the same with it and without. */
  readonly chance: Chance;
  /** The same call, written otherwise. */
  written(op: CallOp): CallOp;
  /** What stands before a call of a move. */
  before(w: Walk, op: CallOp): Promise<void>;
  /** What stands behind it. */
  after(w: Walk, op: CallOp): Promise<void>;
}

/** What ends a program in the midst of a move: no operation is added to it any more. */
export class ProgramIsOver extends Error {}

/** A program that is being written: each operation is run on the simulator at once, which says what can come next. */
export class Walk {
  readonly ops: Op[] = [];
  readonly backend: PeekBackend;
  #home = new Home('ctx', 'pd');
  /** The contexts to which the program comes back. */
  readonly homes: Home[] = [this.#home];
  /** Nothing is known any more of what the device does next: the program is brought to an end. */
  isOver = false;
  /** A call waits for what does not come: nothing is run after it. */
  #isStuck = false;
  readonly #detours: Detours;
  readonly #chance: Chance;
  #asides: Asides | undefined;
  #sizes = anySizes;
  #isAside = false;
  #execution: Execution | undefined;
  #calls = 0;
  #names = 0;
  #wrs = 0;

  constructor(
    chance: Chance,
    readonly caps: Caps,
    readonly capabilities: ReadonlySet<Capability>,
    readonly avoided: ReadonlySet<string>,
    see?: SeeCell,
  ) {
    this.#chance = chance;
    this.backend = new PeekBackend(see);
    this.#detours = new Detours(avoided);
  }

  async begin(): Promise<void> {
    await this.backend.begin();
    this.#execution = new Execution(this.backend);
  }

  get size(): number {
    return this.#calls;
  }

  /** What is left to chance now. */
  get chance(): Chance {
    return this.#isAside && this.#asides !== undefined ? this.#asides.chance : this.#chance;
  }

  /** From now on something goes on beside the moves. */
  accompany(asides: Asides): void {
    this.#asides = asides;
  }

  /** From now on no more is asked of queues. */
  keepWithin(sizes: Sizes): void {
    this.#sizes = sizes;
  }

  /** Does something by the chances of what goes on beside the moves; nothing goes on beside that. */
  async aside(act: (asides: Asides) => Promise<void>): Promise<void> {
    if (this.#isAside || this.#asides === undefined || this.isOver) return;
    this.#isAside = true;
    try {
      await act(this.#asides);
    } finally {
      this.#isAside = false;
    }
  }

  /** The context in which objects are made and used now. */
  get home(): Home {
    return this.#home;
  }

  goTo(home: Home): void {
    this.#home = home;
  }

  get context(): string {
    return this.#home.context;
  }

  get pd(): string {
    return this.#home.pd;
  }

  get channels(): Channel[] {
    return this.#home.channels;
  }

  get cqs(): Cq[] {
    return this.#home.cqs;
  }

  get qps(): Qp[] {
    return this.#home.qps;
  }

  get srqs(): Srq[] {
    return this.#home.srqs;
  }

  get regions(): Region[] {
    return this.#home.regions;
  }

  /** Asynchronous events of this context that were taken and not acknowledged. */
  get events(): TakenEvent[] {
    return this.#home.events;
  }

  get isContextNonblocking(): boolean {
    return this.#home.isNonblocking;
  }

  /** Asynchronous events that the device need not raise. */
  get #optionalEvents(): ReadonlySet<string> {
    return new Set([
      'IBV_EVENT_COMM_EST',
      'IBV_EVENT_QP_ACCESS_ERR',
      ...(this.has('cq-overrun-event') ? [] : ['IBV_EVENT_CQ_ERR']),
      ...(this.has('last-wqe-event') ? [] : ['IBV_EVENT_QP_LAST_WQE_REACHED']),
    ]);
  }

  /** In which situation a call would be now. */
  situationOf({ call, args }: CallOp): Situation | undefined {
    const resolved = this.#running.bindings.resolve(args);
    return resolved && this.backend.situationOf(call, resolved);
  }

  /** A name that no other object has. */
  name(kind: string): string {
    this.#names += 1;
    return `${kind}${this.#names}`;
  }

  has(capability: Capability): boolean {
    return this.capabilities.has(capability);
  }

  get #running(): Execution {
    if (this.#execution === undefined) throw new Error('the walk has not begun');
    return this.#execution;
  }

  async call(call: VerbName, args: ProgramStruct, as?: string): Promise<ProgramRecord | undefined> {
    const asked = callOp(call, args, as);
    const op = this.#isAside ? asked : (this.#asides?.written(asked) ?? asked);
    await this.aside((asides) => asides.before(this, op));
    const before = this.ops.length;
    await this.perform(op);
    const record = before === this.ops.length ? undefined : this.#running.records.at(-1);
    await this.aside((asides) => asides.after(this, op));
    return record;
  }

  async perform(op: Op): Promise<void> {
    const within = this.#sizes === anySizes ? op : withinSizes(op, this.#sizes);
    for (const one of this.#detours.around(within)) await this.#performOne(one);
  }

  async #performOne(op: Op): Promise<void> {
    if (this.#isStuck || this.#calls >= opsMost) {
      this.isOver = true;
      throw new ProgramIsOver();
    }
    this.ops.push(op);
    this.#calls += 1;
    if (await this.#running.perform(op)) return;
    this.#isStuck = true;
    this.isOver = true;
  }

  /** Runs threads at once. */
  async together(...threads: readonly (readonly Op[])[]): Promise<void> {
    await this.perform({ par: threads });
    this.#calls += threads.flat().length;
  }

  async settle(): Promise<void> {
    if ('settle' in (this.ops.at(-1) ?? {})) return;
    await this.perform({ settle: true });
    const asked = question(this);
    if (asked !== undefined) await this.perform(asked);
  }

  /** Takes the link of the port down or up. */
  async movePort(port: 'down' | 'up'): Promise<void> {
    await this.perform({ port });
  }

  handle(name: string): string {
    return this.#running.bindings.get(name)?.handle ?? '';
  }

  /** The handle of what a name stands for, if the call that makes it has returned. */
  handleOf(name: string): string | undefined {
    return this.#running.bindings.get(name) === undefined ? undefined : name;
  }

  output(name: string, member: string): unknown {
    return this.#running.bindings.get(name)?.outputs[member];
  }

  /** The name of an object by its handle. */
  nameOf(handle: unknown): string | undefined {
    for (const [name, binding] of this.#running.bindings.entries()) {
      if (binding.handle !== null && binding.handle === handle) return name;
    }
    return undefined;
  }

  backlog({ name }: Cq): number {
    return this.backend.cq(this.handle(name)).backlog;
  }

  isOverrun({ name }: Cq): boolean {
    return this.backend.cq(this.handle(name)).isOverrun;
  }

  hasFailed({ name }: Qp): boolean {
    return this.backend.hasFailed(this.handle(name));
  }

  /** Receives that wait for messages to a QP, its own or those of its SRQ. */
  received({ name }: Qp): number {
    return this.backend.receives(this.handle(name));
  }

  /** Receives of its own: these are flushed. */
  ownReceived(qp: Qp): number {
    return qp.srq === undefined ? this.received(qp) : 0;
  }

  queued({ name }: Channel): number {
    return this.backend.events(this.handle(name));
  }

  get asyncQueued(): number {
    return this.backend.asyncEvents(this.handle(this.context), this.#optionalEvents);
  }

  /** A wr_id of its own, which mostly fills 64 bits; one has none of them, and one has all. */
  wrId(): string {
    if (this.#wrs > 0 && this.chance.happens(0.08)) return this.#wrIdOf(this.#wrs);
    this.#wrs += 1;
    return this.#wrIdOf(this.#wrs);
  }

  #wrIdOf(number: number): string {
    if (number === 7) return '0x0';
    if (number === 9) return '0xffffffffffffffff';
    const high = [0xf1a2_b3c4n, 0n, 0x8000_0001n, 0x0102_0304n, 0xffff_ff00n][number % 5] ?? 0n;
    return `0x${((high << 32n) | BigInt(0x10 + number)).toString(16)}`;
  }

  /** Bytes of which each tells the message and its place in it. */
  payload(length: number): string {
    const message = this.#wrs * 29 + 1;
    let text = '';
    for (let at = 0; at < length; at++) text += ((message + at * 7 + (at >> 5)) & 0xff).toString(16).padStart(2, '0');
    return text;
  }

  /** A stretch of a region that no other work uses now. */
  stretch(region: Region, length: number): number {
    const step = length + 24;
    if (region.next + step > region.bytes) region.next = 16;
    const at = region.next;
    region.next += step;
    return at;
  }
}

export const of = (name: string): { readonly of: string } => ({ of: name });
export const member = (name: string, what: string, plus?: number) => ({
  of: name,
  member: what,
  ...(plus !== undefined && plus !== 0 && { plus }),
});

/** A call as an operation of a thread. */
export function callOp(call: VerbName, args: ProgramStruct, as?: string): CallOp {
  return { call, args, ...(as !== undefined && { as }) };
}
