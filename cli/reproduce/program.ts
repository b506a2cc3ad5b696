import type { Data } from '../../drivers/contract';
import type { Description } from '../../drivers/verbs/verb';
import type { RecordedCall } from '../../reports/evidence/recorded-trace';

/** A number or text that a device gave, by what gave it: the R_Key of an MR, an address within memory. */
export interface Ref {
  /** Handle of the object, or `local` for the port that the program uses. */
  readonly of: string;
  /** A member of what made the object. */
  readonly member: RefMember;
  /** What was added; of keys, to their lowest 8 bits. */
  readonly plus: number;
  readonly isRef: true;
}
export type RefMember = 'qpNum' | 'lkey' | 'rkey' | 'addr' | 'gid' | 'gidIndex' | 'portNum';

/** A recorded value in which what the device gave is named. Objects are their handles. */
export type Value = null | undefined | boolean | number | string | Ref | readonly Value[] | Values;
export interface Values {
  readonly [name: string]: Value;
}

export const refTo = (of: string, member: RefMember, plus = 0): Ref => ({ of, member, plus, isRef: true });
export const isRef = (value: unknown): value is Ref =>
  typeof value === 'object' && value !== null && 'isRef' in value && value.isRef === true;

export const isValues = (value: Value): value is Values =>
  typeof value === 'object' && value !== null && !isRef(value) && !Array.isArray(value);
/** A value that is a word or a number; empty of any other. */
export const wordOf = (value: Value): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
export const isValueList = (value: Value): value is readonly Value[] => Array.isArray(value);

/** What a call answered. */
export interface Answer {
  /** Symbolic name of errno after a refusal. */
  readonly errno?: string;
  /** `undefined` of a call that had not returned. */
  readonly returned?: Data | undefined;
  readonly outputs: Readonly<Record<string, Data | undefined>>;
}

/** A call of a program, or several polls that wait for the same. */
export interface Op {
  readonly call: RecordedCall;
  readonly description: Description;
  readonly args: Values;
  /** What it answered in the run, its polls taken together. */
  readonly answer: Answer;
  /** How many calls it is: polls that wait for the same are one operation. */
  readonly calls: number;
  /** The handle of what it made. */
  readonly made?: string;
  /** Number and words of the step that made it; none for the clean-up. */
  readonly step?: number;
  readonly title?: string;
  /** Milliseconds that went by in the run between the call before and this one. */
  readonly pauseMs: number;
  /** The number of the operation before which it returned, if others were called until then; `never` if it did not. */
  readonly pendingUntil?: number | 'never';
  /** Where to the link of the port has to be taken before it, which no call of libibverbs does. */
  readonly link?: Link;
  /** Whether it asks for fewer entries than its CQ has, which a device may refuse. */
  readonly isShrink: boolean;
  /** Whether it does not block, by the flags of its descriptor. */
  readonly isNonBlocking: boolean;
}

/** A move of the link of a port, which a device context hears of. */
export interface Link {
  readonly way: 'down' | 'up';
  /** Handle of the context. */
  readonly context: string;
}

/** A port as a run used it. */
export interface LocalPort {
  readonly device: string;
  readonly portNum: number;
  readonly gidIndex: number;
  readonly gid: string;
}
