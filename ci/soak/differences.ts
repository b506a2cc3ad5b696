import { unobserved, type Observation, type Observations } from './observations';

/** A run and what it says. */
export interface RunSayings {
  /** From 1. */
  readonly run: number;
  readonly observations: Observations;
}

/** Runs that say the same of something. */
export interface Party {
  readonly verdict: string;
  readonly runs: readonly number[];
  /** What the first of them says. */
  readonly observation: Observation;
}

/** Something of which runs say different things. */
export interface Difference {
  readonly name: string;
  /** Those that say what most say come first. */
  readonly parties: readonly [Party, Party, ...Party[]];
}

/** Of what two runs say different things. */
export function namesOfDifferences(one: Observations, other: Observations): readonly string[] {
  const names = new Set([...one.keys(), ...other.keys()]);
  return [...names].filter((name) => verdictIn(one, name) !== verdictIn(other, name));
}

/** Of what runs say different things. */
export function differencesOf(runs: readonly RunSayings[]): readonly Difference[] {
  const names = new Set(runs.flatMap(({ observations }) => [...observations.keys()]));
  return [...names].flatMap((name) => {
    const [most, ...others] = partiesOf(name, runs);
    const [next, ...rest] = others;
    return most === undefined || next === undefined ? [] : [{ name, parties: [most, next, ...rest] }];
  });
}

function partiesOf(name: string, runs: readonly RunSayings[]): Party[] {
  const verdicts = new Set(runs.map(({ observations }) => verdictIn(observations, name)));
  const parties = [...verdicts].map((verdict) => {
    const members = runs.filter(({ observations }) => verdictIn(observations, name) === verdict);
    return {
      verdict,
      runs: members.map(({ run }) => run),
      observation: members[0]?.observations.get(name) ?? unobserved,
    };
  });
  return parties.sort((one, other) => other.runs.length - one.runs.length);
}

function verdictIn(observations: Observations, name: string): string {
  return (observations.get(name) ?? unobserved).verdict;
}
