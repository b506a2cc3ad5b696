import { HarnessError } from '../../drivers/contract';

/** The objects of one kind that a scenario knows by name. */
export class Named<T> {
  readonly #objects = new Map<string, T>();

  constructor(readonly kind: string) {}

  add(name: string, object: T): T {
    if (this.#objects.has(name)) throw new HarnessError(`there is already a ${this.kind} "${name}"`);
    this.#objects.set(name, object);
    return object;
  }

  get(name: string): T {
    const object = this.#objects.get(name);
    if (object !== undefined) return object;
    const known = [...this.#objects.keys()].map((key) => `"${key}"`).join(', ');
    throw new HarnessError(`there is no ${this.kind} "${name}"`, `known: ${known === '' ? 'none' : known}`);
  }

  has(name: string): boolean {
    return this.#objects.has(name);
  }

  delete(name: string): void {
    this.#objects.delete(name);
  }

  values(): Iterable<T> {
    return this.#objects.values();
  }

  entries(): Iterable<readonly [string, T]> {
    return this.#objects.entries();
  }

  /** Whether one of the objects is this one. */
  includes(object: unknown): boolean {
    return [...this.#objects.values()].some((candidate) => candidate === object);
  }

  /** The name of an object, for messages. */
  nameOf(object: unknown): string {
    for (const [name, candidate] of this.#objects) if (candidate === object) return `"${name}"`;
    return `none of the ${this.kind}s of the scenario`;
  }
}
