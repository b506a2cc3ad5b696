import type { RunInfo } from '../judge/verdicts';
import type { ScenarioVerdict } from '../../catalog/verdict';

/** What the features are proved with; the members are explained in proof.schema.json. */
export interface Proof {
  readonly schemaVersion: 1;
  readonly suite: RunInfo['suite'];
  /** Ids of the rules that were proved alone, where the user named some. */
  readonly selected?: readonly string[];
  readonly faults: readonly ProvedFault[];
  readonly rules: readonly ProvedRule[];
  /** What keeps the features from being proved, one line each. */
  readonly problems: readonly string[];
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
  /** Rules that did not stay green although the fault is of others. */
  readonly crossKills: readonly CrossKill[];
  /** Why it could not be run to its end. */
  readonly lost?: string;
}

/** A rule that does not stay green under a fault of another rule. */
export interface CrossKill {
  readonly rule: string;
  /** Names of its scenarios that did not pass. */
  readonly scenarios: readonly string[];
  /** The declared reason why that cannot be helped. */
  readonly explained?: string;
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
}

/** A scenario without a fault, with what it is made of. */
export interface SoundScenario extends ProvedScenario {
  /** Verbs that it and its clean-up call. */
  readonly verbs: readonly string[];
  /** Methods of the simulator that it calls, and verbs. */
  readonly touches: readonly string[];
  /** How many Then steps it has. */
  readonly checks: number;
}

/** A fault as it is declared. */
export interface DeclaredFault {
  readonly name: string;
  readonly effect: string;
  readonly rules: readonly string[];
  readonly alsoBreaks?: Readonly<Record<string, string>>;
}

/** What ran under a fault. */
export interface FaultRun {
  readonly fault: DeclaredFault;
  /** Scenarios that did not pass. */
  readonly failed: readonly ProvedScenario[];
  /** Whether all features ran, and not the selected rules alone. */
  readonly isWhole: boolean;
  /** Why it was not run to its end. */
  readonly lost?: string;
}

/** What cannot pass while some rules are broken, whoever breaks them. */
export interface Dependency {
  /** Verbs: of the scenarios that call one of them. Or ids of rules: of their scenarios. */
  readonly of: readonly string[];
  /** Ids of the rules that have to be kept. */
  readonly on: readonly string[];
  readonly why: string;
}
