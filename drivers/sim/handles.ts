import { HarnessError, type Handle } from '../contract';
import type { ModelObjects } from './verbs/objects';

type Kind = keyof ModelObjects;

/** The objects of a scenario by their handles: a kind and a number that is never used again, `cq#3`. */
export class Handles {
  readonly #objects = new Map<Handle, { readonly kind: Kind; readonly object: object }>();
  readonly #handles = new Map<object | undefined, Handle>();
  #next = 1;

  add<K extends Kind>(kind: K, object: ModelObjects[K]): Handle {
    const handle = `${kind}#${this.#next}`;
    this.#next += 1;
    this.#objects.set(handle, { kind, object });
    this.#handles.set(object, handle);
    return handle;
  }

  /** The living object of a handle, which has to be of one of these kinds. */
  get(handle: Handle, kinds: readonly string[]): object {
    const found = this.#objects.get(handle);
    if (found !== undefined && kinds.includes(found.kind)) return found.object;
    throw new HarnessError(`${handle} is not a live ${kinds.join(' or ')}`);
  }

  /** The living object of a handle, if it is one. */
  find(handle: string): object | undefined {
    return this.#objects.get(handle)?.object;
  }

  /** The handle of an object, also of one that has ended, which an event at fault may still name; `null` of none. */
  of(object: object | undefined): Handle | null {
    return this.#handles.get(object) ?? null;
  }

  /** The handle of an object that ends with this call names nothing from now on. */
  end(object: object): void {
    this.#objects.delete(this.of(object) ?? '');
  }

  list(): Handle[] {
    return [...this.#objects.keys()];
  }
}
