import { membersOf } from '../../drivers/verbs/derived/c-text';
import type { StructType, Members, Type } from '../../drivers/verbs/idl';
import { isList, isStruct, type Data } from '../../drivers/contract';
import { wordOf, refTo, type Answer, type LocalPort, type Value, type Values, type Ref } from './program';

/** Members of objects that a member of that name may have been taken from, the likeliest first. */
const sources: Readonly<Record<string, readonly (readonly [kind: string, member: 'qpNum' | 'lkey' | 'rkey'])[]>> = {
  qpNum: [['qp', 'qpNum']],
  srcQp: [['qp', 'qpNum']],
  destQpNum: [['qp', 'qpNum']],
  remoteQpn: [['qp', 'qpNum']],
  lkey: [
    ['mr', 'lkey'],
    ['mr', 'rkey'],
  ],
  rkey: [
    ['mr', 'rkey'],
    ['mw', 'rkey'],
    ['mr', 'lkey'],
  ],
  invalidateRkey: [
    ['mw', 'rkey'],
    ['mr', 'rkey'],
  ],
  invalidatedRkey: [
    ['mw', 'rkey'],
    ['mr', 'rkey'],
  ],
};

const addresses: ReadonlySet<string> = new Set(['addr', 'remoteAddr']);

/** How far from memory an address still is meant to be one of it. */
const nearBytes = 1n << 20n;

interface Given {
  readonly handle: string;
  readonly outputs: Readonly<Record<string, Data | undefined>>;
  /** Bytes of memory. */
  readonly length: number;
}

/** What objects were given so far in a run, so that a value can be followed to where it came from. */
export class Provenance {
  readonly #given: Given[] = [];

  constructor(readonly local: LocalPort) {}

  /** Takes note of what a call made. */
  learn(handle: string, { outputs }: Answer, length = 0): void {
    this.#given.unshift({ handle, outputs, length });
  }

  /** The arguments or outputs of a call with each value that was given before named. */
  membersOf(members: Members, values: Readonly<Record<string, Data | undefined>>): Values {
    return Object.fromEntries(
      Object.entries(values).map(([name, value]) => {
        const type = members[name];
        return [name, type === undefined ? value : this.valueOf(type, name, value)];
      }),
    );
  }

  valueOf(type: Type, name: string, value: Data | undefined): Value {
    if (type.is === 'nullable') return value === null ? null : this.valueOf(type.of, name, value);
    if (isList(value)) return type.is === 'list' ? value.map((item) => this.valueOf(type.item, name, item)) : value;
    if (isStruct(value)) return type.is === 'struct' ? this.#structOf(type, value) : value;
    if (type.is === 'number' && typeof value === 'number') return this.#numberOf(name, value);
    if (type.is === 'word' && typeof value === 'string') return this.#wordOf(name, value);
    if (type.is === 'text' && type.name === 'gid' && value === this.local.gid) return refTo('local', 'gid');
    return value;
  }

  #structOf(type: StructType<Members, Members>, values: Readonly<Record<string, Data | undefined>>): Values {
    const types: Members = Object.fromEntries(membersOf(type));
    return this.membersOf(types, values);
  }

  #numberOf(name: string, value: number): Value {
    if (name === 'sgidIndex' && value === this.local.gidIndex) return refTo('local', 'gidIndex');
    if (name === 'portNum' && value === this.local.portNum) return refTo('local', 'portNum');
    for (const plusMax of [0, 0xff]) {
      for (const [kind, member] of sources[name] ?? []) {
        const found = this.#given.find((one) => isOf(one, kind) && isNear(one.outputs[member], value, member, plusMax));
        if (found !== undefined) return refTo(found.handle, member, plusOf(found.outputs[member], value));
      }
    }
    return value;
  }

  #wordOf(name: string, value: string): Value {
    if (!addresses.has(name)) return value;
    const address = BigInt(value);
    const offsets = this.#given
      .filter((one) => isOf(one, 'memory'))
      .map(({ handle, outputs, length }) => ({ handle, length, offset: address - BigInt(wordOf(outputs.addr)) }));
    const within = offsets.find(({ offset, length }) => offset >= 0n && offset < BigInt(length));
    const near = offsets
      .filter(({ offset }) => offset >= -nearBytes && offset < nearBytes)
      .sort((one, other) => Number(distance(one.offset) - distance(other.offset)))[0];
    const found = within ?? near;
    return found === undefined ? value : refTo(found.handle, 'addr', Number(found.offset));
  }

  /** The value that a name stands for here. */
  resolve(ref: Ref): Data {
    const { gid, gidIndex, portNum } = this.local;
    if (ref.of === 'local') return { gid, gidIndex, portNum }[ref.member as 'gid' | 'gidIndex' | 'portNum'];
    const given = this.#given.find(({ handle }) => handle === ref.of)?.outputs[ref.member];
    if (typeof given === 'number') return ((given & ~0xff) | ((given + ref.plus) & 0xff)) >>> 0;
    return `0x${(BigInt(wordOf(given ?? 0)) + BigInt(ref.plus)).toString(16)}`;
  }
}

const distance = (offset: bigint): bigint => (offset < 0n ? -offset : offset);
const isOf = ({ handle }: Given, kind: string): boolean => handle.startsWith(`${kind}#`);

/** Keys are told apart by their lowest 8 bits, which programs choose; numbers of QPs are what they are. */
function isNear(given: Data | undefined, value: number, member: string, plusMax: number): boolean {
  if (typeof given !== 'number') return false;
  if (plusMax === 0 || member === 'qpNum') return given === value;
  return given >>> 8 === value >>> 8 && value >>> 8 !== 0;
}

const plusOf = (given: Data | undefined, value: number): number => (value - Number(given)) & 0xff;
