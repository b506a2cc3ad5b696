import type { DutTaint } from '../../contract';

/** What each bit of /proc/sys/kernel/tainted stands for, from the lowest. */
const bits = [
  'proprietary module (P)',
  'module that was forced to load (F)',
  'processor out of its specification (S)',
  'module that was forced to unload (R)',
  'machine check (M)',
  'bad page (B)',
  'user asked for it (U)',
  'kernel died, oops or BUG (D)',
  'ACPI table overridden (A)',
  'kernel warning (W)',
  'staging driver (C)',
  'firmware bug worked around (I)',
  'out-of-tree module (O)',
  'unsigned module (E)',
  'soft lockup (L)',
  'live patch (K)',
  'auxiliary, of the distribution (X)',
  'struct randomization (T)',
  'test of the kernel itself (N)',
];

/** Reads the text of /proc/sys/kernel/tainted; `undefined` if it is none. */
export function taintOf(text: string): DutTaint | undefined {
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(Number(text))) return undefined;
  const mask = Number(text);
  const set = Array.from(mask.toString(2))
    .reverse()
    .flatMap((digit, bit) => (digit === '1' ? [bit] : []));
  return { mask, reasons: set.map((bit) => bits[bit] ?? `bit ${bit}`) };
}
