import { HarnessError, type Driver } from '../../drivers/contract';
import { Node } from './node';
import type { Teardown } from './teardown';

/** The devices of the testbed that a scenario uses. One that it names takes part from then on. */
export class Nodes {
  /** The device of all steps that name none. */
  readonly home: Node;
  readonly #others = new Map<string, Promise<Node>>();
  readonly #begun = new Map<string, Driver>();

  constructor(
    readonly driver: Driver,
    readonly teardown: Teardown,
  ) {
    this.home = new Node(driver, teardown);
  }

  /** The device of that name. @throws HarnessError if the testbed has none */
  async get(name: string): Promise<Node> {
    const { nodes = {} } = this.driver;
    const driver = Object.hasOwn(nodes, name) ? nodes[name] : undefined;
    if (driver === undefined) {
      const known = Object.keys(nodes).map((one) => `"${one}"`);
      throw new HarnessError(`there is no node "${name}"`, `known: ${known.length === 0 ? 'none' : known.join(', ')}`);
    }
    if (driver === this.driver) return this.home;
    const other = this.#others.get(name) ?? this.#begin(name, driver);
    this.#others.set(name, other);
    return other;
  }

  async #begin(name: string, driver: Driver): Promise<Node> {
    await driver.begin();
    this.#begun.set(name, driver);
    return new Node(driver, this.teardown);
  }

  /** The devices that were named, beside the one of all steps. */
  get others(): ReadonlyMap<string, Driver> {
    return this.#begun;
  }

  /**
   * Ends the part of the others.
   *
   * @returns what they left behind
   */
  async end(): Promise<readonly string[]> {
    const leftovers: string[] = [];
    for (const [name, driver] of this.#begun) {
      for (const leftover of await driver.end()) leftovers.push(`${leftover} of node "${name}"`);
    }
    return leftovers;
  }
}
