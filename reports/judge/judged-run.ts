import type { Envelope } from '@cucumber/messages';
import type { Capability } from '../../drivers/contract';
import type { Clauses } from '../../catalog/clauses';
import type { ListedDeviation } from '../../catalog/deviations';
import type { ScenarioVerdict } from '../../catalog/verdict';
import type { RecordedRun, RecordedScenario } from '../recording/recorded-run';
import type { FaultEvidence } from './fault-evidence';
import type { Match, Matching, Reckoning } from './match-deviations';
import type { Finding, Outcome } from './outcome';
import type { RunInfo, Verdicts } from './verdicts';

/** A recorded run and what it is compared with. */
export interface Recording {
  readonly envelopes: readonly Envelope[];
  readonly info: RunInfo;
  readonly clauses: Clauses;
  readonly deviations: readonly ListedDeviation[];
  /** Capabilities that the device must have, where the user says so. */
  readonly expectedCapabilities?: readonly Capability[];
  /** Whether the run was made to end before its end. */
  readonly interrupted?: boolean;
  /** What the list says of the run, where that was found in messages of which these hide something. */
  readonly matching?: Matching;
}

/** A scenario with its final verdict. */
export interface JudgedScenario {
  readonly recorded: RecordedScenario;
  readonly outcome: Outcome;
  readonly verdict: ScenarioVerdict;
  /** What went wrong, without what the list of deviations explains. */
  readonly unexplained: readonly Finding[];
  /** What was expected and observed, or why, in one line; there for all but a pass. */
  readonly detail: string | undefined;
  /** What the list of deviations says of it; `shown` and `surprise` made its verdict. */
  readonly match: Match;
  /** Steps that a known deviation has kept from running, as they are written. */
  readonly notRun: readonly string[];
  /** Ids of the clauses that its Rule carries and that exist. */
  readonly clauseIds: readonly string[];
  /** Milliseconds of the attempt that counts. */
  readonly durationMs: number;
}

/** The findings, by their index, that the list of deviations explains. */
export function explainedIn({ outcome, unexplained }: JudgedScenario): number[] {
  return outcome.findings.flatMap((finding, index) => (unexplained.includes(finding) ? [] : [index]));
}

/** Everything that reports derive from. */
export interface JudgedRun {
  readonly recording: Recording;
  readonly run: RecordedRun;
  readonly scenarios: readonly JudgedScenario[];
  readonly verdicts: Verdicts;
  /** What became of the listed deviations. */
  readonly reckonings: readonly Reckoning[];
  /** What went wrong outside of all scenarios, or leaves a scenario out of the verdicts; one line each. */
  readonly problems: readonly string[];
  /** What is known of the planted faults of its rules, if anything. */
  readonly faults?: FaultEvidence;
}
