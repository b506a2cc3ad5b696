import { nearest, UsageError, type DriverOptions, type Dut } from '../../contract';
import type { Parts } from '../device/device';
import { backendOf, triedDut } from '../tried-dut';
import { partsOf, variants } from './index';
import { profiles, rdmaCoreRead } from './profiles';
import type { Variant } from './variant';

/** A simulator that does otherwise than the sound one. */
export interface Chosen {
  readonly parts: Parts;
  readonly dut: Dut;
}

/**
 * The simulator that `--profile` and `--variant` ask for; its abilities are tried as those of a device are.
 *
 * @param of - the classes that it is built over
 * @returns `undefined` if they ask for nothing
 * @throws UsageError if there is no such profile or variant
 * @throws HarnessError if its port is a limited member alone
 */
export async function chosen(of: Parts, { profile, variant, progress }: DriverOptions): Promise<Chosen | undefined> {
  if (profile === undefined && variant === undefined) return undefined;
  const like = profile === undefined ? undefined : named('profile', profiles, profile);
  const names = variant?.split(',') ?? [];
  const applied = [...(like?.parts ?? []), ...names.map((name): Variant => named('variant', variants, name))];
  const parts = partsOf(applied, of);
  const told = {
    name: [profile, variant].filter((name) => name !== undefined).join(','),
    basis: like?.statement ?? free,
  };
  progress(`behaves like ${told.name}: ${told.basis}`);
  const dut = await triedDut(backendOf(parts), progress);
  const read = like && { provider: like.provider, rdmaCore: rdmaCoreRead };
  return { parts, dut: { ...dut, profile: told, ...read } };
}

/** What a variant rests on. */
const free = 'as the pages leave it free';

/** Where to find the others. */
const lists = {
  profile: '`verbspec run --help` lists them',
  variant: '`verbspec prove --lawful` lists them',
} as const;

function named<T>(kind: keyof typeof lists, all: Readonly<Record<string, T>>, name: string): T {
  const found = Object.hasOwn(all, name) ? all[name] : undefined;
  if (found !== undefined) return found;
  const near = nearest(name, Object.keys(all));
  const remedy = near === undefined ? lists[kind] : `did you mean ${near}?`;
  throw new UsageError(`unknown ${kind} "${name}"`, remedy);
}
