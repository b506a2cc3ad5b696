import type {
  AccessFlag,
  AhAttr,
  CompChannelMembers,
  CqAttr,
  CqExAttr,
  CqExMembers,
  CqMembers,
  DeviceAttr,
  ModifyCqAttr,
  QpAttr,
  QpInitAttr,
  RecvWr,
  SendWr,
  SrqAttr,
  Wc,
  WcReader,
} from './attributes';
import type { Dut } from './dut';
import type { Ah, AsyncEvent, CompChannel, ConstantText, Context, Cq, CqEvent, Mr, Mw, Pd, Qp, Srq } from './objects';
import type { CallRecord, TraceValue } from './trace';

/**
 * The verbs, one method each, named as the C functions without `ibv_`.
 *
 * Every method rejects with {@link VerbsError} when the verb refused, with {@link DutCrashed}, {@link DutHung} or
 * {@link DutPanicked} when the device under test died in it, and with {@link HarnessError} when the harness failed.
 * With {@link DutLost}, which is one of these, the device is gone for good; {@link Driver.begin} then throws it too.
 */
export interface Verbs extends DeviceVerbs, MemoryVerbs, CqVerbs, CqExVerbs, EventVerbs, QpVerbs, TextVerbs {}

export interface DeviceVerbs {
  /** Opens the device of this run: ibv_open_device(3). */
  openDevice(): Promise<Context>;
  /** ibv_close_device(3). */
  closeDevice(context: Context): Promise<void>;
  /** ibv_query_device(3). */
  queryDevice(context: Context): Promise<DeviceAttr>;
  /** The state of a port, `IBV_PORT_ACTIVE`: ibv_query_port(3). */
  queryPortState(context: Context, portNum: number): Promise<string>;
  /** ibv_alloc_pd(3). */
  allocPd(context: Context): Promise<Pd>;
  /** ibv_dealloc_pd(3). */
  deallocPd(pd: Pd): Promise<void>;
  /** ibv_create_ah(3). */
  createAh(pd: Pd, attr: AhAttr): Promise<Ah>;
  /** ibv_destroy_ah(3). */
  destroyAh(ah: Ah): Promise<void>;
}

export interface MemoryVerbs {
  /**
   * Allocates zeroed, page-aligned memory and registers it: ibv_reg_mr(3).
   *
   * @param length - bytes
   */
  regMr(pd: Pd, length: number, access: readonly AccessFlag[]): Promise<Mr>;
  /** Deregisters the memory and frees it: ibv_dereg_mr(3). */
  deregMr(mr: Mr): Promise<void>;
  /**
   * Reads registered memory, as a program would: no verb.
   *
   * @param offset - bytes from the beginning of the region
   * @param length - bytes
   */
  readMemory(mr: Mr, offset: number, length: number): Promise<Buffer>;
  /**
   * Writes registered memory, as a program would: no verb.
   *
   * @param offset - bytes from the beginning of the region
   */
  writeMemory(mr: Mr, offset: number, bytes: Buffer): Promise<void>;
  /** Allocates a type 2 memory window: ibv_alloc_mw(3). */
  allocMw(pd: Pd): Promise<Mw>;
  /** ibv_dealloc_mw(3). */
  deallocMw(mw: Mw): Promise<void>;
}

export interface CqVerbs {
  /** ibv_create_comp_channel(3). */
  createCompChannel(context: Context): Promise<CompChannel>;
  /** ibv_destroy_comp_channel(3); EBUSY while a CQ is bound to it. */
  destroyCompChannel(channel: CompChannel): Promise<void>;
  /** The members of struct ibv_comp_channel. */
  readCompChannel(channel: CompChannel): Promise<CompChannelMembers>;
  /**
   * ibv_create_cq(3).
   *
   * @param channel - completion channel for its events, or `undefined` for none
   */
  createCq(context: Context, attr: CqAttr, channel?: CompChannel): Promise<Cq>;
  /** ibv_destroy_cq(3); waits until all its events that were taken are acknowledged; EBUSY while a QP uses the CQ. */
  destroyCq(cq: Cq): Promise<void>;
  /** The members of struct ibv_cq as they are now. */
  readCq(cq: Cq): Promise<CqMembers>;
  /**
   * ibv_resize_cq(3).
   *
   * @param cqe - entries asked for
   */
  resizeCq(cq: Cq, cqe: number): Promise<void>;
  /** ibv_modify_cq(3). */
  modifyCq(cq: Cq, attr: ModifyCqAttr): Promise<void>;
  /**
   * Arms the CQ: ibv_req_notify_cq(3).
   *
   * @param solicitedOnly - 0 for any CQE, another number for solicited CQEs only
   */
  reqNotifyCq(cq: Cq, solicitedOnly: number): Promise<void>;
  /**
   * Takes up to `numEntries` completions from the front of the CQ: ibv_poll_cq(3).
   *
   * @returns the completions, none if the CQ is empty
   */
  pollCq(cq: Cq, numEntries: number): Promise<readonly Wc[]>;
}

