import { faults } from '../../drivers/sim/faults';
import { replacedBy } from '../../drivers/sim/faults/touched';
import { diagnose, type Explanation } from '../../reports/diagnosis/diagnose';
import type { KnownFault } from '../../reports/diagnosis/dictionary';
import type { FaultIndex } from '../../reports/diagnosis/fault-index';
import type { Observation } from '../../reports/diagnosis/observation';
import { membersOf, nameOnly } from '../../reports/diagnosis/members/members';
import type { Diagnosed, Verdict } from './verdicts';

/** Diagnoses what each planted fault showed with what is known of the others. */
export function diagnosePlanted(index: FaultIndex, rules: Observation['rules']): Diagnosed[] {
  return index.faults.map((fault) => {
    const passed = new Set([...rules.keys()].filter((key) => !fault.fails.has(key)));
    const [first] = diagnose({ failed: fault.fails, passed, rules }, index.without(fault)).explanations;
    return { name: fault.name, kind: 'planted', fails: fault.fails.size, first, verdict: verdictOn(fault, first) };
  });
}

function verdictOn(fault: KnownFault, explanation: Explanation | undefined): Verdict {
  const [first] = explanation?.faults ?? [];
  const [named = ''] = explanation?.rules ?? [];
  if (explanation?.state !== undefined) return fault.rules.includes(named) ? 'rule named first' : 'wrong';
  if (first === undefined) return 'like no known fault';
  if (isOfSameRules(fault, first)) return 'same rules';
  if (failAlike(fault, first)) return 'same failures';
  if (share(verbsOf(fault), verbsOf(first))) {
    if (share(partsOf(fault), partsOf(first))) return 'same verb and part';
    if (nameOnly(first.rules, membersOf(fault.rules))) return 'same verb and member';
  }
  if (fault.rules.includes(named) && first.rules.includes(named)) return 'rule named first';
  return share(fault.rules, first.rules) ? 'a rule in common' : 'wrong';
}

/** Classes of the simulator that a fault replaces. */
function partsOf({ name }: KnownFault): readonly string[] {
  return replacedBy(faults[name]?.parts ?? {}).map((touch) => touch.replace(/\..*/, ''));
}

function verbsOf({ rules }: KnownFault): readonly string[] {
  return rules.map((id) => id.replace(/\..*/, ''));
}

function share<T>(one: readonly T[], other: readonly T[]): boolean {
  return one.some((item) => other.includes(item));
}

function isOfSameRules(one: KnownFault, other: KnownFault): boolean {
  return [...one.rules].sort().join() === [...other.rules].sort().join();
}

/** Whether the dictionary cannot tell them apart. */
function failAlike(one: KnownFault, other: KnownFault): boolean {
  return one.fails.size === other.fails.size && [...one.fails].every(([key, how]) => other.fails.get(key) === how);
}
