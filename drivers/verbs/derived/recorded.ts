import { descriptions, type ArgumentsOf, type OutputsOf, type VerbName } from '..';
import type { CallRecord } from '../../contract/trace';
import type { Handle, Kind } from '../kinds';

/** Objects as call records have them. */
type Handles = Readonly<Record<Kind, Handle>>;

/** The record of a call of one C function. Outputs are there once it has returned, and not all of them if it refused. */
export interface RecordedCall<Name extends VerbName> extends Omit<CallRecord, 'args' | 'outputs'> {
  readonly args: ArgumentsOf<Name, Handles>;
  readonly outputs: Partial<OutputsOf<Name, Handles>>;
}

/** The calls of one C function in a trace, in order. */
export function callsOf<Name extends VerbName>(trace: readonly CallRecord[], name: Name): RecordedCall<Name>[] {
  return trace.filter(({ verb }) => verb === name) as unknown as RecordedCall<Name>[];
}

/** Whether a call did what it was asked for, or still may. */
export function mayHaveSucceeded({ errno }: Pick<CallRecord, 'errno'>): boolean {
  return errno === undefined;
}

const enders = new Set(descriptions.flatMap(({ c, ends }) => (ends === undefined ? [] : [c])));

/** Whether a call has ended an object. */
export function isEnding({ verb, args, returned, errno }: CallRecord, object: Handle): boolean {
  return enders.has(verb) && returned !== undefined && errno === undefined && Object.values(args)[0] === object;
}
