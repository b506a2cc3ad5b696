import type { HarnessError } from '../contract';
import type { Backend } from '../pipeline/backend';
import type { Binding } from './bindings';
import type { Program, ProgramRecord } from './program';

/** What names stand for, beside those that a program gives. */
export type Names = Readonly<Record<string, Binding>>;

/** Programs that are executed by one request, one after another. */
export interface WholeRequest {
  readonly programs: readonly Pick<Program, 'ops'>[];
  /** Milliseconds that each of them has, on the clock of the device; what has not returned by then counts as blocked. */
  readonly deadlineMs: number;
  /** Milliseconds that a settle takes; as long as silence has to last on the device unless given. */
  readonly quietMs?: number;
  /** What there is before the first of them; the name of the device is there anyway. */
  readonly names?: Names;
  /** Names whose objects are not destroyed at the end of a program, and which those after it know. */
  readonly keep?: readonly string[];
  /** Whether nothing is cleaned up after a program that came to its end, as the next one is its rest. */
  readonly goesOn?: boolean;
}

/** What one of them came to. */
export interface WholeRun {
  /** As `runProgram` gives them; none if the host refused a call. */
  readonly records: readonly (ProgramRecord | undefined)[];
  /** Why the host ended the program: a call that it does not make. The message names the operation. */
  readonly refusal?: HarnessError;
  /** Calls of the clean-up that did not do what they had to. */
  readonly cleanup: readonly CleanupRecord[];
  /** What is kept, where the request has asked for that. */
  readonly kept: Names;
  /** Its time was up before all was done. */
  readonly isLate: boolean;
  /** A call has not returned though what it may wait for was there; the host is at its end, and runs no more programs. */
  readonly hangs: boolean;
}

/** A call of the clean-up. */
export interface CleanupRecord extends ProgramRecord {
  /** Why the host did not make it. */
  readonly refused?: string;
}

/** A backend that executes programs where the device is. */
export interface WholeBackend extends Backend {
  /**
   * Executes programs by one request. Each starts with nothing but what the names stand for, and what it makes is
   * destroyed after it: what events it owes are acknowledged, then what came last goes first.
   *
   * @returns as many as there are programs, or fewer, of which the last one hangs
   * @throws HarnessError if one of them is none; nothing is executed then
   * @throws what became of the host if it is lost
   */
  executeWhole(request: WholeRequest): Promise<readonly WholeRun[]>;
}

/** Whether a backend executes programs by itself. */
export function executesWhole(backend: Backend): backend is WholeBackend {
  return 'executeWhole' in backend;
}
