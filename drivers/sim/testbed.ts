import type { NetworkConditions } from './network/conditions';
import { Scenario } from './scenario';

/** Where simulated devices meet: all that share one are on the same network, scenario by scenario. */
export class Testbed {
  #scenario: Scenario;

  constructor(readonly conditions: Partial<NetworkConditions> = {}) {
    this.#scenario = new Scenario(conditions);
  }

  get scenario(): Scenario {
    return this.#scenario;
  }

  /** Begins a scenario with a network of its own, whose seed is that of all others. */
  begin(): void {
    this.#scenario = new Scenario(this.conditions);
  }
}
