import { HarnessError, type Handle } from '../contract';

/** What the objects of a handle are instances of. */
type Kind<T> = abstract new (...args: never) => T;

/** The objects of a scenario by their handles: a kind and a number that is never used again, `cq#3`. */
export class Handles {
  readonly #objects = new Map<Handle, object>();
  readonly #handles = new Map<object | undefined, Handle>();
  #next = 1;

  add<T extends object>(kind: Kind<T>, object: T): Handle {
    const handle = `${kind.name.toLowerCase()}#${this.#next}`;
    this.#next += 1;
    this.#objects.set(handle, object);
    this.#handles.set(object, handle);
    return handle;
  }

  get<T extends object>(handle: Handle, kind: Kind<T>): T {
    const object = this.#objects.get(handle);
    if (object instanceof kind) return object;
    throw new HarnessError(`${handle} is no live ${kind.name}`);
  }

  /** The handle of an object, also of one that has ended, which an event at fault may still name; `null` of none. */
  of(object: object | undefined): Handle | null {
    return this.#handles.get(object) ?? null;
  }

  /** The object of a handle that ends with this call. */
  take<T extends object>(handle: Handle, kind: Kind<T>): T {
    const object = this.get(handle, kind);
    this.#objects.delete(handle);
    return object;
  }

  list(): Handle[] {
    return [...this.#objects.keys()];
  }
}
