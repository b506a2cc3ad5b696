import { oneLine } from '../../catalog/plain-text';
import { describeFinding } from '../judge/judge';
import type { JudgedRun, JudgedScenario } from '../judge/judged-run';
import { diagnose, type Explanation } from './diagnose';
import { differingIn } from './members/differing';
import { knownFaults, type Dictionary, type KnownFault } from './dictionary';
import { FaultIndex } from './fault-index';
import { failureOf, type Failure } from './failures';
import { groupedFailures, type Group } from './groups';
import type { Observation } from './observation';
import { scenarioKeys, shortHash } from './scenario-keys';
import { knownStates } from './states/known-state';
import { SpoiledStates } from './states/spoiled-states';

/** What the failures of a run look like; it judges nothing. The members are explained in causes.schema.json. */
export interface Causes {
  /** Scenarios that failed. */
  readonly failed: number;
  /** What explains most first, then what no known fault explains, the largest group first. */
  readonly causes: readonly Cause[];
}

/** What scenarios have failed of, as far as one can see. */
export interface Cause {
  /** A fault that fails the same in the same way; one of the same rules, or that shows alike; a state that goes wrong; or none. */
  readonly kind: 'looks-like' | 'near' | 'state' | 'unknown';
  /** Ready to print, in one line. */
  readonly words: string;
  /** The same without the counts. */
  readonly title: string;
  /** Names of the planted faults that it looks like; none where no known fault explains it, or a state does better. */
  readonly faults: readonly string[];
  /** Ids of the rules that these faults break, or that a state violates, the likeliest to be broken first. */
  readonly rules: readonly string[];
  /** How many scenarios passed that these faults fail. */
  readonly missed: number;
  /** The scenario to look at. */
  readonly first: FailedScenario;
  /** All scenarios that it explains, `first` among them. */
  readonly scenarios: readonly FailedScenario[];
}

/** A scenario that failed. */
export interface FailedScenario {
  readonly name: string;
  readonly uri: string;
  readonly line: number;
}

/** Faults of a class that are named; more of them say no more. */
const namedMax = 3;

/**
 * What the failures of a run look like: the planted faults that explain them, and groups of those that no fault explains.
 *
 * @param dictionary - how the planted faults show; without it the failures are grouped alone
 */
export function causesOf({ scenarios }: Pick<JudgedRun, 'scenarios'>, dictionary: Dictionary | undefined): Causes {
  const keys = scenarioKeys(scenarios.map(({ recorded, clauseIds }) => ({ name: recorded.name, clauseIds })));
  const failures = new Map(
    scenarios.flatMap((scenario, index): [string, Failure][] => {
      const failure = failureOf(scenario);
      return failure === undefined ? [] : [[keys[index] ?? '', failure]];
    }),
  );
  const rules = new Map(keys.map((key, index) => [key, scenarios[index]?.clauseIds ?? []]));
  const passed = new Set(keys.filter((_, index) => scenarios[index]?.verdict === 'pass'));
  const failed = new Map([...failures].map(([key, { signature }]) => [key, shortHash(signature)]));
  const differing = new Map([...failures].map(([key, { finding }]) => [key, differingIn(finding.comparison)]));
  const index = indexOf(failed.size === 0 ? undefined : dictionary, rules);
  const { explanations, unexplained } = diagnose({ failed, passed, differing, rules }, index);
  const failuresAt = (of: readonly string[]): Failure[] => of.flatMap((key) => failures.get(key) ?? []);
  return {
    failed: failures.size,
    causes: [
      ...explanations.map((explanation) => knownCause(explanation, failuresAt(explanation.explained), failures.size)),
      ...groupedFailures(failuresAt(unexplained)).map((group) =>
        unknownCause(group, failures.size, index.faults.length > 0),
      ),
    ],
  };
}

function indexOf(dictionary: Dictionary | undefined, rules: Observation['rules']): FaultIndex {
  if (dictionary === undefined) return FaultIndex.of([], rules);
  return FaultIndex.of(knownFaults(dictionary), rules, new SpoiledStates(knownStates(dictionary)));
}

function knownCause(
  { faults, state, rules, isNear, missed }: Explanation,
  failures: readonly Failure[],
  failed: number,
): Cause {
  const own = rules.flatMap((id) => failures.find(({ scenario }) => scenario.clauseIds.includes(id)) ?? [])[0];
  const kind = state === undefined ? (isNear ? 'near' : 'looks-like') : 'state';
  const title = oneLine(`${kind === 'near' ? 'near to' : 'looks like'}: ${state?.effect ?? inWords(faults)}`);
  const cause: Omit<Cause, 'words'> = {
    kind,
    title,
    faults: faults.map(({ name }) => name),
    rules,
    missed: isNear ? 0 : missed,
    ...scenariosOf(own, failures),
  };
  return withShare(cause, failed);
}

/** A cause with words that say how much of what failed it explains. */
export function withShare(cause: Omit<Cause, 'words'>, failed: number): Cause {
  const { kind, title, missed, scenarios } = cause;
  const share = `${kind === 'looks-like' ? 'explains ' : ''}${scenarios.length} of ${failed}`;
  const against = missed === 0 ? '' : `; ${missed} more should fail, and ${missed === 1 ? 'passes' : 'pass'}`;
  return { ...cause, words: `${title} (${share}${against})` };
}

function inWords(faults: readonly KnownFault[]): string {
  const effects = [...new Set(faults.map(({ effect }) => effect))];
  const more = effects.length - namedMax;
  return [...effects.slice(0, namedMax), ...(more > 0 ? [`one of ${more} others`] : [])].join('; or ');
}

/** Where the step stands differs from scenario to scenario. */
function unknownCause({ first, failures }: Group, failed: number, isCompared: boolean): Cause {
  const told = describeFinding({ ...first.finding, where: '' });
  const title = oneLine(isCompared ? `like no known fault: ${told}` : told);
  return withShare(
    { kind: 'unknown', title, faults: [], rules: [], missed: 0, ...scenariosOf(first, failures) },
    failed,
  );
}

function scenariosOf(first: Failure | undefined, failures: readonly Failure[]): Pick<Cause, 'first' | 'scenarios'> {
  const scenarios = failures.map(({ scenario }) => failedScenario(scenario));
  const example = first === undefined ? scenarios[0] : failedScenario(first.scenario);
  return { first: example ?? { name: '', uri: '', line: 0 }, scenarios };
}

function failedScenario({ recorded: { name, uri, line } }: JudgedScenario): FailedScenario {
  return { name, uri, line };
}
