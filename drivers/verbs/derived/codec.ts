import { hexOf } from '../../contract/data';
import type { TraceStruct, TraceValue } from '../../contract/trace';
import type { Members, ObjectType, StructType, Type } from '../idl';
import type { Handle } from '../kinds';
import type { Description } from '../verb';

/** What decodes handles, and what becomes of a value that is not of its type. */
export interface Reading {
  /** The object of a handle, one of these kinds. */
  readonly object: (kinds: readonly string[], handle: Handle) => unknown;
  /** The error of a value that is not what was expected at that place. */
  readonly mismatch: (found: string, place: string, expected: string) => Error;
}

/** A value as it travels: objects by their handles, bytes as hexadecimal digits, members that are absent left out. */
export function encode(type: Type, value: unknown): TraceValue {
  switch (type.is) {
    case 'object':
      return (value as { readonly handle: Handle }).handle;
    case 'either':
      return typeof value === 'number' ? value : encode(type.object, value);
    case 'bytes':
      return hexOf(value as Uint8Array);
    case 'nullable':
      return value === null ? null : encode(type.of, value);
    case 'list':
      return (value as readonly unknown[]).map((item) => encode(type.item, item));
    case 'struct':
      return encodeStruct(type, value as Readonly<Record<string, unknown>>);
    case 'number':
    case 'word':
    case 'boolean':
    case 'text':
    case 'enum':
    case 'flags':
    case 'constant':
      return value as TraceValue;
  }
}

function encodeStruct(
  { members, optional }: StructType<Members, Members>,
  values: Readonly<Record<string, unknown>>,
): TraceStruct {
  const struct: Record<string, TraceValue> = {};
  for (const [name, type] of Object.entries(members)) struct[name] = encode(type, values[name]);
  for (const [name, type] of Object.entries(optional)) {
    if (values[name] !== undefined) struct[name] = encode(type, values[name]);
  }
  return struct;
}

/** The arguments of a call by their names as they travel. */
export function encodeArguments({ in: parameters }: Description, values: readonly unknown[]): TraceStruct {
  const struct: Record<string, TraceValue> = {};
  let next = 0;
  for (const parameter of parameters) {
    for (const [name, type] of Object.entries(parameter)) {
      struct[name] = type.is === 'constant' ? type.text : encode(type, values[next++]);
    }
  }
  return struct;
}

/** Turns a value that has travelled into what it is to its reader. */
export function decode(type: Type, value: TraceValue | undefined, place: string, reading: Reading): unknown {
  switch (type.is) {
    case 'object':
      return decodeObject(type, value, place, reading);
    case 'either':
      return typeof value === 'number' ? value : decodeObject(type.object, value, place, reading);
    case 'nullable':
      return value === null ? null : decode(type.of, value, place, reading);
    case 'list':
      return listOf(value, place, reading).map((item, index) => decode(type.item, item, `${place}[${index}]`, reading));
    case 'struct':
      return decodeStruct(type.members, type.optional, structAt(value, place, reading), `${place}.`, reading);
    case 'flags':
      return listOf(value, place, reading).map((item, index) =>
        demand(typeof item === 'string', item, `${place}[${index}]`, 'a string', reading),
      );
    case 'bytes':
      return bytesOf(value, place, reading);
    case 'number':
      return demand(typeof value === 'number', value, place, 'a number', reading);
    case 'word':
      return demand(typeof value === 'bigint', value, place, 'a 64-bit value', reading);
    case 'boolean':
      return demand(typeof value === 'boolean', value, place, 'true or false', reading);
    case 'constant':
      return demand(value === type.text, value, place, type.text, reading);
    case 'enum':
    case 'text':
      return demand(typeof value === 'string', value, place, 'a string', reading);
  }
}

/** Turns named values that have travelled into what they are to their reader. */
export function decodeMembers(members: Members, values: TraceStruct, reading: Reading): Record<string, unknown> {
  return decodeStruct(members, {}, values, '', reading);
}

/** Whether constants among the arguments of a description are what has travelled. */
export function matchesConstants({ in: parameters }: Description, values: TraceStruct): boolean {
  return parameters.every((parameter) =>
    Object.entries(parameter).every(([name, type]) => type.is !== 'constant' || values[name] === type.text),
  );
}

/** The arguments of a call by their names as they are to their reader. */
export function decodeArguments(
  { in: parameters }: Description,
  values: TraceStruct,
  reading: Reading,
): Record<string, unknown> {
  const decoded: Record<string, unknown> = {};
  for (const parameter of parameters) {
    for (const [name, type] of Object.entries(parameter)) decoded[name] = decode(type, values[name], name, reading);
  }
  return decoded;
}

function decodeStruct(
  members: Members,
  optional: Members,
  values: TraceStruct,
  prefix: string,
  reading: Reading,
): Record<string, unknown> {
  const decoded: Record<string, unknown> = {};
  for (const [name, type] of Object.entries(members)) {
    decoded[name] = decode(type, values[name], `${prefix}${name}`, reading);
  }
  for (const [name, type] of Object.entries(optional)) {
    if (values[name] !== undefined) decoded[name] = decode(type, values[name], `${prefix}${name}`, reading);
  }
  return decoded;
}

function decodeObject(
  { kinds }: ObjectType<string>,
  value: TraceValue | undefined,
  place: string,
  reading: Reading,
): unknown {
  return reading.object(kinds, demand(typeof value === 'string', value, place, 'a handle', reading) as Handle);
}

function listOf(value: TraceValue | undefined, place: string, reading: Reading): readonly TraceValue[] {
  return demand(Array.isArray(value), value, place, 'a list', reading) as readonly TraceValue[];
}

function structAt(value: TraceValue | undefined, place: string, reading: Reading): TraceStruct {
  const isStruct = typeof value === 'object' && value !== null && !Array.isArray(value);
  return demand(isStruct, value, place, 'a struct', reading) as TraceStruct;
}

function bytesOf(value: TraceValue | undefined, place: string, reading: Reading): Uint8Array {
  const isHex = typeof value === 'string' && /^([0-9a-f]{2})*$/.test(value);
  const digits = demand(isHex, value, place, 'hexadecimal digits', reading) as string;
  const bytes = new Uint8Array(digits.length / 2);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16);
  return bytes;
}

function demand<T extends TraceValue | undefined>(
  isRight: boolean,
  value: T,
  place: string,
  expected: string,
  reading: Reading,
): T {
  if (isRight) return value;
  throw reading.mismatch(shown(value), place, expected);
}

/** A value for a message, of which nobody knows how large it is. */
export function shown(value: TraceValue | undefined): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80));
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'a struct';
  return String(value);
}
