import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { RawResult } from '../../pipeline/backend';
import type { VerbName } from '../../pipeline/conventions';
import { membersOfDut } from '../../programs/bindings';
import type { WholeBackend, WholeRequest, WholeRun } from '../../programs/whole';
import {
  DutHung,
  DutPanicked,
  HarnessError,
  type Capability,
  type Dut,
  type DutModule,
  type Limits,
  type ModuleEdges,
  type TraceStruct,
} from '../../contract';
import { dutOf, pauseEndOf, rawResultOf, leftoversOf } from './answers';
import type { DescribedDut } from '../protocol';
import type { Carrier } from '../carriers/carrier';
import { HostClock } from '../host/host-clock';
import { HostSession } from './host-session';
import { newLeftovers, type Leftovers } from '../host/leftovers';
import { within } from '../../support/timeout';
import { paramsOfWhole, wholeRunsOf } from './whole-answers';

/** Milliseconds that a carrier may take to end what it has started. */
const carrierGraceMs = 20_000;

/** Milliseconds of the host's clock that go by before it is asked again whether something beside it has happened. */
const passingMs = 20;

/** Looks at what a scenario seems to have left behind, until it has. */
const looksMax = 5;

/** Answers of the host within a quiet window. */
const quietParts = 8;

/** A quiet window lasts so many times as long at most, however little the machine of the host can run. */
const quietTimesMax = 10;

/** Which device the verbs run on, and how patient the client is. */
export interface NativeOptions {
  /** Name of the RDMA device as libibverbs lists it. */
  readonly device: string;
  readonly portNum: number;
  readonly gidIndex: number;
  readonly limits: Limits;
  /** Folder of the rdma-core that the host process must run on; unless given, that is not looked at. */
  readonly rdmaCore?: string;
  /** Whether no other process uses the device, so that each of its objects in the kernel is ours. */
  readonly ownsDevice?: boolean;
  /** The kernel module of the device, where it is not the kernel's own. */
  readonly module?: DutModule;
  /** Multiplies every deadline; more than 1 where everything is slow. */
  readonly slowness?: number;
}

/** What a device has shown that no host process can say of it. */
export interface ShownOfDevice {
  readonly capabilities: readonly Capability[];
  readonly limits: Limits;
}

/**
 * Executes verbs in a host process that a {@link Carrier} starts: where the device is, and where a crash does no harm.
 * A host that is lost, or that still holds something at the end of a scenario, is replaced before the next one.
 */
export class NativeBackend implements WholeBackend {
  readonly #carrier: Carrier;
  readonly #options: NativeOptions;
  /** What waits are made on, where it is not the clock of this process. */
  readonly #hostClock: HostClock | undefined;
  #sessions = 0;
  #host: HostSession | undefined;
  #described: DescribedDut | undefined;
  #shown: ShownOfDevice;
  /** What was there when the host had started. */
  #before: Leftovers | undefined;
  #tookPortDown = false;
  #closed: Promise<void> | undefined;

