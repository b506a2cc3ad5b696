/** A packet sequence number has 24 bits; after the highest comes 0. */
const psns = 0x1_00_00_00;

/** The packet sequence number `count` packets after `psn`, or before it if `count` is negative. */
export function psnAfter(psn: number, count: number): number {
  return (((psn + count) % psns) + psns) % psns;
}

/**
 * How many packets `psn` lies after `from`; negative if it lies before. Of two numbers the one that is less than half of all
 * numbers away counts as the later one.
 */
export function psnDistance(from: number, psn: number): number {
  const ahead = psnAfter(psn, -from);
  return ahead < psns / 2 ? ahead : ahead - psns;
}