/** Extended CQs: ibv_create_cq_ex(3). */
export interface CqExVerbs {
  /** @param channel - completion channel for its events, or `undefined` for none */
  createCqEx(context: Context, attr: CqExAttr, channel?: CompChannel): Promise<Cq>;
  /** Opens a batch and stands on the first completion: ibv_start_poll(). ENOENT if the CQ is empty. */
  startPoll(cq: Cq): Promise<void>;
  /** Moves on to the following completion: ibv_next_poll(). ENOENT if there is none. */
  nextPoll(cq: Cq): Promise<void>;
  /** Closes the batch: ibv_end_poll(). */
  endPoll(cq: Cq): Promise<void>;
  /** The members wr_id and status of struct ibv_cq_ex. */
  readCqEx(cq: Cq): Promise<CqExMembers>;
  /**
   * Reads a member of the current completion: ibv_wc_read_opcode() and its siblings.
   *
   * @returns a name for the opcode, a list of names for the flags, a `bigint` for a time stamp, else a number
   */
  wcRead(cq: Cq, reader: WcReader): Promise<TraceValue>;
}

export interface EventVerbs {
  /** Waits for the next completion event and takes it: ibv_get_cq_event(3). EAGAIN if empty and non-blocking. */
  getCqEvent(channel: CompChannel): Promise<CqEvent>;
  /** Acknowledges `nevents` events of the CQ: ibv_ack_cq_events(3). */
  ackCqEvents(cq: Cq, nevents: number): Promise<void>;
  /** Waits for the next asynchronous event of the device and takes it: ibv_get_async_event(3). EAGAIN as above. */
  getAsyncEvent(context: Context): Promise<AsyncEvent>;
  /** ibv_ack_async_event(3). */
  ackAsyncEvent(event: AsyncEvent): Promise<void>;
  /**
   * Waits until the descriptor of a completion channel, or of a context's asynchronous events, is readable: poll(2).
   *
   * @param timeoutMs - milliseconds; 0 looks once, -1 waits as long as it takes
   */
  pollFd(source: CompChannel | Context, timeoutMs: number): Promise<boolean>;
  /** The status flags of such a descriptor, `O_NONBLOCK` among them or not: fcntl(2) with F_GETFL. */
  getFileStatusFlags(source: CompChannel | Context): Promise<readonly string[]>;
  /** Sets the status flags of such a descriptor, all of them: fcntl(2) with F_SETFL. */
  setFileStatusFlags(source: CompChannel | Context, flags: readonly string[]): Promise<void>;
  /**
   * Bounds the file descriptors that the process may have open, so that no new one can be had: setrlimit(2).
   *
   * @param most - descriptors, or `undefined` to go back to what was allowed at the beginning
   */
  limitOpenFiles(most: number | undefined): Promise<void>;
}

export interface QpVerbs {
  /** ibv_create_qp(3). */
  createQp(pd: Pd, attr: QpInitAttr): Promise<Qp>;
  /** ibv_modify_qp(3). */
  modifyQp(qp: Qp, attr: QpAttr): Promise<void>;
  /** ibv_destroy_qp(3); waits until all its asynchronous events that were taken are acknowledged. */
  destroyQp(qp: Qp): Promise<void>;
  /** Posts receives as one list: ibv_post_recv(3). */
  postRecv(qp: Qp, wrs: readonly RecvWr[]): Promise<void>;
  /** Posts sends as one list: ibv_post_send(3). */
  postSend(qp: Qp, wrs: readonly SendWr[]): Promise<void>;
  /** ibv_create_srq(3). */
  createSrq(pd: Pd, attr: SrqAttr): Promise<Srq>;
  /** ibv_modify_srq(3). Each member that is present sets its bit of the attribute mask. */
  modifySrq(srq: Srq, attr: Partial<Omit<SrqAttr, 'maxSge'>>): Promise<void>;
  /** ibv_destroy_srq(3); waits until all its asynchronous events that were taken are acknowledged. */
  destroySrq(srq: Srq): Promise<void>;
  /** Posts receives as one list: ibv_post_srq_recv(3). */
  postSrqRecv(srq: Srq, wrs: readonly RecvWr[]): Promise<void>;
}

/** Texts for enumerators: ibv_event_type_str(3). */
export interface TextVerbs {
  /** ibv_event_type_str(3). */
  eventTypeStr(eventType: string): Promise<ConstantText>;
  /** ibv_node_type_str(3). */
  nodeTypeStr(nodeType: string): Promise<ConstantText>;
  /** ibv_port_state_str(3). */
  portStateStr(portState: string): Promise<ConstantText>;
}

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
   * @param sooner - what makes the rest of the pause needless; a driver may let it elapse all the same
   */
  pause(ms: number, sooner?: Promise<unknown>): Promise<void>;
  /**
   * Takes the link of the port down or up and waits until the port says so. Only where the DUT has `port-control`.
   */
  setPortUp(up: boolean): Promise<void>;
  /**
   * Ends the device under test and all it started. Safe to call at any time, and twice.
   *
   * @param reason - what scenarios are told that are under way or would begin later
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
  /** `--network`: what happens to packets between simulated devices. */
  readonly network?: string;
  /** Is told what takes long, a line at a time. */
  readonly progress: (line: string) => void;
}

/** What a driver module exports as `createDriver`. */
export type CreateDriver = (options: DriverOptions) => Promise<Driver>;
