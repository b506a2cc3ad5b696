import type { Clock } from './clock';
import type { NetworkConditions } from './network/conditions';
import { Network } from './network/network';

/** The network of a scenario, and the calls that wait for something to happen on it. */
export class Scenario {
  readonly network: Network;
  /** Each tries again when called, and gives true once its wait is over. */
  #waiting: (() => boolean)[] = [];

  constructor(conditions: Partial<NetworkConditions>) {
    this.network = new Network(conditions);
  }

  get clock(): Clock {
    return this.network.clock;
  }

  /** Lets time pass, then lets those go on who have waited for what happened. */
  pass(run: (clock: Clock) => void): void {
    run(this.clock);
    this.#waiting = this.#waiting.filter((retry) => !retry());
  }

  /** Resolves when `attempt` gives a value, which may need the calls of others. */
  wait<T>(attempt: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const retry = (): boolean => {
        const value = attempt();
        if (value === undefined) return false;
        resolve(value);
        return true;
      };
      if (!this.clock.runAll(retry)) this.#waiting.push(retry);
    });
  }
}
