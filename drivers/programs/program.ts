import type { TraceStruct } from '../contract';
import type { VerbName } from '../verbs';

/** The version of the format that this is: a program of another one is refused. */
export const programVersion = 1;

/** What a program has at most. A pair of QPs alone takes six calls of ibv_modify_qp(), of 250 bytes each. */
export const programLimits = { ops: 256, bytes: 64 * 1024, threads: 4, nameLength: 32 } as const;

/**
 * An object or a number that a device gives, in place of a value: the handle of the object of that name, or with `member`
 * a number or text that the call filled in, `plus` so much; an R_Key counts in its low 8 bits, as by ibv_inc_rkey(3).
 */
export interface Reference {
  readonly of: string;
  readonly member?: string;
  readonly plus?: number;
}

/** An argument as a program has it: what JSON has, 64-bit values as `0x1f`, and references. */
export type ProgramValue =
  null | boolean | number | string | Reference | readonly ProgramValue[] | { readonly [name: string]: ProgramValue };

/** The arguments of a call, or a struct among them. */
export interface ProgramStruct {
  readonly [name: string]: ProgramValue;
}

/** A call of a C function; `as` names what it makes or fills in, for references. */
export interface CallOp {
  readonly call: VerbName;
  readonly args: ProgramStruct;
  readonly as?: string;
}

/** Waits until no earlier call can have a further effect. */
export interface SettleOp {
  readonly settle: true;
}

/**
 * Takes the link of the port down or up, and waits until that can have no further effect. No thread of a program does it, and
 * only a device with `port-control` lets it be done.
 */
export interface PortOp {
  readonly port: 'down' | 'up';
}

/** Operations of several threads at once: each list in its order, and nothing between them. */
export interface ParallelOp {
  readonly par: readonly (readonly Op[])[];
}

export type Op = CallOp | SettleOp | PortOp | ParallelOp;

/** A random program: data that any device can run. `seed` tells where it comes from. */
export interface Program {
  readonly version: typeof programVersion;
  readonly seed: string;
  readonly ops: readonly Op[];
}

export const isCall = (op: Op): op is CallOp => 'call' in op;
export const isPort = (op: Op): op is PortOp => 'port' in op;
export const isParallel = (op: Op): op is ParallelOp => 'par' in op;

/** Whether a value is a reference: no struct of an argument has a member `of`. */
export function isReference(value: ProgramValue): value is Reference {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && typeof (value as Reference).of === 'string'
  );
}

/** All operations, those of threads after each other, in the order in which their records come. */
export function* flatOps(ops: readonly Op[]): Generator<Exclude<Op, ParallelOp>> {
  for (const op of ops) {
    if (isParallel(op)) for (const thread of op.par) yield* flatOps(thread);
    else yield op;
  }
}

/** The calls of a program, in the order of their records. */
export function callsOf({ ops }: Pick<Program, 'ops'>): CallOp[] {
  return [...flatOps(ops)].filter(isCall);
}

/** The name of the object that a value refers to. */
export const nameIn = (value: unknown): string | undefined =>
  (value as { readonly of?: string } | null | undefined)?.of;

/** The references in a value, at any depth. */
export function* referencesIn(value: ProgramValue): Generator<Reference> {
  if (isReference(value)) yield value;
  else if (Array.isArray(value)) for (const item of value as readonly ProgramValue[]) yield* referencesIn(item);
  else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values<ProgramValue>(value)) yield* referencesIn(member);
  }
}

/** What a call came to: raw, as the C function gave it, or `blocked` if it did not return. */
export interface ProgramRecord {
  readonly verb: VerbName;
  /** As they were passed: references replaced by what they stand for. */
  readonly args: TraceStruct;
  readonly returned: number | string | null;
  readonly errno: number;
  readonly outputs: TraceStruct;
  /** It had not returned when nothing more could happen, or when its time was up; the calls after it in its thread are not made. */
  readonly blocked?: true;
  /** So many threads beside it have settled before it returned; nothing where none has, or in a program executed whole. */
  readonly waited?: number;
}
