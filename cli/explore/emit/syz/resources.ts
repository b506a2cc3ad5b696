import { isReference, type CallOp, type ProgramValue } from '../../../../drivers/programs/program';

/** What an object is in a program of syzkaller. */
interface Resource {
  /** The variable that holds its handle or descriptor. */
  readonly variable: string;
  /** The variable of the descriptor of its context. */
  readonly context: string;
  /** Its number in the kernel, as long as no call fails: each context counts its own, and the lowest that is free is taken. */
  readonly handle: number | undefined;
}

/** The variables of a program, and what the kernel can be expected to call the objects. */
export class Resources {
  readonly #byName = new Map<string, Resource>();
  readonly #taken = new Map<string, Set<number>>();
  #variables = 0;
  #pages = 0;
  readonly #memory = new Map<string, string>();

  get(value: ProgramValue | undefined): Resource | undefined {
    return value !== undefined && isReference(value) ? this.#byName.get(value.of) : undefined;
  }

  /** The variable of an object, or 0 where there is none. */
  variable(value: ProgramValue | undefined): string {
    return this.get(value)?.variable ?? '0x0';
  }

  /** Takes a variable for a context. */
  open({ as = '' }: CallOp): string {
    const variable = this.#next();
    this.#byName.set(as, { variable, context: variable, handle: undefined });
    return variable;
  }

  /** Takes a variable for what a call makes. A channel is a descriptor, and has no handle. */
  make({ as }: CallOp, context: string, hasHandle = true): string {
    const variable = this.#next();
    const taken = this.#taken.get(context) ?? new Set<number>();
    this.#taken.set(context, taken);
    let handle = 0;
    while (taken.has(handle)) handle += 1;
    if (hasHandle) taken.add(handle);
    if (as !== undefined) this.#byName.set(as, { variable, context, handle: hasHandle ? handle : undefined });
    return variable;
  }

  end(value: ProgramValue | undefined): void {
    const resource = this.get(value);
    if (resource?.handle !== undefined) this.#taken.get(resource.context)?.delete(resource.handle);
  }

  /** Where memory lies, 64 KiB for each. */
  address(value: ProgramValue | undefined): string {
    const name = value !== undefined && isReference(value) ? value.of : '';
    const known = this.#memory.get(name);
    if (known !== undefined) return known;
    const address = `0x${(0x7f0000400000n + BigInt(this.#pages++) * 0x10000n).toString(16)}`;
    this.#memory.set(name, address);
    return address;
  }

  #next(): string {
    return `r${this.#variables++}`;
  }
}
