/** The bit of a P_Key that a full member of its partition has. */
const full = 0x8000;

/** What a P_Key is worth without that bit: 0 is no P_Key. */
const partitionBits = 0x7fff;

/** Where the QPs of a run find their P_Key, or why no P_Key of the port will do. */
export type ChosenPkey = { readonly index: number } | { readonly limitedAlone: string };

/** What is wrong with a port that has no P_Key of a full member. */
export function limitedText(portNum: number, hcaId: string, limitedAlone: string): string {
  return `port ${portNum} of ${hcaId} is a limited member alone: ${limitedAlone}`;
}

/** What the user can do about {@link ChosenPkey.limitedAlone}. */
export const limitedRemedy =
  'limited members of a partition do not reach each other, so that the device does not reach itself; have the subnet manager make the port a full member of one';

/**
 * Chooses from the P_Key table of a port: the first entry, as most programs do, unless that makes the QPs limited members
 * of their partition. Two of those never reach each other, which a device in loopback always is. So the first full member
 * is taken then. Of a port that tells no P_Key nothing is known.
 *
 * @param pkeys - in the order of the table
 */
export function choosePkey(pkeys: Iterable<number>): ChosenPkey {
  const limited: string[] = [];
  let index = 0;
  for (const pkey of pkeys) {
    if (isFull(pkey)) return { index };
    if ((pkey & partitionBits) !== 0) limited.push(`0x${pkey.toString(16)} at index ${index}`);
    index += 1;
  }
  return limited.length === 0 ? { index: 0 } : { limitedAlone: limited.slice(0, listedMax).join(', ') };
}

/** Enough to know the partitions by; a table may have thousands of entries. */
const listedMax = 4;

/** Whether packets with one P_Key reach a QP with the other: the same partition, of which one is a full member. */
export function reaches(one: number, other: number): boolean {
  const isSame = (one & partitionBits) === (other & partitionBits) && (one & partitionBits) !== 0;
  return isSame && (isFull(one) || isFull(other));
}

function isFull(pkey: number): boolean {
  return (pkey & full) !== 0 && (pkey & partitionBits) !== 0;
}
