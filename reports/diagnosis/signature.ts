import { dataText, isList, isSameData, isStruct, type Data } from '../../drivers/contract';
import type { Finding } from '../judge/outcome';

/** What two failures have in common that have one cause, as text: no names, no numbers, no places. */
export type Signature = string;

/**
 * The signature of a finding: its verdict, and what was compared, of which names and numbers are removed. Of structs and lists
 * it keeps what differs, of two numbers which is larger; 64-bit values are names.
 */
export function signatureOf({ verdict, words, comparison }: Finding): Signature {
  if (comparison === undefined) return `${verdict}: ${withoutNames(words)}`;
  const { expected, observed } = differenceOf(comparison.expected, comparison.observed);
  const [wanted, got] = [expected, observed].map((data) => dataText(data));
  return `${verdict}: ${withoutNames(comparison.subject)}; expected ${wanted}, observed ${got}`;
}

/** The same words about other objects, other numbers or another time are about the same. */
function withoutNames(text: string): string {
  return text
    .replace(/"[^"]*"/g, '""')
    .replace(/\b(?:0x[\da-f]+|\d+)\b/gi, '#')
    .replace(/\bonce\b|\btwice\b|# times\b/g, '# times')
    .replace(/(# [a-z ]*?\b(?:event|CQE|message|byte|receive|send|call))s?\b/g, '$1s');
}

interface Difference {
  readonly expected: Data;
  readonly observed: Data;
}

function differenceOf(expected: Data, observed: Data): Difference {
  if (isStruct(expected) && isStruct(observed)) return differenceOfStructs(expected, observed);
  if (isList(expected) && isList(observed) && expected.length === observed.length) {
    const pairs = expected.map((item, index) => differenceOf(item, observed[index] ?? null));
    const differing = pairs.filter((pair) => !isSameData(pair.expected, pair.observed));
    const [wanted, got] = [differing.map((pair) => pair.expected), differing.map((pair) => pair.observed)];
    return { expected: eachOnce(wanted), observed: eachOnce(got) };
  }
  if (typeof expected !== 'number' || typeof observed !== 'number')
    return { expected: shapeOf(expected), observed: shapeOf(observed) };
  return { expected: '#', observed: observed > expected ? 'more' : 'less' };
}

type Struct = Readonly<Record<string, Data | undefined>>;

function differenceOfStructs(expected: Struct, observed: Struct): Difference {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(observed)])].sort();
  const differing = names.filter((name) => !isSameData(expected[name], observed[name]));
  const pairs = differing.map((name) => [name, differenceOf(expected[name] ?? null, observed[name] ?? null)] as const);
  return {
    expected: Object.fromEntries(pairs.map(([name, pair]) => [name, pair.expected])),
    observed: Object.fromEntries(pairs.map(([name, pair]) => [name, pair.observed])),
  };
}

/** Data without names and numbers; of a list, each kind of item once. */
function shapeOf(data: Data): Data {
  if (typeof data === 'number') return '#';
  if (typeof data === 'string') return withoutNames(data);
  if (isList(data)) return eachOnce(data.map(shapeOf));
  if (!isStruct(data)) return data;
  const members = Object.entries(data).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, member === undefined ? member : shapeOf(member)]));
}

function eachOnce(items: readonly Data[]): Data {
  return items.filter((item, index) => items.findIndex((other) => isSameData(item, other)) === index);
}
