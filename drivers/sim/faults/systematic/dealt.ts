import { Random } from '../../network/random';

/**
 * Things in an order that looks random and is the same for the same place. One more of them, or one less, changes nothing
 * in the order of the others.
 */
export function dealt<T extends { readonly name: string }>(things: readonly T[], place: string): readonly T[] {
  return things
    .map((thing) => ({ thing, drawn: new Random(seedOf(`${place} / ${thing.name}`)).next() }))
    .sort((one, other) => one.drawn - other.drawn)
    .map(({ thing }) => thing);
}

function seedOf(text: string): number {
  return Array.from(text).reduce((seed, sign) => (Math.imul(seed, 31) + (sign.codePointAt(0) ?? 0)) | 0, 0);
}
