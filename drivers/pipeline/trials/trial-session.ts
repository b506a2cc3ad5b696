import {
  complaintOf,
  DutCrashed,
  DutHung,
  DutLost,
  DutPanicked,
  HarnessError,
  VerbsError,
  type Context,
  type Driver,
} from '../../contract';
import { Bench } from './bench';

/** Gets a line about what the user has to know. */
export type Tell = (line: string) => void;

/** What became of something that was done with a device: a result, a refusal, or the end of the process that did it. */
export type Outcome<T> =
  | { readonly is: 'done'; readonly result: T }
  | { readonly is: 'refused'; readonly refusal: VerbsError }
  | { readonly is: 'died'; readonly reason: string };

/** A device on which one thing after another is tried. One that dies of it is ready again for what comes next. */
export class TrialSession {
  #context: Context | undefined;

  constructor(
    readonly driver: Driver,
    readonly tell: Tell,
  ) {}

  /**
   * Tries something with fresh objects.
   *
   * @param what - in the words of messages
   * @throws HarnessError if no process for the verbs can be started, or the device is gone for good
   */
  async attempt<T>(what: string, use: (bench: Bench) => Promise<T>): Promise<Outcome<T>> {
    const { driver } = this;
    if (this.#context === undefined) await this.#begin();
    const outcome = await outcomeOf(async () => Bench.during(driver, await this.#open(), use));
    const complaint = complaintOf(driver.kernelLog(), driver.kernelModules);
    if (complaint !== undefined) this.tell(`the kernel of the device complained in ${what}: ${complaint}`);
    if (outcome.is === 'died') await this.#abandon();
    return outcome;
  }

  /** Leaves the device as scenarios want to find it. */
  async end(): Promise<void> {
    const { driver } = this;
    const context = this.#context;
    if (context === undefined) return;
    const closed = await outcomeOf(() => driver.closeDevice(context));
    if (closed.is === 'died') this.tell(`the end of the trials failed: ${closed.reason}`);
    await this.#abandon();
  }

  /** Nothing can be tried where no process can be started. */
  async #begin(): Promise<void> {
    await this.driver.begin();
    this.driver.kernelLog(); // what came before is not of these trials
  }

  async #open(): Promise<Context> {
    this.#context ??= await this.driver.openDevice(this.driver.dut.hcaId);
    return this.#context;
  }

  /** What is left is ended with the process that has it. */
  async #abandon(): Promise<void> {
    this.#context = undefined;
    const ended = await outcomeOf(() => this.driver.end());
    if (ended.is === 'died') this.tell(`the end of the trials failed: ${ended.reason}`);
  }
}

async function outcomeOf<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { is: 'done', result: await work() };
  } catch (error) {
    if (error instanceof VerbsError) return { is: 'refused', refusal: error };
    if (error instanceof Error && isDeath(error)) return { is: 'died', reason: error.message };
    throw error;
  }
}

/** What the harness cannot do counts too: a host process need not know every verb. */
function isDeath(error: Error): boolean {
  const kinds = [DutCrashed, DutHung, DutPanicked, HarnessError];
  return kinds.some((kind) => error instanceof kind) && !(error instanceof DutLost);
}
