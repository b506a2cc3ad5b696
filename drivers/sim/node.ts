import type { Dut } from '../contract';
import type { Clock } from './clock';
import type { Device, Parts } from './device/device';
import { Handles } from './handles';
import type { ReturnValues } from './return-values';
import type { Scenario } from './scenario';
import type { Texts } from './enum/texts';
import { verbsOf, type CallVerb } from './verbs';
import type { Model } from './verbs/verb';

/** A fresh device on the network of a scenario, and the process that calls its verbs. */
export class Node implements Model {
  readonly device: Device;
  readonly handles = new Handles();
  readonly texts: Texts;
  readonly returnValues: ReturnValues;
  #callVerb: CallVerb | undefined;

  constructor(
    readonly scenario: Scenario,
    parts: Parts,
    { port }: Dut,
  ) {
    this.device = new parts.Device(parts, scenario.network, port.gid);
    this.texts = new parts.Texts();
    this.returnValues = new parts.ReturnValues();
  }

  /** Made when it is needed: nobody calls a verb of most nodes. */
  get callVerb(): CallVerb {
    return (this.#callVerb ??= verbsOf(this));
  }

  pass(run: (clock: Clock) => void): void {
    this.scenario.pass(run);
  }

  wait<T>(attempt: () => T | undefined): Promise<T> {
    return this.scenario.wait(attempt);
  }
}
