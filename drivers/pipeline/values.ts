import { HarnessError, type Handle, type TraceStruct, type TraceValue } from '../contract';

function shown(value: TraceValue | undefined): string {
  if (typeof value === 'string') return `"${value}"`;
  return typeof value === 'object' && value !== null ? 'a struct or a list' : String(value);
}

/** Reads one member of a backend's answer and demands its type: a backend may be written by anyone. */
class Reader<T extends TraceValue> {
  constructor(
    readonly typeName: string,
    readonly accepts: (value: TraceValue | undefined) => value is T,
  ) {}

  read(values: TraceStruct, name: string): T {
    const value = values[name];
    if (!this.accepts(value)) {
      throw new HarnessError(`the driver answered with ${shown(value)} for "${name}" instead of ${this.typeName}`);
    }
    return value;
  }
}

const numbers = new Reader('a number', (value) => typeof value === 'number');
const bigints = new Reader('a 64-bit value', (value) => typeof value === 'bigint');
const strings = new Reader('a string', (value) => typeof value === 'string');
const lists = new Reader('a list', (value): value is readonly TraceValue[] => Array.isArray(value));
const structs = new Reader(
  'a struct',
  (value): value is TraceStruct => typeof value === 'object' && value !== null && !Array.isArray(value),
);

export const numberOf = (values: TraceStruct, name: string): number => numbers.read(values, name);
export const bigintOf = (values: TraceStruct, name: string): bigint => bigints.read(values, name);
export const stringOf = (values: TraceStruct, name: string): string => strings.read(values, name);
export const structOf = (values: TraceStruct, name: string): TraceStruct => structs.read(values, name);

/** The strings of a list, such as flags. */
export function stringsOf(values: TraceStruct, name: string): string[] {
  return lists
    .read(values, name)
    .map((item, index) => strings.read({ [`${name}[${index}]`]: item }, `${name}[${index}]`));
}

/** The structs of a list, such as completions. */
export function structsOf(values: TraceStruct, name: string): TraceStruct[] {
  return lists
    .read(values, name)
    .map((item, index) => structs.read({ [`${name}[${index}]`]: item }, `${name}[${index}]`));
}

/** A handle, or `null` where the C code has a null pointer. */
export function handleOrNull(values: TraceStruct, name: string): Handle | null {
  return values[name] === null ? null : stringOf(values, name);
}
