import type { Readable, Writable } from 'node:stream';
import type { ModuleEdges } from '../../contract';
import type { Starvation } from '../../support/starvation';

/** Why a host process is no more. */
export interface HostExit {
  /** Exit code, or `null` if a signal ended it. */
  readonly code: number | null;
  /** `SIGSEGV`, … or `null`. */
  readonly signal: string | null;
  /** The last lines that it wrote to stderr. */
  readonly stderrTail: string;
  /** Set when not the host alone but the kernel under it died. */
  readonly panic?: string;
  /** Set when not the host ended but the way to it, for good: why. */
  readonly lost?: string;
  /** Set when something outside of the DUT ended the place of the host, which can be made again: what. */
  readonly outage?: string;
}

/** A living host process and the byte streams to it; see protocol.ts for what travels on them. */
export interface HostProcess {
  readonly input: Writable;
  readonly output: Readable;
  /** Resolves when the process is gone; never rejects. */
  readonly ended: Promise<HostExit>;
  /** Kills the process for good, whatever it hangs in, and those that it has started. */
  kill(): void;
  /** Halts the machine of the process, its clock included, until the process is next asked for something. */
  hold?(): void;
  /** Begins to measure for how long its machine cannot run, because other processes of this one do. */
  starvation?(): Starvation;
  /** What its threads are doing, in words for a message, as far as it is known. */
  threads?(): Promise<string>;
}

/** Starts host processes where the device is: on this machine, in a VM, … */
export interface Carrier {
  /**
   * Starts a host process. One at a time: the one before has ended. Throws DutLost if none will ever start again.
   *
   * @param session - number of the host process, for its `--session`: 1, 2, … in the order of the calls
   */
  start(session: number): Promise<HostProcess>;
  /**
   * Takes the link of the device's port down or up and waits until the port says so; its GIDs are then what they were.
   * Only carriers have it that own the link.
   */
  setPortUp?(up: boolean): Promise<void>;
  /**
   * Whether the clock of the device's machine is another than ours, and jumps ahead where that machine has nothing to do.
   */
  readonly virtualTime?: boolean;
  /** Whether the kernel has complained and {@link start} would bring a fresh one, which is what a scenario needs then. */
  needsFreshKernel?(): boolean;
  /** Has {@link needsFreshKernel} say so from now on. */
  distrustKernel?(): void;
  /** See {@link Driver.kernelModules}. */
  readonly kernelModules?: readonly string[] | undefined;
  /** See {@link Driver.hostNames}. */
  readonly hostNames?: readonly string[] | undefined;
  /** Text that the kernel of the device has logged since the last call. */
  kernelLog(): string;
  /** See {@link Driver.edges}. */
  readonly edges?: ModuleEdges | undefined;
  /** Ends all that the carrier has started. Safe to call at any time, and twice. */
  close(): Promise<void>;
}
