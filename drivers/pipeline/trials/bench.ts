import {
  end,
  VerbsError,
  type AccessFlag,
  type CompChannel,
  type Context,
  type Cq,
  type Driver,
  type Kind,
  type Mr,
  type Objects,
  type Pd,
} from '../../contract';
import type { VerbName } from '../conventions';

/** Bytes of the memory of a trial, a page. */
const memoryBytes = 4096;

/** The fresh objects of one trial, which are ended with it. */
export class Bench {
  readonly #endings: (() => Promise<void>)[] = [];
  #pd: Promise<Pd> | undefined;

  private constructor(
    readonly driver: Driver,
    readonly context: Context,
  ) {}

  /** Has objects for as long as `use` takes. What the device then refuses to end, it keeps. */
  static async during<T>(driver: Driver, context: Context, use: (bench: Bench) => Promise<T>): Promise<T> {
    const bench = new Bench(driver, context);
    let outcome: { readonly value: T } | { readonly refusal: VerbsError };
    try {
      outcome = { value: await use(bench) };
    } catch (error) {
      if (!(error instanceof VerbsError)) throw error; // nobody is left to end anything
      outcome = { refusal: error };
    }
    await Promise.all(driver.inTurn(() => bench.#endings.reverse().map((ending) => isRefused(ending()))));
    if ('refusal' in outcome) throw outcome.refusal;
    return outcome.value;
  }

  /** Has an object end with the trial, before those that were made earlier. */
  async keep<K extends Kind>(kind: K, creation: Promise<Objects[K]>): Promise<Objects[K]> {
    const object = await creation;
    this.#endings.push(() => end(this.driver, kind, object));
    return object;
  }

  pd(): Promise<Pd> {
    this.#pd ??= this.keep('pd', this.driver.allocPd(this.context));
    return this.#pd;
  }

  cq(cqe: number, channel: CompChannel | null = null): Promise<Cq> {
    return this.keep('cq', this.driver.createCq(this.context, cqe, 0n, channel, 0));
  }

  extendedCq(...wcFlags: string[]): Promise<Cq> {
    const attr = { cqe: 1, cqContext: 0n, channel: null, compVector: 0, wcFlags, compMask: [], flags: [] };
    return this.keep('cq', this.driver.createCqEx(this.context, attr));
  }

  channel(): Promise<CompChannel> {
    return this.keep('channel', this.driver.createCompChannel(this.context));
  }

  /** Registered memory of its own. */
  async memory(access: readonly AccessFlag[] = ['IBV_ACCESS_LOCAL_WRITE']): Promise<Mr> {
    const { addr } = await this.keep('memory', this.driver.allocMemory(memoryBytes));
    return this.keep('mr', this.driver.regMr(await this.pd(), addr, memoryBytes, access));
  }
}

/**
 * Whether the device refuses a call.
 *
 * @param by - of several calls those that are tried; all, if none is named
 * @throws VerbsError if it refuses another
 */
export async function isRefused(call: Promise<unknown>, ...by: readonly VerbName[]): Promise<boolean> {
  const refusal = await refusalOf(call);
  if (refusal !== undefined && by.length > 0 && !by.some((verb) => verb === refusal.verb)) throw refusal;
  return refusal !== undefined;
}

/** How the device refuses a call; `undefined` if it does not. */
export async function refusalOf(call: Promise<unknown>): Promise<VerbsError | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (error instanceof VerbsError) return error;
    throw error;
  }
}
