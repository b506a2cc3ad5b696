import type { Dictionary, StateEntry } from '../../../reports/diagnosis/dictionary';
import type { Observation } from '../../../reports/diagnosis/observation';
import { shortHash } from '../../../reports/diagnosis/scenario-keys';
import { whole } from '../../../reports/diagnosis/states/known-state';
import { stateClassOf, type StateClass } from './state-classes';

/** What a systematic fault showed. */
export interface Shown extends Required<Pick<Observation, 'failed' | 'differing'>> {
  /** What it spoils. */
  readonly piece: string;
}

/** States by their names. */
export type States = NonNullable<Dictionary['states']>;

/** What states look like that go wrong, by their names: each fault counts the same, however much it fails. */
export function learnStates(all: readonly Shown[], rules: Observation['rules']): States {
  const byClass = new Map<StateClass, Shown[]>();
  for (const shown of all) {
    const its = stateClassOf(shown.piece);
    if (its !== undefined && shown.failed.size > 0) byClass.set(its, [...(byClass.get(its) ?? []), shown]);
  }
  const entries = [...byClass].map(([its, own]): [string, StateEntry] => [its.name, entryOf(its, own, rules)]);
  return Object.fromEntries(entries.sort(byFirst));
}

function entryOf(
  { effect, isNamedByFaults }: StateClass,
  own: readonly Shown[],
  rules: Observation['rules'],
): StateEntry {
  const ways = new Shares();
  const differs = new Shares();
  for (const { failed, differing } of own) {
    const part = 1 / own.length / failed.size;
    for (const [key, signature] of failed) {
      const ids = rules.get(key) ?? [];
      for (const id of ids) ways.add(`${signature} ${shortHash(id)}`, part / ids.length);
      for (const member of differing.get(key) ?? []) differs.add(member, part);
    }
  }
  const shows: Record<string, string> = {};
  for (const [way, parts] of ways.inThousandths()) {
    const [signature = '', rule = ''] = way.split(' ');
    shows[signature] = [shows[signature], `${rule}:${parts}`].filter(Boolean).join(' ');
  }
  const named = isNamedByFaults && { isNamedByFaults };
  return { effect, faults: own.length, ...named, shows, differs: Object.fromEntries(differs.inThousandths()) };
}

/** How much of all is what. */
class Shares {
  readonly #shares = new Map<string, number>();

  add(name: string, share: number): void {
    this.#shares.set(name, (this.#shares.get(name) ?? 0) + share);
  }

  /** Without what is rarer than that. */
  inThousandths(): [string, number][] {
    const all = [...this.#shares].map(([name, share]): [string, number] => [name, Math.round(share * whole)]);
    return all.filter(([, parts]) => parts > 0).sort(byFirst);
  }
}

function byFirst([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
