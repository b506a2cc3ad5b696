import { HarnessError, type TraceValue } from './contract';
import type { Values } from './backend';

/** Reads one member of a backend's answer and demands its type: a backend may be written by anyone. */
class Reader<T extends TraceValue> {
  constructor(
    readonly typeName: string,
    readonly accepts: (value: TraceValue | undefined) => value is T,
  ) {}

  read(values: Values, name: string): T {
    const value = values[name];
    if (!this.accepts(value)) {
      throw new HarnessError(`the driver answered with ${describe(value)} for "${name}" instead of ${this.typeName}`);
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
  (value): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value),
);

export const numberOf = (values: Values, name: string): number => numbers.read(values, name);
export const bigintOf = (values: Values, name: string): bigint => bigints.read(values, name);
export const stringOf = (values: Values, name: string): string => strings.read(values, name);
export const structOf = (values: Values, name: string): Values => structs.read(values, name);

/** The strings of a list, such as flags. */
export function stringsOf(values: Values, name: string): string[] {
  return lists
    .read(values, name)
    .map((item, index) => strings.read({ [`${name}[${index}]`]: item }, `${name}[${index}]`));
}

/** The structs of a list, such as completions. */
export function structsOf(values: Values, name: string): Values[] {
  return lists
    .read(values, name)
    .map((item, index) => structs.read({ [`${name}[${index}]`]: item }, `${name}[${index}]`));
}

function describe(value: TraceValue | undefined): string {
  return typeof value === 'string' ? `"${value}"` : String(value);
}
