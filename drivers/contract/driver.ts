import type { VerbMethods } from '../verbs';
import type { Dut } from './dut';
import type { ModuleEdges } from './edges';
import type { CallRecord } from './trace';

/**
 * The verbs, one method each, named as the C functions without `ibv_`; drivers/verbs describes them. Arguments are those
 * of the C function in its order, without what it fills in: that is the result.
 *
 * Every method rejects with {@link VerbsError} when the verb refused, with {@link DutCrashed}, {@link DutHung} or
 * {@link DutPanicked} when the device under test died in it, and with {@link HarnessError} when the harness failed.
 * With {@link DutLost}, which is one of these, the device is gone for good; {@link Driver.begin} then throws it too.
 */
export interface Verbs extends VerbMethods {}

/** How long things may take on this device under test. */
export interface Limits {
  /** Milliseconds for something that has to happen, such as an event after its CQE; its absence is then a failure. */
  readonly eventMs: number;
  /** Milliseconds that silence must last until nothing more is expected; 0 where the driver knows. */
  readonly quietMs: number;
}

/** A running device under test: the verbs, and what a suite needs around them. */
export interface Driver extends Verbs {
  readonly dut: Dut;
  readonly limits: Limits;
  /** MTU of the connections that this run makes, in bytes. */
  readonly pathMtu: number;
  /**
   * The devices of a testbed by name, this one among them, if there are others on the same network. A scenario begins and
   * ends the others itself, each time after this one.
   */
  readonly nodes?: Readonly<Record<string, Driver>> | undefined;
  /** Begins a scenario with an empty trace and a living process for the verbs. */
  begin(): Promise<void>;
  /** The calls since {@link Driver.begin}, also those that never returned. */
  trace(): readonly CallRecord[];
  /** Text that the kernel of the DUT has logged since the last call; empty where it cannot be read. */
  kernelLog(): string;
  /** What the kernel module of the device has executed until now, where it records that; also after {@link Driver.close}. */
  readonly edges?: ModuleEdges | undefined;
  /** Kernel modules of the device, where others use its kernel too: complaints that are not of RDMA say nothing then. */
  readonly kernelModules?: readonly string[] | undefined;
  /** What the machine of the DUT calls itself, where it is another one and has said so. */
  readonly hostNames?: readonly string[] | undefined;
  /**
   * Ends a scenario. A process that still holds objects or pending calls is replaced before the next one.
   *
   * @returns what the scenario left behind, objects by their handles
   */
  end(): Promise<readonly string[]>;
  /**
   * Resolves when no earlier call can have a further visible effect.
   * The simulator knows; a device driver waits `limits.quietMs` and cannot know more.
   */
  settle(): Promise<void>;
  /**
   * Has the DUT execute the calls that `begin` makes one after another, each when the one before has returned, without
   * a way to it and back between them.
   *
   * @returns what `begin` gave
   */
  inTurn<T>(begin: () => T): T;
  /** Milliseconds on the clock by which {@link Driver.pause} waits, from any beginning. */
  nowMs(): number;
  /**
   * Lets time pass on the DUT: virtual in the simulator and in an emulated VM, real on other devices. Only waits of
   * `steps/world/waits.ts` use it.
   *
   * @param sooner - what makes the rest of the pause needless; a driver may let it elapse anyway
   */
  pause(ms: number, sooner?: Promise<unknown>): Promise<void>;
  /**
   * Takes the link of the port down or up and waits until the port says so. Only where the DUT has `port-control`.
   */
  setPortUp(up: boolean): Promise<void>;
  /**
   * Ends the device under test and all it started. Safe to call at any time, and twice.
   *
   * @param reason - the error of scenarios that are under way or begin later
   */
  close(reason?: string): Promise<void>;
}

/**
 * What the clock of a VM follows: the time of this machine, or the instructions that the VM executes. It jumps to the next
 * timer then where there are none to execute, so that waits cost no time.
 */
export type VmTime = 'virtual' | 'wall';

/** What the user asks of a driver on the command line; a driver refuses what it cannot follow with a {@link UsageError}. */
export interface DriverOptions {
  /** `--ib-dev`: name of the RDMA device. */
  readonly ibDev?: string;
  /** `--ib-port`, counted from 1. */
  readonly ibPort?: number;
  /** `--gid-index`. */
  readonly gidIndex?: number;
  /** `--mtu`: path MTU in bytes. */
  readonly mtu?: number;
  /** `--kernel`: `host`, a release or a folder. */
  readonly kernel?: string;
  /** `--module`: file of the kernel module to load in place of the kernel's own, or the name of one of the kernel. */
  readonly module?: string;
  /** `--rdma-core`: folder of the libibverbs and the providers to run on, instead of those installed. */
  readonly rdmaCore?: string;
  /** `--vm-time`. */
  readonly vmTime?: VmTime;
  /** `--host`: `USER@HOST` or `USER@HOST:PATH`, the machine that has the device. */
  readonly host?: string;
  /** `--fault`: a planted fault of the simulator. */
  readonly fault?: string;
  /** `--profile`: what the simulator is like. */
  readonly profile?: string;
  /** `--variant`: names of lawful variants of the simulator, with commas between them. */
  readonly variant?: string;
  /** `--network`: what happens to packets between simulated devices. */
  readonly network?: string;
  /** Gets a line about each step that takes long. */
  readonly progress: (line: string) => void;
}

/** What a driver module exports as `createDriver`. */
export type CreateDriver = (options: DriverOptions) => Promise<Driver>;
