import { failing } from '../../catalog/verdict';
import type { FaultRun, SoundScenario } from '../proof/proof';
import { scenarioKeys, shortHash } from './scenario-keys';

/** How each planted fault shows, as `prove --accept` records it; the members are explained in dictionary.schema.json. */
export interface Dictionary {
  readonly schemaVersion: 1;
  readonly faults: Readonly<Record<string, FaultEntry>>;
  /** By the name of the state. */
  readonly states?: Readonly<Record<string, StateEntry>>;
}

/** How it shows that a piece of state, or an answer, goes wrong, whatever does it. */
export interface StateEntry {
  readonly effect: string;
  /** How many systematic faults it was learned from. */
  readonly faults: number;
  /** There where planted faults say more exactly what goes wrong. */
  readonly isNamedByFaults?: true;
  /** By the hash of a signature, which part of the failures has it under which rule: `hash:7 hash:12`, in thousandths. */
  readonly shows: Readonly<Record<string, string>>;
  /** Which part of the failures shows a member of completions to differ, in thousandths. */
  readonly differs: Readonly<Record<string, number>>;
}

/** How a fault shows. */
export interface FaultEntry {
  readonly effect: string;
  readonly rules: readonly string[];
  /** By the hash of a signature, the keys of the scenarios that fail with it, apart by blanks. */
  readonly fails: Readonly<Record<string, string>>;
}

/** A fault as it is looked up. */
export interface KnownFault extends Omit<FaultEntry, 'fails'> {
  readonly name: string;
  /** The hash of the signature that each scenario fails with, by the key of the scenario. */
  readonly fails: ReadonlyMap<string, string>;
}

/**
 * The dictionary that a proof comes to. Faults that fail no scenario are left out.
 *
 * @param before - the dictionary so far, of which the states stay
 */
export function dictionaryOf(
  sound: readonly SoundScenario[],
  runs: readonly FaultRun[],
  before?: Dictionary,
): Dictionary {
  const keys = keysByPlace(sound);
  const entries = runs.flatMap((run): [string, FaultEntry][] => {
    const { name, effect, rules } = run.fault;
    const fails = failuresBySignature(run, keys);
    return Object.keys(fails).length === 0 ? [] : [[name, { effect, rules, fails }]];
  });
  const { states } = before ?? {};
  return { schemaVersion: 1, faults: Object.fromEntries(entries.sort(byFirst)), ...(states && { states }) };
}

/** The faults of a dictionary. */
export function knownFaults({ faults }: Dictionary): KnownFault[] {
  return Object.entries(faults).map(([name, { effect, rules, fails }]) => {
    const pairs = Object.entries(fails).flatMap(([signature, keys]) =>
      keys.split(' ').map((key): [string, string] => [key, signature]),
    );
    return { name, effect, rules, fails: new Map(pairs) };
  });
}

/** How the scenarios of a run failed under a fault: hashes of signatures, by the keys of the scenarios. */
export function failuresUnder({ failed }: FaultRun, keys: ReadonlyMap<string, string>): Map<string, string> {
  const pairs = failed.flatMap((one): [string, string][] => {
    const key = keys.get(placeOf(one));
    const { signature, verdict } = one;
    return key === undefined || signature === undefined || !failing.has(verdict) ? [] : [[key, shortHash(signature)]];
  });
  return new Map(pairs);
}

/** The keys of scenarios, by their `file:line`. */
export function keysByPlace(sound: readonly SoundScenario[]): ReadonlyMap<string, string> {
  const keys = scenarioKeys(sound);
  return new Map(sound.map((scenario, index) => [placeOf(scenario), keys[index] ?? '']));
}

function failuresBySignature(run: FaultRun, keys: ReadonlyMap<string, string>): Record<string, string> {
  const bySignature = new Map<string, string[]>();
  for (const [key, signature] of failuresUnder(run, keys)) {
    bySignature.set(signature, [...(bySignature.get(signature) ?? []), key]);
  }
  const entries = [...bySignature].map(([signature, own]): [string, string] => [signature, own.sort().join(' ')]);
  return Object.fromEntries(entries.sort(byFirst));
}

function placeOf({ uri, line }: { readonly uri: string; readonly line: number }): string {
  return `${uri}:${line}`;
}

function byFirst([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
