import { DutHung, type Dut, type Handle, type TraceStruct } from '../contract';
import type { Backend, RawResult } from '../backend';
import type { VerbName } from '../conventions';
import type { Device, Parts } from './device';
import { simulatedDut } from './dut';
import { Handles } from './handles';
import { Refusal } from './refusal';
import type { Returned, ReturnValues } from './return-values';
import type { Texts } from './texts';
import { verbsOf } from './verbs';
import type { Model } from './verbs/verb';

/** Virtual microseconds that a call takes. */
const callUs = 1;

/** Real milliseconds until a call counts as hung that waits for what the scenario will not do. */
const hangMs = 5000;

/** Turns of the event loop without a call after which nobody is taken to call. */
const idleTurns = 200;

/** Executes verbs on the reference model, in this process and in virtual time. */
export class SimBackend implements Backend {
  readonly dut: Dut = simulatedDut;
  readonly #parts: Parts;
  #scenario: Scenario;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#scenario = new Scenario(parts);
  }

  begin(): Promise<void> {
    this.#scenario = new Scenario(this.#parts);
    return Promise.resolve();
  }

  end(): Promise<readonly Handle[]> {
    this.#scenario.end();
    return Promise.resolve(this.#scenario.handles.list());
  }

  kernelLog(): string {
    return '';
  }

  /** Whoever called before has heard of the end of the call when this resolves. */
  async settle(): Promise<void> {
    await this.#scenario.pass((clock) => {
      clock.runAll();
    });
    await new Promise((resolve) => setImmediate(resolve));
  }

  setPortUp(up: boolean): Promise<void> {
    return this.#scenario.pass(() => {
      this.#scenario.device.setPortUp(up);
    });
  }

  nowMs(): number {
    return this.#scenario.device.clock.nowUs / 1000;
  }

  pause(ms: number): Promise<void> {
    return this.#scenario.pass((clock) => {
      clock.advance(ms * 1000);
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async call(verb: VerbName, args: TraceStruct): Promise<RawResult> {
    const { clock } = this.#scenario.device;
    const startedAt = clock.nowUs;
    const result = await this.#attempt(verb, args);
    await this.#scenario.pass(() => {
      clock.advance(callUs);
    });
    return { ...result, startedAt, durationUs: clock.nowUs - startedAt };
  }

  async #attempt(verb: VerbName, args: TraceStruct): Promise<Returned> {
    const { verbs, returnValues } = this.#scenario;
    try {
      return returnValues.ofSuccess(verb, await verbs[verb](args));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return returnValues.ofRefusal(verb, error);
    }
  }
}

/** A fresh device, its objects, and the calls that wait for something to happen to them. */
class Scenario implements Model {
  readonly device: Device;
  readonly handles = new Handles();
  readonly texts: Texts;
  readonly returnValues: ReturnValues;
  readonly verbs: ReturnType<typeof verbsOf>;
  /** Each tries again when called, and gives true once its wait is over. */
  #waiting: (() => boolean)[] = [];
  /** How often somebody has let time pass. */
  #passes = 0;
  readonly #deadlines: NodeJS.Timeout[] = [];

  constructor(parts: Parts) {
    this.device = new parts.Device(parts);
    this.texts = new parts.Texts();
    this.returnValues = new parts.ReturnValues();
    this.verbs = verbsOf(this);
  }

  /** Lets time pass, then lets those go on who have waited for what happened. */
  pass(run: (clock: Device['clock']) => void): Promise<void> {
    this.#passes += 1;
    run(this.device.clock);
    this.#waiting = this.#waiting.filter((retry) => !retry());
    return Promise.resolve();
  }

  wait<T>(attempt: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const hung = setTimeout(() => {
        reject(new DutHung(`a call of the simulator waited ${hangMs} ms of real time with nothing left to happen`));
      }, hangMs);
      this.#deadlines.push(hung);
      const retry = (): boolean => {
        try {
          const value = attempt();
          if (value === undefined) return false;
          resolve(value);
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
        clearTimeout(hung);
        return true;
      };
      if (!this.device.clock.runAll(retry)) this.#waiting.push(retry);
    });
  }

  waitAtMost(durationUs: number, ready: () => boolean): Promise<void> {
    const { clock } = this.device;
    const endUs = clock.nowUs + durationUs;
    const over = (): boolean => ready() || clock.nowUs >= endUs;
    clock.runDue(endUs, ready);
    if (over()) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push(() => {
        if (over()) resolve();
        return over();
      });
      void this.#passWhenIdle(endUs, over);
    });
  }

  /** Virtual time passes by itself only after the scenario had ample occasion to call and did not. */
  async #passWhenIdle(endUs: number, over: () => boolean): Promise<void> {
    for (let turns = 0; !over() && turns < idleTurns; turns++) {
      const passes = this.#passes;
      await new Promise((resolve) => setImmediate(resolve));
      if (passes !== this.#passes) turns = 0;
    }
    await this.pass((clock) => {
      clock.advance(Math.max(0, endUs - clock.nowUs), over);
    });
  }

  end(): void {
    for (const deadline of this.#deadlines) clearTimeout(deadline);
  }
}
