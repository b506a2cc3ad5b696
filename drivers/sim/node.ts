import type { Dut } from '../contract';
import type { Clock } from './clock';
import type { Device, Parts } from './device/device';
import { Handles } from './handles';
import type { ReturnValues } from './return-values';
import type { Scenario } from './scenario';
import type { Texts } from './enum/texts';
import type { Verbs } from './verbs';
import type { Model } from './verbs/verb';

/** A fresh device on the network of a scenario, and the process that calls its verbs. */
export class Node implements Model {
  readonly device: Device;
  readonly handles = new Handles();
  readonly texts: Texts;
  readonly returnValues: ReturnValues;
  #verbs: Verbs | undefined;

  constructor(
    readonly scenario: Scenario,
    readonly parts: Parts,
    { port }: Dut,
  ) {
    this.device = new parts.Device(parts, scenario.network, port.gid);
    this.texts = new parts.Texts();
    this.returnValues = new parts.ReturnValues();
  }

  /** Made when they are needed: nobody calls a verb of most nodes. */
  get verbs(): Verbs {
    return (this.#verbs ??= new this.parts.Verbs(this));
  }

  pass(run: (clock: Clock) => void): void {
    this.scenario.pass(run);
  }

  wait<T>(attempt: () => T | undefined): Promise<T> {
    return this.scenario.wait(attempt);
  }
}
