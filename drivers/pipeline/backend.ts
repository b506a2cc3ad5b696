import type { VerbName } from './conventions';
import type { Dut, Handle, ModuleEdges, TraceStruct } from '../contract';

/** What a C function gave, before any interpretation. */
export interface RawResult {
  /** Its return value: a number, a handle or text for a pointer, `null` for NULL or void. */
  readonly returned: number | Handle | null;
  /** The value of errno after the call; 0 unless the verb refused. */
  readonly errno: number;
  /** What the verb filled in, by name. */
  readonly outputs: TraceStruct;
  /** Microseconds on the monotonic clock of the process that made the call. */
  readonly startedAt: number;
  readonly durationUs: number;
}

/**
 * That which executes verbs: the simulator in this process, or a host process that calls libibverbs.
 * Backends do not interpret results; `VerbsDriver` does, in one place for all.
 */
export interface Backend {
  readonly dut: Dut;
  /**
   * Executes one verb, named as the C function. Blocks as the verb does.
   *
   * @param inTurn - whether it begins only when all calls before it with that have returned
   */
  call(verb: VerbName, args: TraceStruct, inTurn?: boolean): Promise<RawResult>;
  /** Whether each scenario has a device of its own, which is gone with it: then no death of one ends the run. */
  readonly hasFreshDevices?: boolean;
  /** Makes ready for a scenario. */
  begin(): Promise<void>;
  /** Ends a scenario; see {@link Driver.end}. */
  end(): Promise<readonly string[]>;
  /** Text that the kernel of the DUT has logged since the last call, if it has one. */
  kernelLog?(): string;
  /** See {@link Driver.edges}. */
  readonly edges?: ModuleEdges | undefined;
  /** See {@link Driver.kernelModules}. */
  readonly kernelModules?: readonly string[] | undefined;
  /** See {@link Driver.hostNames}. */
  readonly hostNames?: readonly string[] | undefined;
  settle(): Promise<void>;
  /** See {@link Driver.setPortUp}. */
  setPortUp(up: boolean): Promise<void>;
  nowMs(): number;
  /** See {@link Driver.pause}. */
  pause(ms: number, sooner?: Promise<unknown>): Promise<void>;
  /** Ends what executes the verbs, if that does not end with this process. */
  close?(): Promise<void>;
}
