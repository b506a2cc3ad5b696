import {
  DutLost,
  errnoName,
  HarnessError,
  VerbsError,
  type CallRecord,
  type Driver,
  type Dut,
  type Limits,
  type ModuleEdges,
  type TraceStruct,
} from '../contract';
import type { Backend, RawResult } from './backend';
import { conventionOf, isRefusal, type VerbName } from './conventions';
import { VerbCalls } from './verb-calls';

/** The event by which a device says that nothing is to be expected of it any more: ibv_get_async_event(3). */
const fatal = 'IBV_EVENT_DEVICE_FATAL';

/** The loss of a device that has said so itself; what it did in the scenario until its end is judged. */
function death(): DutLost {
  const remedy = 'look into the log of its kernel, reset it, and run the rest with --again';
  return new DutLost(`the device has announced its own death, ${fatal}`, remedy);
}

/** The one place that turns raw results of a {@link Backend} into refusals, and records every call. */
export class VerbsDriver extends VerbCalls implements Driver {
  readonly pathMtu: number;
  readonly #backend: Backend;
  #records: CallRecord[] = [];
  /** Why the driver can do nothing more. */
  #closed: string | undefined;
  #lost: DutLost | undefined;
  #isInTurn = false;
  /** Whether the device has announced its own death. */
  #isDying = false;

  /** @param mtu - path MTU in bytes asked for by the user; otherwise the port's active MTU */
  constructor(
    backend: Backend,
    readonly limits: Limits,
    mtu?: number,
  ) {
    super();
    this.#backend = backend;
    this.pathMtu = mtu ?? backend.dut.port.activeMtu;
  }

  /** What executes the verbs, for those who have calls of their own to make. */
  get backend(): Backend {
    return this.#backend;
  }

  get dut(): Dut {
    return this.#backend.dut;
  }

  async begin(): Promise<void> {
    this.#records = [];
    this.forgetObjects();
    if (this.#closed !== undefined) throw new HarnessError(this.#closed);
    if (this.#lost !== undefined) throw this.#lost;
    await this.#noting(this.#backend.begin());
  }

  trace(): readonly CallRecord[] {
    return this.#records;
  }

  get kernelModules(): readonly string[] | undefined {
    return this.#backend.kernelModules;
  }

  get hostNames(): readonly string[] | undefined {
    return this.#backend.hostNames;
  }

  kernelLog(): string {
    return this.#backend.kernelLog?.() ?? '';
  }

  get edges(): ModuleEdges | undefined {
    return this.#backend.edges;
  }

  async end(): Promise<readonly string[]> {
    if (this.#closed !== undefined || this.#lost !== undefined) return [];
    const left = this.#noting(this.#backend.end());
    if (!this.#isDying) return left;
    await left.catch(() => undefined); // what a dead device leaves is no leak
    throw (this.#lost ??= death());
  }

  settle(): Promise<void> {
    return this.#noting(this.#backend.settle());
  }

  inTurn<T>(begin: () => T): T {
    this.#isInTurn = true;
    try {
      return begin();
    } finally {
      this.#isInTurn = false;
    }
  }

  nowMs(): number {
    return this.#backend.nowMs();
  }

  pause(ms: number, sooner?: Promise<unknown>): Promise<void> {
    return this.#backend.pause(ms, sooner);
  }

  setPortUp(up: boolean): Promise<void> {
    return this.#noting(this.#backend.setPortUp(up));
  }

  async close(reason = 'the driver was closed'): Promise<void> {
    this.#closed ??= reason;
    await this.#backend.close?.();
  }

  protected override async call(verb: VerbName, args: TraceStruct): Promise<RawResult> {
    const records = this.#records;
    const before = records.at(-1);
    const startedAt = before === undefined ? 0 : before.startedAt + before.durationUs;
    const index = records.push({
      verb,
      args,
      returned: undefined,
      errno: undefined,
      outputs: {},
      startedAt,
      durationUs: 0,
    });
    const result = await this.#noting(this.#backend.call(verb, args, this.#isInTurn)).catch((error: unknown) => {
      throw this.#closed === undefined ? error : new HarnessError(this.#closed);
    });
    const { returned, outputs, durationUs } = result;
    const errno = isRefusal(verb, returned) ? errnoName(errnoOf(verb, result)) : undefined;
    records[index - 1] = { verb, args, returned, errno, outputs, startedAt: result.startedAt, durationUs };
    if (errno !== undefined) throw new VerbsError(verb, errno, returned);
    if (outputs.eventType === fatal) this.#isDying ||= this.#backend.hasFreshDevices !== true;
    return result;
  }

  /** A device that was lost once is not asked again: what remains of the run would wait for it in vain. */
  async #noting<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof DutLost) this.#lost ??= error;
      throw error;
    }
  }
}

function errnoOf(verb: VerbName, { returned, errno }: RawResult): number {
  return conventionOf(verb) === 'errno' && typeof returned === 'number' ? Math.abs(returned) : errno;
}
