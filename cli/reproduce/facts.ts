import { isList, isStruct, type Data } from '../../drivers/contract';
import { unwrittenWord, wc } from '../../drivers/verbs/cq';
import { membersOf } from '../../drivers/verbs/derived/c-text';
import type { Members, Type } from '../../drivers/verbs/idl';
import { kinds, type Kind } from '../../drivers/verbs/kinds';
import { isValidMember } from '../../drivers/verbs/wc-members';
import type { Description } from '../../drivers/verbs/verb';
import { isRef, type Answer, type Op, type Ref } from './program';
import type { Provenance } from './provenance';

/** One thing that an answer says, by where it stands: `result`, `count`, `wc[0].status`, `attr.maxCqe`. */
export interface Fact {
  readonly path: string;
  readonly type: Type | 'errno' | 'count' | 'set' | 'pending' | 'written';
  /** Objects by their handles; of flags the name of one, which is set or not. */
  readonly value: Data | Ref;
  /** The flag that is set or not. */
  readonly flag?: string;
}

/** What no program can expect: descriptors and addresses. */
const ofProcess: ReadonlySet<string> = new Set(['fd', 'address']);

/** What `returned` is beside an errno, by how the function says that it refuses: an errno number, or -1. */
const refusals: Readonly<Partial<Record<Description['fails'], (returned: Data | undefined) => boolean>>> = {
  errno: (returned) => typeof returned === 'number' && returned > 0,
  'zero-or-minus-one': (returned) => returned === -1,
};

/** Whether a refusal returns what its function has to return, as far as that can be another value. */
export function isRefusedAsDescribed({ fails }: Description, { errno, returned }: Answer): boolean {
  return errno === undefined || refusals[fails]?.(returned) !== false;
}

/** What an operation answered, in single things, of completions those alone that are valid. */
export class Facts {
  constructor(
    readonly provenance: Provenance,
    /** The type of the QP of a number. */
    readonly qpTypeOf: (qpNum: number) => string | undefined,
  ) {}

  of({ description, call }: Pick<Op, 'description' | 'call'>, answer: Answer): Fact[] {
    const { fails, makes, out = {}, records = {} } = description;
    if (answer.returned === undefined) return [{ path: 'pending', type: 'pending', value: 'not returned' }];
    const returned: Fact = { path: 'pending', type: 'pending', value: 'returned' };
    const result: Fact[] =
      fails === 'never' ? [] : [{ path: 'result', type: 'errno', value: answer.errno ?? 'success' }];
    if (answer.errno !== undefined) return [returned, ...result, ...this.#membersOf(records, answer.outputs, '')];
    const made: Members = makes === undefined ? {} : kinds[makes as Kind].members;
    const count: Fact[] =
      call.verb === 'ibv_poll_cq' ? [{ path: 'count', type: 'count', value: answer.returned ?? null }] : [];
    return [returned, ...result, ...count, ...this.#membersOf({ ...made, ...out, ...records }, answer.outputs, '')];
  }

  #membersOf(members: Members, values: Readonly<Record<string, Data | undefined>>, prefix: string): Fact[] {
    return Object.entries(members).flatMap(([name, type]) =>
      ofProcess.has(name) || values[name] === undefined ? [] : this.#of(type, name, values[name], `${prefix}${name}`),
    );
  }

  #of(type: Type, name: string, value: Data | undefined, path: string): Fact[] {
    if (type.is === 'nullable') return this.#of(type.of, name, value, path);
    if (type.is === 'flags' && isList(value))
      return type.names.map((flag) => ({ path, type: 'set', flag, value: value.includes(flag) }));
    if (type.is === 'list' && isList(value))
      return value.flatMap((item, index) => this.#of(type.item, name, item, `${path}[${index}]`));
    if (type.is === 'struct' && isStruct(value)) {
      if (type.c !== wc.c) return this.#membersOf(Object.fromEntries(membersOf(type)), value, `${path}.`);
      const valid = membersOf(type).filter(([member]) => this.#isValid(member, value));
      return [...this.#membersOf(Object.fromEntries(valid), value, `${path}.`), ...vendorErrOf(value, path)];
    }
    const named = this.provenance.valueOf(type, name, value);
    return [{ path, type, value: isRef(named) ? named : (value ?? null) }];
  }

  #isValid(member: string, { status, wcFlags, qpNum }: Readonly<Record<string, Data | undefined>>): boolean {
    if (member === 'vendorErr') return false;
    const qpType = typeof qpNum === 'number' ? this.qpTypeOf(qpNum) : undefined;
    return isValidMember(member, { status, wcFlags, ...(qpType !== undefined && { qpType }) });
  }
}

/** Of the vendor_err of a failed CQE, whose values are the provider's, whether there is one. */
function vendorErrOf({ status, vendorErr }: Readonly<Record<string, Data | undefined>>, path: string): Fact[] {
  if (status === 'IBV_WC_SUCCESS' || vendorErr === undefined) return [];
  const value = vendorErr === unwrittenWord ? 'unwritten' : 'written';
  return [{ path: `${path}.vendorErr`, type: 'written', value }];
}

/** Whether two runs say the same of a thing. */
export function isSame(one: Fact, other: Fact): boolean {
  return keyOf(one.value) === keyOf(other.value);
}

const keyOf = (value: Fact['value']): string =>
  isRef(value) ? `${value.of}.${value.member}+${value.plus}` : JSON.stringify(value);

/** Where a thing stands, flags each by itself. */
export const placeOf = ({ path, flag = '' }: Fact): string => `${path} ${flag}`;
