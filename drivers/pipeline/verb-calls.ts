import { HarnessError, type Handle, type TraceStruct } from '../contract';
import { methods, type VerbMethods, type VerbName } from '../verbs';
import { decode, decodeMembers, encodeArguments, shown, type Reading } from '../verbs/derived/codec';
import { kinds, type Kind } from '../verbs/kinds';
import type { Description } from '../verbs/verb';
import type { RawResult } from './backend';

/** An object as steps have it. */
interface VerbsObject {
  readonly handle: Handle;
}

/** The verbs of the contract as calls of C functions by name, each as its description says. */
abstract class DescribedCalls {
  static {
    for (const [name, description] of methods) {
      const invoke = function (this: DescribedCalls, ...values: readonly unknown[]): Promise<unknown> {
        return this.#invoke(description, values);
      };
      Object.defineProperty(this.prototype, name, { value: invoke, configurable: true, writable: true });
    }
  }

  readonly #objects = new Map<Handle, VerbsObject>();
  readonly #reading: Reading = {
    // One that no verb of this scenario has made has a handle and nothing else.
    object: (_kinds, handle) => this.#objects.get(handle) ?? { handle },
    mismatch: (found, place, expected) =>
      new HarnessError(`the driver answered with ${found} for "${place}" instead of ${expected}`),
  };

  /** Calls one C function. @throws VerbsError if it refused */
  protected abstract call(verb: VerbName, args: TraceStruct): Promise<RawResult>;

  /** A scenario's objects are unknown to the next one. */
  protected forgetObjects(): void {
    this.#objects.clear();
  }

  async #invoke(description: Description, values: readonly unknown[]): Promise<unknown> {
    const result = await this.call(description.c as VerbName, encodeArguments(description, values));
    return this.#resultOf(description, result);
  }

  #resultOf({ makes, out = {}, gives, returns }: Description, { returned, outputs }: RawResult): unknown {
    if (makes !== undefined) return this.#made(makes as Kind, returned, outputs);
    if (gives !== undefined) return this.#given(out, gives, outputs);
    const given = decodeMembers(out, outputs, this.#reading);
    return returns === 'text' ? { text: String(returned), ...given } : given;
  }

  #given(out: NonNullable<Description['out']>, name: string, outputs: TraceStruct): unknown {
    const type = out[name];
    if (type === undefined) throw new Error(`${name} is not among what the verb fills in`);
    return decode(type, outputs[name], name, this.#reading);
  }

  /** The handle of a struct that the caller has room for is among the outputs, that of a pointer is the pointer. */
  #made(kind: Kind, returned: RawResult['returned'], outputs: TraceStruct): VerbsObject {
    const handle = typeof returned === 'number' ? outputs[kind] : returned;
    if (typeof handle !== 'string') {
      throw new HarnessError(`the driver answered with ${shown(handle)} instead of a handle`);
    }
    const made = { handle, ...decodeMembers(kinds[kind].members, outputs, this.#reading) };
    this.#objects.set(handle, made);
    return made;
  }
}

/** A driver's verbs. The methods stand in no source: they follow from the descriptions. */
export const VerbCalls = DescribedCalls as unknown as abstract new () => DescribedCalls & VerbMethods;
