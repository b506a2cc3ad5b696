/**
 * Boots VMs one after the other, of which each has to tell the same.
 *
 * @param boot - boots one. @returns the hash of what it told
 * @returns how many different things they told
 */
export async function differentBoots(times: number, boot: () => Promise<string>): Promise<number> {
  const told = new Set<string>();
  for (let time = 0; time < times; time++) told.add(await boot());
  return told.size;
}

/** @returns the exit code for these counts of different boots: 1 if any differed, or if none booted */
export function exitCodeOf(different: readonly number[]): 0 | 1 {
  return different.length > 0 && different.every((count) => count === 1) ? 0 : 1;
}
