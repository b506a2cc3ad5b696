/** The candidate that differs from `name` in the shortest stretch, if that is short enough to be a slip. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let shortest = Math.max(2, Math.floor(name.slice(name.indexOf('.') + 1).length / 2));
  for (const candidate of candidates) {
    const length = differingStretch(name, candidate);
    if (length > shortest || (best !== undefined && length === shortest)) continue;
    best = candidate;
    shortest = length;
  }
  return best;
}

/** Characters of the longer name between what both begin and what both end with. */
function differingStretch(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length);
  let prefix = 0;
  while (prefix < shorter && one[prefix] === other[prefix]) prefix++;
  let suffix = 0;
  while (suffix < shorter - prefix && one.at(-1 - suffix) === other.at(-1 - suffix)) suffix++;
  return Math.max(one.length, other.length) - prefix - suffix;
}
