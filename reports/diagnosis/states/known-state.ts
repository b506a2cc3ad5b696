import type { Dictionary, StateEntry } from '../dictionary';

/** A piece of a device's state, or an answer, as it shows when it goes wrong. */
export interface KnownState extends Pick<StateEntry, 'effect' | 'faults'> {
  /** `Srq.limit`. */
  readonly name: string;
  /** Whether planted faults say more exactly what goes wrong. */
  readonly isNamedByFaults: boolean;
  /** Of what fails when it goes wrong, which part fails so: by the signature and the rule, as hashes. */
  readonly shows: readonly Way[];
  /** ... which part shows members of completions to differ. */
  readonly differs: Readonly<Record<string, number>>;
}

/** Which part of the failures are of a rule, with a signature. */
export interface Way {
  readonly signature: string;
  readonly rule: string;
  readonly share: number;
}

/** Shares are written as so many parts of this. */
export const whole = 1000;

/** The states of a dictionary. */
export function knownStates({ states = {} }: Dictionary): KnownState[] {
  return Object.entries(states).map(([name, { effect, faults, isNamedByFaults = false, shows, differs }]) => ({
    ...{ name, effect, faults, isNamedByFaults },
    shows: Object.entries(shows).flatMap(([signature, rules]) => waysOf(signature, rules)),
    differs: Object.fromEntries(Object.entries(differs).map(([member, parts]) => [member, parts / whole])),
  }));
}

function waysOf(signature: string, rules: string): Way[] {
  return rules.split(' ').map((one) => {
    const [rule = '', parts = ''] = one.split(':');
    return { signature, rule, share: Number(parts) / whole };
  });
}
