import { HarnessError } from '../drivers/contract';

type Operator = '<' | '<=' | '>' | '>=' | '=';

interface Bound {
  readonly operator: Operator;
  readonly pieces: readonly number[];
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
 * Versions are compared number by number, and only as far as the bound goes: `=6.1` and `<=6.1` hold for
 * `6.1.0-56-amd64`. What follows the numbers is ignored, so a release candidate counts as its release.
 *
 * @returns `false` for a version that does not begin with a number
 * @throws {@link HarnessError} when the range cannot be read
 */
export function inVersionRange(version: string, range: string): boolean {
  const bounds = parseRange(range);
  const pieces = piecesOf(version);
  return pieces !== undefined && bounds.every((bound) => holds[bound.operator](compare(pieces, bound.pieces)));
}

/** Reads a range, to find out that it can be read. */
export function parseRange(range: string): readonly Bound[] {
  const words = range.replace(/([<>=])\s+/g, '$1').split(/[\s,]+/);
  return words.filter((word) => word !== '').map((word) => parseBound(word, range));
}

function parseBound(word: string, range: string): Bound {
  const match = /^(<=|>=|<|>|=)?v?(\d+(?:[.-]\d+)*)$/.exec(word);
  const pieces = match?.[2] === undefined ? undefined : piecesOf(match[2]);
  if (!match || !pieces) throw new HarnessError(`"${range}" is no range of versions`, 'write it like ">=6.1 <6.13"');
  return { operator: isOperator(match[1]) ? match[1] : '=', pieces };
}

function isOperator(text: string | undefined): text is Operator {
  return text !== undefined && text in holds;
}

function piecesOf(version: string): number[] | undefined {
  const match = /^v?(\d+(?:[.-]\d+)*)/.exec(version.trim());
  return match?.[1]?.split(/[.-]/).map(Number);
}

/** Compares as far as `bound` goes. */
function compare(version: readonly number[], bound: readonly number[]): number {
  for (const [index, piece] of bound.entries()) {
    const difference = (version[index] ?? 0) - piece;
    if (difference !== 0) return difference;
  }
  return 0;
}