  private constructor(carrier: Carrier, options: NativeOptions) {
    this.#carrier = carrier;
    this.#options = options;
    this.#shown = { capabilities: [], limits: options.limits };
    const pauseHost = async (ms: number): Promise<number> => pauseEndOf(await this.#living().request('pause', { ms }));
    if (carrier.virtualTime === true) this.#hostClock = new HostClock(pauseHost);
  }

  /**
   * Starts the first host process and lets it describe the device.
   *
   * @throws UsageError if there is no device of that name
   * @throws HarnessError if the device cannot be used as asked, or the host cannot be started
   */
  static async start(carrier: Carrier, options: NativeOptions): Promise<NativeBackend> {
    const backend = new NativeBackend(carrier, options);
    try {
      await backend.#startHost();
    } catch (error) {
      await backend.close().catch(() => undefined); // the reason why the start failed says more
      throw error;
    }
    return backend;
  }

  get dut(): Dut {
    if (this.#described === undefined) throw new HarnessError('no host process has described the device yet');
    return this.#completed(this.#described);
  }

  /** From now on the device is what it has shown to be; before, it lacks all that can be tried. */
  adopt(shown: ShownOfDevice): void {
    this.#shown = shown;
  }

  async call(verb: VerbName, args: TraceStruct, inTurn = false): Promise<RawResult> {
    const result = rawResultOf(verb, await this.#living().request(verb, args, inTurn));
    this.#hostClock?.hear(result.startedAt + result.durationUs);
    return result;
  }

  async executeWhole(request: WholeRequest): Promise<readonly WholeRun[]> {
    const params = paramsOfWhole(request, membersOfDut(this.dut), request.quietMs ?? this.#shown.limits.quietMs);
    const runs = wholeRunsOf(await this.#living().request('programs', params), request.programs.length);
    if (runs.at(-1)?.hangs === true) await this.#retire('a call of a program has not returned');
    return runs;
  }

  async begin(): Promise<void> {
    if (this.#closed !== undefined) throw closedError();
    await this.#restorePort();
    const isSound = this.#host?.pendingCalls === 0 && !this.#host.lost;
    if (isSound && this.#carrier.needsFreshKernel?.() !== true) return;
    await this.#retire('a new scenario began while this call was pending');
    await this.#startHost();
  }

  /**
   * Ends a scenario; a host process that holds objects or calls is killed, so that nothing of them survives, and a port
   * that the scenario has left down comes up.
   *
   * @returns what the scenario left behind, objects by their handles
   * @throws DutPanicked if the kernel, which nobody else uses, has a taint that it did not have
   * @throws what became of the host if it was lost and no call of the scenario was rejected with that
   */
  async end(): Promise<readonly string[]> {
    const host = this.#living();
    try {
      return await this.#endScenario(host);
    } finally {
      await this.#restorePort();
    }
  }

  async #endScenario(host: HostSession): Promise<readonly string[]> {
    const unreported = host.takeUnreported();
    if (unreported !== undefined) throw unreported;
    if (host.lost) return [];
    const arePending = host.pendingCalls > 0;
    const now = await this.#look(host);
    const leftovers = await this.#newLeftovers(host, now);
    this.#checkTaint(now);
    if (arePending || leftovers.length > 0) await this.#retire('the scenario ended while this call was pending');
    return leftovers;
  }

  async #look(host: HostSession): Promise<Leftovers> {
    return leftoversOf(await host.request('leftovers', { full: true }));
  }

  /** A kernel may take its time to let go of what was destroyed: what looks left is looked for again. */
  async #newLeftovers(host: HostSession, now: Leftovers): Promise<readonly string[]> {
    const { ownsDevice = false } = this.#options;
    let latest = now;
    for (let looks = 1; ; looks++) {
      const left = newLeftovers(this.#before ?? now, latest, ownsDevice);
      if (left.length === 0 || latest.handles.length > 0 || looks === looksMax) return left;
      await this.pause(this.#shown.limits.quietMs);
      latest = await this.#look(host);
    }
  }

  #checkTaint({ tainted }: Leftovers): void {
    const before = this.#before?.tainted;
    if (tainted === before || tainted === undefined || this.#carrier.kernelModules !== undefined) return;
    this.#carrier.distrustKernel?.();
    throw new DutPanicked(`the kernel of the DUT is tainted: ${tainted} after the scenario, ${before} before it`);
  }

  get kernelModules(): readonly string[] | undefined {
    return this.#carrier.kernelModules;
  }

  get hostNames(): readonly string[] | undefined {
    return this.#carrier.hostNames;
  }

  kernelLog(): string {
    return this.#carrier.kernelLog();
  }

  get edges(): ModuleEdges | undefined {
    return this.#carrier.edges;
  }

  /**
   * A quiet window that holds some answers of the host: where everything is slow, so are those, and it grows with them.
   * The time does not count in which other processes keep a processor of the host's machine from running: the other one
   * may answer meanwhile. On the host's own clock nothing is slow.
   */
  async settle(): Promise<void> {
    const { quietMs } = this.#shown.limits;
    if (this.#hostClock !== undefined) return this.#hostClock.pause(quietMs);
    const partMs = quietMs / quietParts;
    const starvation = this.#living().starvation();
    for (let part = 1; part <= quietParts * quietTimesMax; part++) {
      await Promise.all([delay(partMs), this.#living().request('leftovers', {})]);
      if (part * partMs - starvation() >= quietMs) return;
    }
  }

  async setPortUp(up: boolean): Promise<void> {
    this.#living();
    if (this.#carrier.setPortUp === undefined) {
      throw new HarnessError(`the link of ${this.#options.device} is not of this run's making`);
    }
    if (!up) this.#tookPortDown = true;
    await this.#passTimeUntil(this.#carrier.setPortUp(up));
    if (up) this.#tookPortDown = false;
  }

  /**
   * What happens beside the host takes time of its clock, too. Nothing holds that clock while word of it is on its way: it
   * goes on in parts that are short enough for the word to be heard between two of them.
   */
  async #passTimeUntil(event: Promise<void>): Promise<void> {
    const clock = this.#hostClock;
    if (clock === undefined || this.#host === undefined || this.#host.lost) return event;
    let isOver = false;
    const end = (): void => {
      isOver = true;
    };
    event.then(end, end);
    const untilMs = clock.nowMs + this.#shown.limits.eventMs;
    const pass = async (): Promise<void> => {
      while (!isOver && clock.nowMs < untilMs) await clock.pause(passingMs, event);
    };
    let failure: unknown;
    pass().catch((error: unknown) => (failure = error));
    await event;
    if (failure !== undefined) throw failure as Error;
  }

  nowMs(): number {
    return this.#hostClock?.nowMs ?? performance.now();
  }

  pause(ms: number, sooner?: Promise<unknown>): Promise<void> {
    return this.#hostClock?.pause(ms, sooner) ?? delay(ms);
  }

  /**
   * Ends the host process and the carrier; never waits for longer than their graces.
   *
   * @throws HarnessError if one of them does not end; all else has ended then
   */
  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  async #end(): Promise<void> {
    try {
      await this.#retire('the driver was closed while this call was pending');
    } finally {
      await this.#closeCarrier();
    }
  }

  async #closeCarrier(): Promise<void> {
    const graceMs = carrierGraceMs * (this.#options.slowness ?? 1);
    const closed = await within(
      graceMs,
      this.#carrier.close().then(() => true),
    );
    if (closed === undefined)
      throw new HarnessError(`the place of the device was not closed within ${graceMs / 1000} s`);
  }

  /** No host process can start while the port is down. */
  async #restorePort(): Promise<void> {
    if (this.#tookPortDown) await this.setPortUp(true);
  }

  async #retire(reason: string): Promise<void> {
    await this.#host?.retire(reason);
  }

  async #startHost(): Promise<void> {
    const { device, portNum, gidIndex, rdmaCore, slowness = 1 } = this.#options;
    const session = ++this.#sessions;
    const hello = { session, device, portNum, gidIndex, ...(rdmaCore !== undefined && { rdmaCore }) };
    const host = await HostSession.start(this.#carrier, session, slowness);
    this.#host = host;
    this.#hostClock?.restart();
    try {
      this.#described = dutOf(await host.request('hello', hello));
      this.#before = await this.#look(host);
    } catch (error) {
      await host.retire('the host process did not start');
      throw error instanceof DutHung ? new HarnessError(`the host process did not start: ${error.message}`) : error;
    }
  }

  /** The host knows the device, the carrier whether its link may be taken down, and the user what module he has chosen. */
  #completed(described: DescribedDut): Dut {
    const { module } = this.#options;
    const shown = this.#shown.capabilities;
    const capabilities: Dut['capabilities'] =
      this.#carrier.setPortUp === undefined ? shown : [...shown, 'port-control'];
    return { ...described, ...(module && { module }), capabilities };
  }

  #living(): HostSession {
    if (this.#closed !== undefined || this.#host === undefined) throw closedError();
    return this.#host;
  }
}

function closedError(): HarnessError {
  return new HarnessError('the driver was closed');
}
