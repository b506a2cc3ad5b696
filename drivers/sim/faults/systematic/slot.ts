/** One piece of state of one object: a member, however deep. */
export class Slot {
  constructor(
    readonly holder: Record<string, unknown>,
    readonly key: string,
  ) {}

  get value(): unknown {
    return this.holder[this.key];
  }

  set value(value: unknown) {
    this.holder[this.key] = value;
  }

  /** The value as it is now; a list or a set that changes later does not change it. */
  get snapshot(): unknown {
    return copied(this.value);
  }

  /** Puts a value back, into the same list or set where it is one that others hold. */
  restore(value: unknown): void {
    const { value: now } = this;
    if (Array.isArray(now) && Array.isArray(value)) now.splice(0, now.length, ...(value as unknown[]));
    else if (now instanceof Set && value instanceof Set) refill(now, value, (one) => now.add(one));
    else if (now instanceof Map && value instanceof Map)
      refill(now, value, ([key, one]: [unknown, unknown]) => now.set(key, one));
    else this.value = value;
  }
}

function copied(value: unknown): unknown {
  if (Array.isArray(value)) return [...(value as unknown[])];
  if (value instanceof Set) return new Set<unknown>(value);
  if (value instanceof Map) return new Map<unknown, unknown>(value);
  return value;
}

function refill<T>(into: { clear(): void }, from: Iterable<T>, add: (one: T) => void): void {
  into.clear();
  for (const one of from) add(one);
}

/** The slot of a piece of state in an object, if the object has it. */
export function slotIn(object: object, path: readonly string[]): Slot | undefined {
  let holder: unknown = object;
  for (const key of path.slice(0, -1)) {
    holder = typeof holder === 'object' && holder !== null ? (holder as Record<string, unknown>)[key] : undefined;
  }
  const key = path.at(-1);
  if (typeof holder !== 'object' || holder === null || key === undefined) return undefined;
  return new Slot(holder as Record<string, unknown>, key);
}
