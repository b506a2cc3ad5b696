import type { TraceStruct, TraceValue } from '../../contract';
import { numberOf, stringsOf } from '../../pipeline/values';
import type { Part } from './difference';

export const part = (what: string, expected: TraceValue, observed: TraceValue): Part => ({ what, expected, observed });

/** Compares a member of what was filled in: the same value. */
export function same(name: string, expected: TraceStruct, observed: TraceStruct): Part | undefined {
  const [wanted, value] = [expected[name] ?? null, observed[name] ?? null];
  return wanted === value ? undefined : part(name, wanted, value);
}

/** The same or more. */
export function atLeast(name: string, expected: TraceStruct, observed: TraceStruct): Part | undefined {
  const [least, value] = [numberOf(expected, name), observed[name] ?? null];
  return typeof value === 'number' && value >= least ? undefined : part(name, least, value);
}

/** The same of these flags. */
export function sameFlags(
  name: string,
  known: readonly string[],
  expected: TraceStruct,
  observed: TraceStruct,
): Part | undefined {
  const [wanted, given] = [stringsOf(expected, name), stringsOf(observed, name)];
  const isAlike = known.every((flag) => wanted.includes(flag) === given.includes(flag));
  return isAlike ? undefined : part(name, wanted, given);
}

/** The first difference that there is. */
export function firstOf<Item>(
  items: readonly Item[],
  differenceOf: (item: Item) => Part | undefined,
): Part | undefined {
  for (const item of items) {
    const found = differenceOf(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
