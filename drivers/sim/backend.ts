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

/**
 * When a call counts as hung that waits for what the scenario does not do: after real time, or when the event loop has
 * turned so long without a call that the scenario in this process cannot be about to do it.
 */
export type HangNotion = 'after a while' | 'when idle';
const hungTurns = 5000;

/** Executes verbs on the reference model, in this process and in virtual time. */
export class SimBackend implements Backend {
  readonly dut: Dut = simulatedDut;
  readonly #parts: Parts;
  readonly #hung: HangNotion;
  #scenario: Scenario;

  constructor(parts: Parts, hung: HangNotion = 'after a while') {
    this.#parts = parts;
    this.#hung = hung;
    this.#scenario = new Scenario(parts, hung);
  }

  begin(): Promise<void> {
    this.#scenario = new Scenario(this.#parts, this.#hung);
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
  #ended = false;

  constructor(
    parts: Parts,
    readonly hung: HangNotion,
  ) {
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
      const forgetHang = this.#whenHung((how) => {
        reject(new DutHung(`a call of the simulator waited ${how} with nothing left to happen`));
      });
      const retry = (): boolean => {
        try {
          const value = attempt();
          if (value === undefined) return false;
          resolve(value);
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
        forgetHang();
        return true;
      };
      if (!this.device.clock.runAll(retry)) this.#waiting.push(retry);
    });
  }

  /** @returns what to call when the wait is over */
  #whenHung(tell: (how: string) => void): () => void {
    if (this.hung === 'after a while') {
      const hung = setTimeout(tell, hangMs, `${hangMs} ms of real time`);
      this.#deadlines.push(hung);
      return () => {
        clearTimeout(hung);
      };
    }
    let waits = true;
    void this.#idle(hungTurns, () => this.#ended || !waits).then((idle) => {
      if (idle) tell('for ever');
    });
    return () => {
      waits = false;
    };
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
    await this.#idle(idleTurns, over);
    await this.pass((clock) => {
      clock.advance(Math.max(0, endUs - clock.nowUs), over);
    });
  }

  /** Resolves with true when nobody has called for so many turns, with false when it is `over` before. */
  async #idle(turnsMax: number, over: () => boolean): Promise<boolean> {
    for (let turns = 0; !over() && turns < turnsMax; turns++) {
      const passes = this.#passes;
      await new Promise((resolve) => setImmediate(resolve));
      if (passes !== this.#passes) turns = 0;
    }
    return !over();
  }

  end(): void {
    this.#ended = true;
    for (const deadline of this.#deadlines) clearTimeout(deadline);
  }
}
