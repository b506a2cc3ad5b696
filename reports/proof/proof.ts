import type { RunInfo } from '../judge/verdicts';
import type { ScenarioVerdict } from '../../catalog/verdict';

/** What the features are proved with; the members are explained in proof.schema.json. */
export interface Proof {
  readonly schemaVersion: 2;
  readonly suite: RunInfo['suite'];
  /** Ids of the rules that were proved alone, where the user named some. */
  readonly selected?: readonly string[];
  readonly faults: readonly ProvedFault[];
  readonly rules: readonly ProvedRule[];
  /** What keeps the features from being proved, one line each. */
  readonly problems: readonly string[];
  /** Rules that fewer than two independent faults guard. */
  readonly guardedByOne?: readonly string[];
  /** Faults that more than {@link bluntFrom} other rules meet. */
  readonly blunt?: readonly BluntFault[];
  /** Then steps, and those that fail first under no fault of their rule. */
  readonly thenSteps?: ProvedThenSteps;
}

/** A fault that many other rules meet. */
export interface BluntFault {
  readonly name: string;
  /** How many they are. */
  readonly otherRules: number;
}

/** How the Then steps of the features are shown to fail. */
export interface ProvedThenSteps {
  readonly count: number;
  /** Those that fail first under faults of other rules alone. */
  readonly underOthers: number;
  /** Those that cannot, each with a reason. */
  readonly argued: number;
  /** Those that do not, as `file:line text`. */
  readonly never: readonly string[];
}

/** A fault, and what failed under it. */
export interface ProvedFault {
  readonly name: string;
  /** What goes wrong. */
  readonly summary: string;
  /** Ids of the rules that it breaks. */
  readonly rules: readonly string[];
  /** Names of the scenarios that failed, by their rule. */
  readonly killed: Readonly<Record<string, readonly string[]>>;
  /** Which step failed first in each scenario that failed. */
  readonly failedAt?: readonly FirstFailure[];
  /** Other rules that rely on what it breaks. */
  readonly reliant: readonly ReliantRule[];
  /** Rules that did not stay green although they do not rely on what it breaks. */
  readonly crossKills: readonly CrossKill[];
  /** Why it could not be run to its end. */
  readonly lost?: string;
}

/** A rule with scenarios that a fault of another rule leads astray in a call that the scenarios of that rule make too. */
export interface ReliantRule {
  readonly rule: string;
  /** Names of these scenarios. */
  readonly scenarios: readonly string[];
  /** The C functions in which they first get something else. */
  readonly at: readonly string[];
}

/** A rule that does not stay green under a fault of another rule. */
export interface CrossKill {
  readonly rule: string;
  /** Names of its scenarios that did not pass. */
  readonly scenarios: readonly string[];
}

/** Where a scenario failed, as `file:line`. */
export interface FirstFailure {
  readonly scenario: string;
  /** Its first step that failed; none for a hook. */
  readonly step?: string;
}

/** A rule, and the faults that its scenarios caught. */
export interface ProvedRule {
  readonly id: string;
  readonly faults: readonly string[];
}

/** A scenario as it ran, with a fault or without. */
export interface ProvedScenario {
  readonly uri: string;
  readonly line: number;
  readonly name: string;
  /** Ids of the clauses that its Rule carries. */
  readonly clauseIds: readonly string[];
  readonly verdict: ScenarioVerdict;
  readonly detail?: string;
  /** Which of {@link SoundScenario.steps} failed first; none for a hook. */
  readonly failedAt?: number;
  /** Of what failed, without names and numbers. */
  readonly signature?: string;
}

/** A step as the feature has it, before the cells of an example are put in. */
export interface WrittenStep {
  readonly line: number;
  readonly text: string;
  readonly isThen: boolean;
}

/** A scenario without a fault, with what it is made of. */
export interface SoundScenario extends ProvedScenario {
  /** C functions that it calls itself, and not its clean-up. */
  readonly verbs: readonly string[];
  /** How many Then steps it has. */
  readonly checks: number;
  /** Its name as the feature has it. */
  readonly writtenName: string;
  /** Its steps, those of its Background first. */
  readonly steps: readonly WrittenStep[];
}

/** A fault as it is declared. */
export interface DeclaredFault {
  readonly name: string;
  readonly effect: string;
  readonly rules: readonly string[];
  /** What it replaces in the simulator. */
  readonly replaces?: readonly string[];
}

/** A scenario that does not run under a fault as it does without. */
export interface StrayScenario {
  readonly uri: string;
  readonly line: number;
  /** The C function in which it first gets something else. */
  readonly at: string;
}

/** What ran under a fault. */
export interface FaultRun {
  readonly fault: DeclaredFault;
  /** Scenarios that run otherwise, whatever comes of it. */
  readonly stray: readonly StrayScenario[];
  /** Those among them that did not pass: all of its rules, and those that do not rely on them. */
  readonly failed: readonly ProvedScenario[];
  /** Whether all features ran, and not the selected rules alone. */
  readonly isWhole: boolean;
  /** Why it was not run to its end. */
  readonly lost?: string;
}
