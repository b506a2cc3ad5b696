import { HarnessError } from '../drivers/contract';

type Operator = '<' | '<=' | '>' | '>=' | '=';

interface Version {
  readonly numbers: readonly number[];
  /** Number of the release candidate; `undefined` for a release. */
  readonly candidate: number | undefined;
}

interface Bound {
  readonly operator: Operator;
  readonly version: Version;
}

const holds: Record<Operator, (order: number) => boolean> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '=': (order) => order === 0,
};

/**
 * Whether a version lies in a range such as `>=6.1 <6.13`; all bounds have to hold.
 *
 * Kernels, firmware and rdma-core have no semantic versions. They are compared number by number, and only as far as the
 * bound goes: `=6.1` and `<=6.1` hold for `6.1.0-56-amd64`. A release candidate is before its release: `6.18-rc3` is
 * `<6.18`. What else follows the numbers is ignored. `0x1f` is one number.
 *
 * @returns `undefined` for a version that cannot be compared: it does not begin with a number, or goes on in letters
 * @throws {@link HarnessError} when the range cannot be read
 */
export function inVersionRange(version: string, range: string): boolean | undefined {
  const bounds = parseRange(range);
  const read = readVersion(version.trim());
  return read && bounds.every((bound) => holds[bound.operator](compare(read, bound.version)));
}

/** Reads a range, to find out that it can be read. */
export function parseRange(range: string): readonly Bound[] {
  const words = range.replace(/([<>=])\s+/g, '$1').split(/[\s,]+/);
  const bounds = words.filter((word) => word !== '').map((word) => parseBound(word, range));
  if (bounds.length === 0) throw unreadable(range);
  return bounds;
}

function parseBound(word: string, range: string): Bound {
  const [, operator, text = ''] = /^(<=|>=|<|>|=)?(v?(?:0x[\da-f]+|\d+(?:[.-]\d+)*(?:-?rc\d*)?))$/i.exec(word) ?? [];
  const version = readVersion(text);
  if (!version) throw unreadable(range);
  return { operator: isOperator(operator) ? operator : '=', version };
}

function unreadable(range: string): HarnessError {
  return new HarnessError(`"${range}" is not a range of versions`, 'write it like ">=6.1 <6.13"');
}

function isOperator(text: string | undefined): text is Operator {
  return text !== undefined && text in holds;
}

/** A number that goes on in letters is none, unless they are those of a release candidate. */
const numbers = /^v?(\d+(?:[.-]\d+(?=rc|[^\da-z]|$))*)(?=rc|[^\da-z]|$)(?!\.\d)/i;
const candidate = /^[-.~+_]?rc(\d*)/i;

function readVersion(text: string): Version | undefined {
  if (/^0x[\da-f]+$/i.test(text)) return { numbers: [Number(text)], candidate: undefined };
  const [all, pieces] = numbers.exec(text) ?? [];
  if (all === undefined || pieces === undefined) return undefined;
  const digits = candidate.exec(text.slice(all.length))?.[1];
  return { numbers: pieces.split(/[.-]/).map(Number), candidate: digits === undefined ? undefined : Number(digits) };
}

/** Compares as far as `bound` goes. */
function compare(version: Version, bound: Version): number {
  for (const [index, number] of bound.numbers.entries()) {
    const difference = (version.numbers[index] ?? 0) - number;
    if (difference !== 0) return difference;
  }
  const isBeyond = version.numbers.slice(bound.numbers.length).some((number) => number !== 0);
  if (bound.candidate === undefined) return version.candidate === undefined || isBeyond ? 0 : -1;
  if (isBeyond || version.candidate === undefined) return 1;
  return version.candidate - bound.candidate;
}
