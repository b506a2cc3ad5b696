import { inspect } from 'node:util';
import { DutCrashed, DutHung, DutLost, DutPanicked, HarnessError, type TraceStruct } from '../../contract';
import type { HostExit } from '../carriers/carrier';

/** A request that is under way. */
export interface CallInFlight {
  readonly method: string;
  readonly params: TraceStruct;
}

/** The call in one line, `ibv_poll_cq({ cq: 'cq#1', numEntries: 4 })`; of programs only how long they are. */
export function describeCall({ method, params }: CallInFlight): string {
  const { programs } = params;
  if (method === 'programs' && Array.isArray(programs)) return programs.map(describeProgram).join(' and ');
  return `${method}(${inspect(params, { breakLength: Infinity, depth: 6 })})`;
}

const describeProgram = (ops: unknown): string =>
  `a program of ${Array.isArray(ops) ? ops.length : 'unknown'} operations`;

/** The host process ended without being asked to. */
export function lossOf(exit: HostExit, inFlight: readonly CallInFlight[], last: CallInFlight | undefined): Error {
  const where = inFlight.length > 0 ? `in ${describeCalls(inFlight)}` : afterwards(last);
  if (exit.panic !== undefined) return new DutPanicked(`the kernel of the DUT died ${where}: ${exit.panic}`);
  if (exit.lost !== undefined) return new DutLost(`${exit.lost} ${where}`);
  if (exit.outage !== undefined) return new HarnessError(`${exit.outage} ${where}`);
  return new DutCrashed(`the host process ${manner(exit)} ${where}${stderrOf(exit)}`);
}

/**
 * A verb missed its deadline.
 *
 * @param threads - what the threads of the host are doing, as far as that is known
 */
export function hangOf(hung: CallInFlight, seconds: number, inFlight: readonly CallInFlight[], threads: string): Error {
  const others = inFlight.filter((call) => call !== hung);
  const beside = others.length > 0 ? `; also in flight: ${describeCalls(others)}` : '';
  return new DutHung(
    `${describeCall(hung)} did not return within ${seconds} s${beside}${threads === '' ? '' : `; in the host: ${threads}`}`,
  );
}

/** How a process ended, with the last that it said. */
export function describeExit(exit: HostExit): string {
  return `${manner(exit)}${stderrOf(exit)}`;
}

function describeCalls(calls: readonly CallInFlight[]): string {
  return calls.map(describeCall).join(', ');
}

function afterwards(last: CallInFlight | undefined): string {
  return last === undefined ? 'before any call' : `after ${describeCall(last)} had returned`;
}

function manner({ code, signal }: HostExit): string {
  return signal !== null ? `died of ${signal}` : `ended with exit code ${code}`;
}

function stderrOf({ stderrTail }: HostExit): string {
  return stderrTail === '' ? '' : `; stderr ends with:\n${stderrTail}`;
}
