import { dataText, isList, type Data } from '../../contract/data';
import { wc } from '../cq';
import type { Members, NumberType, StructType, Type } from '../idl';
import { isValidMember } from '../wc-members';

/** What is known of the objects that values name. */
export interface Scope {
  /** What an object is called. */
  readonly nameOf: (handle: string) => string;
  /** The type of the QP of that number, if it is known. */
  readonly qpTypeOf: (qpNum: number) => string | undefined;
}

/** Values by the names of their members. */
export type DataMembers = Readonly<Record<string, Data | undefined>>;

/** Bytes of memory that are shown. */
const bytesShownMax = 64;

/** A name as C has it: `wrId` is `wr_id`. */
export const cName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A list of structs as C has it, by a pointer to its first: `wrs` is `wr`. */
export const arrayName = (name: string): string => cName(name).replace(/s$/, '');

/** A recorded value as a program in C would spell it; one that is not of its type is shown as it is. */
export function cText(type: Type, value: Data | undefined, scope: Scope): string {
  if (value === null || value === undefined) return 'NULL';
  if (type.is === 'nullable') return cText(type.of, value, scope);
  if (typeof value === 'string') return wordText(type, value, scope);
  if (typeof value === 'number') return numberText(type.is === 'either' ? type.number : type, value);
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (isList(value)) return listText(type, value, scope);
  return type.is === 'struct' ? structText(type, value, scope) : dataText(value);
}

function wordText(type: Type, value: string, { nameOf }: Scope): string {
  if (type.is === 'object' || type.is === 'either') return nameOf(value);
  if (type.is === 'bytes') return bytesText(value);
  if (type.is === 'text' && type.name === 'text') return JSON.stringify(value);
  const isDecimal = type.is === 'number' && type.isHex === undefined && /^0x[0-9a-f]+$/.test(value);
  return isDecimal ? String(BigInt(value)) : dataText(value);
}

function numberText(type: Type, value: number): string {
  const { isHex, placeIn }: Partial<NumberType> = type.is === 'number' ? type : {};
  if (placeIn !== undefined) return `&${arrayName(placeIn)}[${value}]`;
  return isHex && value >= 0 ? `0x${value.toString(16)}` : String(value);
}

function bytesText(digits: string): string {
  const shown = digits.slice(0, 2 * bytesShownMax);
  return digits === shown ? dataText(digits) : `${shown}… (${digits.length / 2} bytes)`;
}

function listText(type: Type, values: readonly Data[], scope: Scope): string {
  if (type.is === 'flags') return values.map((value) => dataText(value)).join(' | ') || '0';
  if (type.is !== 'list') return dataText(values);
  return values.length === 0 ? '{}' : `{ ${values.map((value) => cText(type.item, value, scope)).join(', ')} }`;
}

/** The members of a struct in the order of the header; those that are 0 or that nothing makes valid are left out. */
export function structText(type: StructType<Members, Members>, values: DataMembers, scope: Scope): string {
  return bracedText(
    membersOf(type).filter(([name]) => type.c !== wc.c || isValidMember(name, completionFacts(values, scope))),
    values,
    scope,
  );
}

/** Members of which those that are 0 are left out: `{ .wr_id = 0x1, .status = IBV_WC_SUCCESS }`. */
export function bracedText(members: readonly (readonly [string, Type])[], values: DataMembers, scope: Scope): string {
  const shown = members.flatMap(([name, type]) => {
    const value = values[name];
    if (saysNothing(name, type, value)) return [];
    const text = cText(type, value, scope);
    return text === '{}' ? [] : [`.${memberName(name, type)} = ${text}`];
  });
  return shown.length === 0 ? '{}' : `{ ${shown.join(', ')} }`;
}

/** The members of a struct in the order of the header. */
export function membersOf({ members, optional, order }: StructType<Members, Members>): (readonly [string, Type])[] {
  const all: Members = { ...members, ...optional };
  const names = order ?? Object.keys(all);
  return names.flatMap((name): (readonly [string, Type])[] => {
    const type = all[name];
    return type === undefined ? [] : [[name, type]];
  });
}

/** A struct without a name is reached by the names that lead to it. */
function memberName(name: string, type: Type): string {
  return type.is === 'struct' && type.c.endsWith(`.${name}`) ? type.c : cName(name);
}

/** What identifies a request is shown whatever it is. */
const alwaysShown: ReadonlySet<string> = new Set(['wrId']);

function saysNothing(name: string, type: Type, value: Data | undefined): boolean {
  if (value === undefined || value === null) return true;
  return type.is !== 'enum' && !alwaysShown.has(name) && isZero(value);
}

/** Whether a value is what a member has that nobody has set. */
export function isZero(value: Data | undefined): boolean {
  if (isList(value)) return value.length === 0;
  return value === undefined || value === null || [0, false, '', '0x0'].some((zero) => zero === value);
}

function completionFacts(values: DataMembers, { qpTypeOf }: Scope): Parameters<typeof isValidMember>[1] {
  const { status, wcFlags, qpNum } = values;
  const qpType = typeof qpNum === 'number' ? qpTypeOf(qpNum) : undefined;
  return { status, wcFlags, ...(qpType !== undefined && { qpType }) };
}
