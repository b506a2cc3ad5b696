/** The bit of an attribute mask with which each member of a struct counts; one without a bit never does. */
export type Bits<Attr, Bit extends string> = Readonly<Partial<Record<keyof Attr & string, Bit>>>;

/** The mask with which all members that are present count. */
export function maskOf<Attr extends object, Bit extends string>(bits: Bits<Attr, Bit>, attr: Attr): readonly Bit[] {
  const present = Object.keys(attr) as (keyof Attr & string)[];
  return [...new Set(present.flatMap((member) => bits[member] ?? []))];
}

/** The members that count under a mask. */
export function countingOf<Attr extends object, Bit extends string>(
  bits: Bits<Attr, Bit>,
  attr: Attr,
  mask: readonly string[],
): Attr {
  const bitsSet = new Set<string | undefined>(mask);
  const counting = Object.entries(attr).filter(([member]) => bitsSet.has(bits[member as keyof Attr & string]));
  return Object.fromEntries(counting) as Attr;
}
