import { HarnessError, mtuOf, type Dut, type TraceStruct, type TraceValue } from '../contract';
import { isRefusal } from '../pipeline/conventions';
import { descriptionOf } from '../verbs';
import {
  isReference,
  type CallOp,
  type ProgramRecord,
  type ProgramStruct,
  type ProgramValue,
  type Reference,
} from './program';

/** The name of the device itself: no call makes it. */
export const dutName = 'dut';

/** What a program may know of the device that it runs on, as members of {@link dutName}. */
export const dutMembers = ['name', 'portNum', 'gidIndex', 'pkeyIndex', 'gid', 'lid', 'mtu'] as const;

export type DutMembers = Readonly<Record<(typeof dutMembers)[number], TraceValue>>;

export function membersOfDut({ hcaId, port }: Dut): DutMembers {
  const { portNum, gidIndex, pkeyIndex = 0, gid, lid, activeMtu } = port;
  return { name: hcaId, portNum, gidIndex, pkeyIndex, gid, lid, mtu: mtuOf(activeMtu) };
}

/** What a name stands for: the handle of an object, and what the call filled in. */
export interface Binding {
  readonly handle: string | null;
  readonly outputs: TraceStruct;
}

/** What the names of a program stand for on a device. */
export class Bindings {
  readonly #byName = new Map<string, Binding>();

  constructor(dut: Dut) {
    this.#byName.set(dutName, { handle: null, outputs: membersOfDut(dut) });
  }

  entries(): Iterable<readonly [string, Binding]> {
    return this.#byName;
  }

  get(name: string): Binding | undefined {
    return this.#byName.get(name);
  }

  /** Gives what a call came to the name that its operation has; a refused one makes nothing. */
  bind({ as, call }: CallOp, { args, returned, outputs }: Pick<ProgramRecord, 'args' | 'returned' | 'outputs'>): void {
    const { makes, ends } = descriptionOf(call, args);
    if (ends !== undefined && !isRefusal(call, returned)) this.#end(Object.values(args)[0]);
    if (as === undefined) return;
    // A struct that the caller has room for has its handle among the outputs, a pointer is returned.
    const given = typeof returned === 'string' ? returned : makes === undefined ? undefined : outputs[makes];
    this.#byName.set(as, { handle: typeof given === 'string' ? given : null, outputs });
  }

  /** What has ended cannot be named any more. */
  #end(handle: TraceValue | undefined): void {
    for (const [name, binding] of this.#byName) {
      if (binding.handle === handle) this.#byName.set(name, { ...binding, handle: null });
    }
  }

  /**
   * The arguments of a call for this device.
   *
   * @returns `undefined` if one names what a refused call has not made
   */
  resolve(args: ProgramStruct): TraceStruct | undefined {
    const resolved: Record<string, TraceValue> = {};
    for (const [name, value] of Object.entries(args)) {
      const found = this.#value(value);
      if (found === undefined) return undefined;
      resolved[name] = found;
    }
    return resolved;
  }

  #value(value: ProgramValue): TraceValue | undefined {
    if (typeof value === 'string') return wordPattern.test(value) ? BigInt(value) : value;
    if (typeof value !== 'object' || value === null) return value;
    if (isReference(value)) return this.#referred(value);
    if (!Array.isArray(value)) return this.resolve(value as ProgramStruct);
    const items = (value as readonly ProgramValue[]).map((item) => this.#value(item));
    return items.some((item) => item === undefined) ? undefined : (items as TraceValue[]);
  }

  #referred({ of, member, plus = 0 }: Reference): TraceValue | undefined {
    const binding = this.#byName.get(of);
    if (binding === undefined) return undefined;
    if (member === undefined) return binding.handle ?? undefined;
    const value = binding.outputs[member];
    if (typeof value === 'bigint') return BigInt.asUintN(64, value + BigInt(plus));
    if (typeof value === 'number') return member === 'rkey' ? increasedKey(value, plus) : value + plus;
    if (typeof value === 'string' && plus === 0) return value;
    if (value === undefined) return undefined;
    throw new HarnessError(`"${of}" has no number "${member}"`);
  }
}

/** 64 bits as they travel; see drivers/native/protocol. */
export const wordPattern = /^0x(0|[1-9a-f][0-9a-f]{0,15})$/;

/** The 8 bits of a key that its consumer may choose count on by themselves: ibv_inc_rkey(3). */
function increasedKey(rkey: number, plus: number): number {
  return ((rkey & ~0xff) | ((rkey + plus) & 0xff)) >>> 0;
}
