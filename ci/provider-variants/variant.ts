import type { Capability } from '../../drivers/contract';
import { variants as simulated } from '../../drivers/sim/lawful';
import type { RecordedCalls } from '../provider-faults/fault';

/**
 * What a provider does otherwise than rxe where the pages leave it free: drivers/native/fixtures/provider-variants.c does it
 * by its name. The dual of a fault: no verdict may be another under it.
 */
export interface ProviderVariant {
  /** What it does otherwise, in a program's eyes. */
  readonly does: string;
  /** Why it may. */
  readonly because: string;
  /** Whether a scenario can meet it, by its calls without the variant. */
  readonly meets: (calls: RecordedCalls) => boolean;
  /** Rules whose scenarios run wherever a few stand for all: seldom does another meet it. */
  readonly shownBy?: readonly string[];
  /** What it takes away; the scenarios that need it are not applicable, and no others. */
  readonly lacks?: readonly Capability[];
  /** Rules that another authority than the page promises, and that it does not keep. */
  readonly breaks?: readonly string[];
}

/** Variants by name. */
export type ProviderVariants = Readonly<Record<string, ProviderVariant>>;

/** The variant of that name which the simulator has too. */
export function asSimulated(
  name: string,
  meets: ProviderVariant['meets'],
  more: Partial<ProviderVariant> = {},
): ProviderVariants {
  const variant = simulated[name];
  if (variant === undefined) throw new Error(`the simulator has no lawful variant ${name}`);
  const { does, because, lacks, breaks } = variant;
  return { [name]: { does, because, meets, ...(lacks && { lacks }), ...(breaks && { breaks }), ...more } };
}
