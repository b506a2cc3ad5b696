import { soundParts, type Parts } from '../../device/device';

export type PartName = keyof Parts;

type Class = new (...args: unknown[]) => object;

/** The objects of the model that a scenario has made, by the classes that they are of, in the order of their making. */
export class Registry {
  #network: unknown;
  /** The scenario to which the objects belong. */
  scenario: object = {};
  readonly #objects = new Map<PartName, object[]>();

  /** A device is made. One on another network than the last is of the next scenario. */
  enter(network: unknown): void {
    if (network === this.#network) return;
    this.#network = network;
    this.scenario = {};
    this.#objects.clear();
  }

  add(part: PartName, object: object): void {
    const objects = this.#objects.get(part);
    if (objects === undefined) this.#objects.set(part, [object]);
    else objects.push(object);
  }

  parts(): readonly PartName[] {
    return [...this.#objects.keys()];
  }

  of(part: PartName): readonly object[] {
    return this.#objects.get(part) ?? [];
  }

  has(object: unknown): boolean {
    return [...this.#objects.values()].some((objects) => objects.includes(object as object));
  }
}

/** The sound classes, whose objects are registered. */
export function registeredParts(registry: Registry): Parts {
  const entries = Object.entries(soundParts).map(([part, sound]) => [
    part,
    registering(part as PartName, sound as unknown as Class, registry),
  ]);
  return Object.fromEntries(entries) as Parts;
}

function registering(part: PartName, Sound: Class, registry: Registry): Class {
  return class extends Sound {
    constructor(...args: unknown[]) {
      if (part === 'Device') registry.enter(args[1]);
      super(...args);
      registry.add(part, this);
    }
  };
}
