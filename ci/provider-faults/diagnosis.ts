import type { Known } from '../../bench/diagnosis/known-faults';
import { membersOf, nameOnly } from '../../reports/diagnosis/members/members';
import { rightShare, tableOf, type Diagnosed, type Verdict } from '../../bench/diagnosis/verdicts';
import { diagnose, type Explanation } from '../../reports/diagnosis/diagnose';
import { shortHash } from '../../reports/diagnosis/scenario-keys';
import type { ProviderFault } from './fault';
import { placeOf, type Shown } from './judge-fault';
import { twins } from './twins';

/** Which part of the faults of a provider a diagnosis has to get right. */
export const rightMin = 0.7;

/** What the faults of a provider look like to a diagnosis that knows those of the simulator. */
export class ProviderDiagnosis {
  readonly #all: Diagnosed[] = [];

  constructor(readonly known: Known) {}

  /** Diagnoses what was shown under a fault. */
  add(name: string, fault: ProviderFault, shown: readonly Shown[]): void {
    const { index, rules, keys } = this.known;
    const keyed = shown.map((one) => ({ ...one, key: keys.get(placeOf(one)) ?? '' }));
    const failed = new Map(
      keyed.flatMap(({ key, signature }): [string, string][] =>
        signature === undefined ? [] : [[key, shortHash(signature)]],
      ),
    );
    const passed = new Set(keyed.filter(({ verdict }) => verdict === 'pass').map(({ key }) => key));
    const differing = new Map(keyed.map(({ key, differing: members = new Set<string>() }) => [key, members]));
    const [first] = diagnose({ failed, passed, differing, rules }, index).explanations;
    this.#all.push({ name, kind: 'of a provider', fails: failed.size, first, verdict: verdictOn(name, fault, first) });
  }

  /** What each fault looks like, and how many are right. */
  report(): readonly string[] {
    const looks = this.#all.map(({ name, first, verdict }) => `${name}: ${verdict}: ${wordsOf(first)}`);
    return [...looks, ...tableOf(this.#all)];
  }

  get isGoodEnough(): boolean {
    return rightShare(this.#all) >= rightMin;
  }
}

function wordsOf(explanation: Explanation | undefined): string {
  if (explanation === undefined) return 'like no known fault';
  const { state, faults, rules } = explanation;
  return `${state?.effect ?? faults[0]?.effect ?? ''} (${rules[0] ?? ''})`;
}

/** A fault of a provider is known by its twins in the simulator, and by the rules that it breaks. */
function verdictOn(name: string, { rules }: ProviderFault, explanation: Explanation | undefined): Verdict {
  const [first] = explanation?.faults ?? [];
  if (first !== undefined && twins[name]?.includes(first.name) === true) return 'same fault';
  const [named = ''] = explanation?.rules ?? [];
  if (explanation?.state !== undefined) return rules.includes(named) ? 'rule named first' : 'wrong';
  if (explanation === undefined || first === undefined) return 'like no known fault';
  if ([...first.rules].sort().join() === [...rules].sort().join()) return 'same rules';
  if (
    first.rules.every((id) => rules.some((own) => pageOf(own) === pageOf(id))) &&
    nameOnly(first.rules, membersOf(rules))
  )
    return 'same verb and member';
  if (rules.includes(named) && first.rules.includes(named)) return 'rule named first';
  return first.rules.some((id) => rules.includes(id)) ? 'a rule in common' : 'wrong';
}

function pageOf(rule: string): string {
  return rule.replace(/\..*/, '');
}
