import type { Envelope } from '@cucumber/messages';
import { clauseIdsOf, type Clauses } from './clauses';
import { matchDeviations, type Deviation, type Match } from './deviations';
import { outcomeOf, type Finding, type Outcome } from './outcome';
import { readRun, type RecordedRun, type RecordedScenario } from './recorded-run';
import { ruleEntries } from './rule-entries';
import type { ScenarioVerdict } from './verdict';
import type { RunInfo, Verdicts } from './verdicts';

/** A recorded run and what it is held against. */
export interface Recording {
  readonly envelopes: readonly Envelope[];
  readonly info: RunInfo;
  readonly clauses: Clauses;
  readonly deviations: readonly Deviation[];
}

/** A scenario with its final verdict. */
export interface JudgedScenario {
  readonly recorded: RecordedScenario;
  readonly outcome: Outcome;
  readonly verdict: ScenarioVerdict;
  /** What was expected and observed, or why, in one line; there for all but a pass. */
  readonly detail: string | undefined;
  /** The entry of the list that made it `deviates` or `surprise`. */
  readonly deviation: Deviation | undefined;
  /** Ids of the clauses that its Rule carries and that exist. */
  readonly clauseIds: readonly string[];
  /** Milliseconds of the attempt that counts. */
  readonly durationMs: number;
}

/** Everything that reports derive from. */
export interface JudgedRun {
  readonly recording: Recording;
  readonly run: RecordedRun;
  readonly scenarios: readonly JudgedScenario[];
  readonly verdicts: Verdicts;
  /** What went wrong outside of all scenarios, or leaves a scenario out of the verdicts; one line each. */
  readonly problems: readonly string[];
}

export const schemaVersion = 1;

/** Judges a recorded run: a pure function of its messages, the clauses and the list of deviations. */
export function judgeRun(recording: Recording): JudgedRun {
  const run = readRun(recording.envelopes);
  const scenarios = judgeScenarios(run, recording);
  const { suite, driver, dut } = recording.info;
  const dutLost = scenarios.flatMap(({ outcome }) => outcome.findings).find((finding) => finding.dutLost)?.words;
  const verdicts: Verdicts = {
    schemaVersion,
    suite,
    driver,
    dut,
    startedAt: new Date(run.startMs).toISOString(),
    durationMs: run.stopMs - run.startMs,
    ...(dutLost !== undefined && { dutLost }),
    rules: ruleEntries(scenarios, run, recording.clauses),
  };
  return { recording, run, scenarios, verdicts, problems: [...run.problems, ...straysOf(run, recording.clauses)] };
}

function judgeScenarios(run: RecordedRun, { clauses, deviations, info }: Recording): JudgedScenario[] {
  const outcomes = run.scenarios.map(outcomeOf);
  const selected = selectedByRule(run);
  const candidates = run.scenarios.map((recorded, index) => {
    const ruleId = recorded.place?.rule?.id ?? '';
    const outcome = outcomes[index] ?? outcomeOf(recorded);
    return {
      recorded,
      outcome,
      verdict: outcome.verdict,
      detail: outcome.findings.map(describeFinding).join('; also '),
      name: recorded.name,
      clauseIds: clauseIdsOf(recorded.place?.rule?.tags ?? []).filter((id) => clauses.has(id)),
      ruleIsComplete: selected.get(ruleId) === run.rules.get(ruleId)?.scenarios,
      durationMs: durationMs(outcome, run),
    };
  });
  const matches = matchDeviations(candidates, deviations, info);
  return candidates.map(({ recorded, outcome, detail, clauseIds, durationMs }, index) => ({
    recorded,
    outcome,
    clauseIds,
    durationMs,
    ...applyMatch(outcome, detail, matches[index]),
  }));
}

/** A listed deviation explains the failure alone: what broke besides keeps the scenario broken. */
function applyMatch(
  outcome: Outcome,
  detail: string,
  match: Match,
): Pick<JudgedScenario, 'verdict' | 'detail' | 'deviation'> {
  if (!match) return { verdict: outcome.verdict, detail: detail === '' ? undefined : detail, deviation: undefined };
  const { kind, deviation } = match;
  const reason = `${deviation.reason} (${deviation.link})`;
  if (kind === 'surprise') {
    return { verdict: kind, detail: `the known deviation did not show: ${reason}`, deviation };
  }
  const isBroken = outcome.findings.some((finding) => finding.verdict === 'broken');
  return { verdict: isBroken ? 'broken' : kind, detail: `${detail}; known deviation: ${reason}`, deviation };
}

/** A finding in one line: where, what, expected, observed. */
export function describeFinding({ where, words, expected, observed }: Finding): string {
  const values = [
    ...(words === '' ? [] : [words]),
    ...(expected === undefined || observed === undefined ? [] : [`expected ${expected}, observed ${observed}`]),
  ].join('; ');
  return where === '' ? values : `${where}: ${values === '' ? 'failed' : values}`;
}

function durationMs({ attempt }: Outcome, run: RecordedRun): number {
  return attempt === undefined ? 0 : Math.max(0, (attempt.stopMs ?? run.stopMs) - attempt.startMs);
}

function selectedByRule({ scenarios }: RecordedRun): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { place } of scenarios) {
    const id = place?.rule?.id ?? '';
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** Scenarios whose result would be in no verdict must not vanish. */
function straysOf({ scenarios }: RecordedRun, clauses: Clauses): string[] {
  const problems = scenarios.flatMap(({ place, uri, line, name }) => {
    const ids = clauseIdsOf(place?.rule?.tags ?? []);
    if (ids.length === 0) return [`${uri}:${line} "${name}" stands under no Rule with a clause id`];
    return ids.filter((id) => !clauses.has(id)).map((id) => `${uri}: @${id} is the id of no clause`);
  });
  return [...new Set(problems)];
}
