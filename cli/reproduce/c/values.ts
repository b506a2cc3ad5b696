import { cName, isZero, membersOf } from '../../../drivers/verbs/derived/c-text';
import type { Members, StructType, Type } from '../../../drivers/verbs/idl';
import { isRef, isValueList, isValues, type Value, type Values, type Ref } from '../program';
import { cString, keptName, type Identifiers } from './names';

/** Members that are pointers of the user's in C, and 64-bit values elsewhere. */
const pointers: ReadonlySet<string> = new Set(['cqContext']);

/** Structs of the descriptions whose members C reaches in another way. */
const memberPaths: Readonly<Record<string, string>> = {
  'bind_mw.mr': 'bind_info.mr',
  'bind_mw.addr': 'bind_info.addr',
  'bind_mw.length': 'bind_info.length',
  'bind_mw.access': 'bind_info.mw_access_flags',
  'ibv_send_wr.rdma': 'wr.rdma',
  'ibv_send_wr.atomic': 'wr.atomic',
  'ibv_send_wr.ud': 'wr.ud',
};

/** Numbers in network byte order. */
const inNetworkOrder: ReadonlySet<string> = new Set(['immData']);

/** Spells values of descriptions in C. */
export class ValueTexts {
  /** Members of objects that the program has to keep as variables, `qp#7.qpNum`. */
  readonly kept = new Set<string>();
  /** What of its port the program uses. */
  readonly locals = new Set<string>();

  constructor(
    readonly names: Identifiers,
    readonly isExtended: (handle: string) => boolean,
  ) {}

  /** An object as an argument. */
  object(handle: string, asExtended = false): string {
    const name = this.names.of(handle);
    if (handle.startsWith('event#')) return `&${name}`;
    return this.isExtended(handle) && !asExtended ? `ibv_cq_ex_to_cq(${name})` : name;
  }

  /** A value of a type, as an expression or an initializer. */
  text(type: Type, name: string, value: Value): string {
    if (isRef(value)) return this.ref(value);
    if (type.is === 'nullable') return value === null ? 'NULL' : this.text(type.of, name, value);
    if (value === null || value === undefined) return 'NULL';
    if (isValueList(value)) return listText(type, value);
    if (isValues(value)) return type.is === 'struct' ? this.struct(type, value) : '0';
    if (typeof value === 'boolean') return value ? '1' : '0';
    if (type.is === 'object' || (type.is === 'either' && typeof value === 'string'))
      return this.object(typeof value === 'string' ? value : '');
    if (type.is === 'word') return pointers.has(name) ? `(void *)(uintptr_t)${value}` : `${value}ULL`;
    if (type.is === 'enum') return enumText(type.c, String(value));
    if (type.is === 'text') return type.name === 'gid' ? gidText(String(value)) : cString(String(value));
    return typeof value === 'number' ? this.#number(type, name, value) : cString(value);
  }

  #number(type: Type, name: string, value: number): string {
    const isHex = type.is === 'number' && type.isHex === true;
    const digits = isHex && value >= 0 ? `0x${value.toString(16)}` : String(value);
    const text = value > 0x7fffffff ? `${digits}u` : digits === '-2147483648' ? '(-2147483647 - 1)' : digits;
    return inNetworkOrder.has(name) ? `htonl(${text})` : text;
  }

  /** What the device of the program gave. */
  ref({ of, member, plus }: Ref): string {
    if (of === 'local') {
      this.locals.add(member);
      return { gid: 'gid', gidIndex: 'gid_index', portNum: 'port' }[member as 'gid' | 'gidIndex' | 'portNum'];
    }
    const name = this.names.of(of);
    if (member === 'addr') {
      const offset = plus === 0 ? '' : plus > 0 ? ` + ${plus}` : ` - ${-plus}`;
      return `(uint64_t)(uintptr_t)${name}${offset}`;
    }
    this.kept.add(`${of}.${member}`);
    const kept = keptName(name, member);
    return plus === 0 ? kept : `((${kept} & ~0xffu) | ((${kept} + ${plus}) & 0xff))`;
  }

  /** An initializer. Members that are 0 are left out, unless they are an enumerator or identify a request. */
  struct(type: StructType<Members, Members>, values: Values): string {
    const members = membersOf(type).flatMap(([name, member]) => {
      const value = values[name];
      if (value === undefined || value === null) return [];
      if (!isRef(value) && !isValues(value) && member.is !== 'enum' && name !== 'wrId' && isZero(value as never))
        return [];
      const text = this.text(member, name, value);
      return text === '{ 0 }' ? [] : [`.${memberPath(type, name)} = ${text}`];
    });
    return members.length === 0 ? '{ 0 }' : `{ ${members.join(', ')} }`;
  }
}

function memberPath({ c }: StructType<Members, Members>, name: string): string {
  return memberPaths[`${c}.${name}`] ?? cName(name);
}

const listText = (type: Type, values: readonly Value[]): string =>
  type.is === 'flags' ? values.map(String).join(' | ') || '0' : `{ ${values.map(String).join(', ')} }`;

/** A value that no header names comes as digits. */
export const enumText = (c: string, value: string): string => (/^-?\d/.test(value) ? `(enum ${c})${value}` : value);

function gidText(gid: string): string {
  const digits = gid.replaceAll(':', '');
  const bytes = digits.match(/[0-9a-f]{2}/g) ?? [];
  return `{ .raw = { ${bytes.map((byte) => `0x${byte}`).join(', ')} } }`;
}
