import type { Observation } from '../observation';
import { shortHash } from '../scenario-keys';
import type { KnownState } from './known-state';

/** How much traits of failures count; found on systematic faults that the states have not been learned from. */
const weights = { way: 1, signature: 1, rule: 0.7, member: 1.5 } as const;

/** What failures have in common, as text: `rule Xyz123`. */
export type Trait = string;

/** How much of the failures, or of one, has which trait. */
export type Traits = ReadonlyMap<Trait, number>;

/** How much a trait counts. */
export function weightOf(trait: Trait): number {
  return weights[trait.replace(/ .*/, '') as keyof typeof weights];
}

/** The traits of the failures when a state goes wrong. */
export function traitsOfState({ shows, differs }: KnownState): Traits {
  const traits = new Map<Trait, number>();
  for (const { signature, rule, share } of shows) addWay(traits, signature, rule, share);
  for (const [member, share] of Object.entries(differs)) traits.set(`member ${member}`, share);
  return traits;
}

/** The traits of a failure. */
export function traitsOfFailure(key: string, signature: string, { rules, differing }: Observation): Traits {
  const traits = new Map<Trait, number>();
  const ids = rules.get(key) ?? [];
  for (const id of ids) addWay(traits, signature, shortHash(id), 1 / ids.length);
  for (const member of differing?.get(key) ?? []) traits.set(`member ${member}`, 1);
  return traits;
}

function addWay(traits: Map<Trait, number>, signature: string, rule: string, share: number): void {
  for (const trait of [`way ${rule} ${signature}`, `signature ${signature}`, `rule ${rule}`])
    traits.set(trait, (traits.get(trait) ?? 0) + share);
}
