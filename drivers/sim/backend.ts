import type { Dut, Handle, TraceStruct } from '../contract';
import type { Backend, RawResult } from '../pipeline/backend';
import type { VerbName } from '../pipeline/conventions';
import type { Clock } from './clock';
import type { Device, Parts } from './device/device';
import { simulatedDut } from './device/dut';
import { Handles } from './handles';
import { Refusal } from './refusal';
import type { Returned, ReturnValues } from './return-values';
import type { Texts } from './enum/texts';
import { verbsOf, type CallVerb } from './verbs';
import type { Model } from './verbs/verb';

/** Virtual microseconds that a call takes. */
const callUs = 1;

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
    return Promise.resolve(this.#scenario.handles.list());
  }

  /** Whoever called before has heard of the end of the call when this resolves. */
  async settle(): Promise<void> {
    this.#scenario.pass((clock) => {
      clock.runAll();
    });
    await new Promise((resolve) => setImmediate(resolve));
  }

  setPortUp(up: boolean): Promise<void> {
    this.#scenario.pass(() => {
      this.#scenario.device.setPortUp(up);
    });
    return Promise.resolve();
  }

  nowMs(): number {
    return this.#scenario.device.clock.nowUs / 1000;
  }

  pause(ms: number): Promise<void> {
    this.#scenario.pass((clock) => {
      clock.advance(ms * 1000);
    });
    return Promise.resolve();
  }

  async call(verb: VerbName, args: TraceStruct): Promise<RawResult> {
    const { clock } = this.#scenario.device;
    const startedAt = clock.nowUs;
    const result = await this.#attempt(verb, args);
    this.#scenario.pass(() => {
      clock.advance(callUs);
    });
    return { ...result, startedAt, durationUs: clock.nowUs - startedAt };
  }

  async #attempt(verb: VerbName, args: TraceStruct): Promise<Returned> {
    const { callVerb, returnValues } = this.#scenario;
    try {
      return returnValues.ofSuccess(verb, await callVerb(verb, args));
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
  readonly callVerb: CallVerb;
  /** Each tries again when called, and gives true once its wait is over. */
  #waiting: (() => boolean)[] = [];

  constructor(parts: Parts) {
    this.device = new parts.Device(parts);
    this.texts = new parts.Texts();
    this.returnValues = new parts.ReturnValues();
    this.callVerb = verbsOf(this);
  }

  pass(run: (clock: Clock) => void): void {
    run(this.device.clock);
    this.#waiting = this.#waiting.filter((retry) => !retry());
  }

  wait<T>(attempt: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const retry = (): boolean => {
        const value = attempt();
        if (value === undefined) return false;
        resolve(value);
        return true;
      };
      if (!this.device.clock.runAll(retry)) this.#waiting.push(retry);
    });
  }
}
