import { TestStepResultStatus } from '@cucumber/messages';
import type { Recording, JudgedScenario, JudgedRun } from './judged-run';
import type { Capability } from '../../drivers/contract';
import { clauseIdsOf, type Clauses } from '../../catalog/clauses';
import { deviationEntry, matchDetail } from './deviation-entries';
import { compareCapabilities, tellExpected } from './expected-capabilities';
import { matchDeviations, type Candidate, type Match, type Matching, type Reckoning } from './match-deviations';
import { failureIn, outcomeOf, type Finding, type Outcome } from './outcome';
import { readRun, type RecordedRun, type RecordedScenario } from '../recording/recorded-run';
import { ruleEntries, untestedClauses } from './rule-entries';
import type { ScenarioVerdict } from '../../catalog/verdict';
import type { Verdicts } from './verdicts';

export const schemaVersion = 2;

/** Judges a recorded run: a pure function of its messages, the clauses and the list of deviations. */
export function judgeRun(recording: Recording): JudgedRun {
  const run = readRun(recording.envelopes);
  const { suite, driver, dut, label, order, authorities, redacted } = recording.info;
  const expected = recording.expectedCapabilities;
  const expectedCapabilities = expected && compareCapabilities(expected, dut);
  const { scenarios, reckonings } = judgeScenarios(run, recording, expectedCapabilities?.missing ?? []);
  const dutLost = scenarios.flatMap(({ outcome }) => outcome.findings).find((finding) => finding.dutLost)?.words;
  const verdicts: Verdicts = {
    schemaVersion,
    suite,
    driver,
    dut,
    ...(redacted && { redacted }),
    ...(label !== undefined && { label }),
    ...(expectedCapabilities && { expectedCapabilities }),
    startedAt: new Date(run.startMs).toISOString(),
    durationMs: run.stopMs - run.startMs,
    ...(dutLost !== undefined && { dutLost }),
    ...(order !== undefined && { order }),
    ...(authorities !== undefined && { authorities }),
    rules: ruleEntries(scenarios, run, recording.clauses),
    ...(reckonings.length > 0 && { deviations: reckonings.map(deviationEntry) }),
  };
  const problems = [...run.problems, ...straysOf(run, recording.clauses)];
  return { recording, run, scenarios, verdicts, reckonings, problems };
}

function judgeScenarios(
  run: RecordedRun,
  recording: Recording,
  missing: readonly Capability[],
): { scenarios: JudgedScenario[]; reckonings: readonly Reckoning[] } {
  const outcomes = run.scenarios.map((recorded) => ({
    recorded,
    outcome: tellExpected(outcomeOf(recorded), missing),
  }));
  const candidates = candidatesOf(outcomes, run, recording.clauses);
  const { matches, explained, reckonings } = recording.matching ?? matchAll(candidates, run, recording);
  const scenarios = outcomes.map(({ recorded, outcome }, index) => ({
    recorded,
    outcome,
    clauseIds: candidates[index]?.clauseIds ?? [],
    durationMs: durationMs(outcome, run),
    ...applyMatch(outcome, matches[index], explained[index] ?? []),
  }));
  return { scenarios, reckonings };
}

function candidatesOf(
  outcomes: readonly { readonly recorded: RecordedScenario; readonly outcome: Outcome }[],
  run: RecordedRun,
  clauses: Clauses,
): Candidate[] {
  const selected = new Map<string, string[]>();
  for (const { place, name } of run.scenarios) {
    const rule = place?.rule?.id ?? '';
    selected.set(rule, [...(selected.get(rule) ?? []), name]);
  }
  return outcomes.map(({ recorded: { place, name }, outcome }) => {
    const rule = place?.rule?.id ?? '';
    const names = run.rules.get(rule)?.scenarioNames ?? [];
    return {
      verdict: outcome.verdict,
      findings: outcome.findings.map((finding) => ({
        ...failureIn(finding),
        verdict: finding.verdict,
        ...(finding.isCleanUp && { isCleanUp: true }),
      })),
      name,
      clauseIds: clauseIdsOf(place?.rule?.tags ?? []).filter((id) => clauses.has(id)),
      ruleIsComplete: selected.get(rule)?.length === names.length,
      nameIsComplete: count(name, selected.get(rule) ?? []) === count(name, names),
    };
  });
}

function count(name: string, names: readonly string[]): number {
  return names.filter((other) => other === name).length;
}

function matchAll(
  candidates: readonly Candidate[],
  run: RecordedRun,
  { envelopes, info, clauses, deviations, interrupted = false }: Recording,
): Matching {
  const rules = [...run.rules.values()].map(({ rule, scenarioNames }) => ({
    clauseIds: clauseIdsOf(rule.tags),
    scenarioNames,
  }));
  const untested = new Set(untestedClauses(run, clauses).map(({ id }) => id));
  const isWhole = !interrupted && envelopes.some(({ testRunFinished }) => testRunFinished !== undefined);
  return matchDeviations(candidates, deviations, { ...info, startMs: run.startMs, isWhole, rules, untested });
}

/** A scenario deviates if the list explains all that went wrong in it; what is left has its own verdict. */
function applyMatch(
  outcome: Outcome,
  match: Match,
  explained: readonly number[],
): Pick<JudgedScenario, 'verdict' | 'unexplained' | 'detail' | 'match' | 'notRun'> {
  const unexplained = outcome.findings.filter((_, index) => !explained.includes(index));
  const verdict = verdictOf(outcome, match, unexplained);
  const notRun = verdict === 'deviates' ? stepsNotRun(outcome) : [];
  const known = outcome.findings.filter((_, index) => explained.includes(index));
  const told = [
    ...described(unexplained),
    ...described(known).map((words) => (unexplained.length > 0 ? `beside ${words}` : words)),
    ...(match ? [matchDetail(match)] : []),
    ...(notRun.length > 0 ? [`did not run: ${notRun.join(', ')}`] : []),
  ];
  return { verdict, unexplained, detail: told.length === 0 ? undefined : told.join('; '), match, notRun };
}

function verdictOf({ verdict }: Outcome, match: Match, unexplained: readonly Finding[]): ScenarioVerdict {
  if (match?.state === 'surprise') return 'surprise';
  if (match?.state !== 'shown') return verdict;
  return unexplained[0]?.verdict ?? 'deviates'; // the most severe is the first
}

/** What a scenario could not show besides, as a step before did not let it. */
function stepsNotRun({ attempt }: Outcome): string[] {
  const skipped = attempt?.steps.filter(({ result }) => result?.status === TestStepResultStatus.SKIPPED) ?? [];
  return skipped.filter(({ kind }) => kind === 'given' || kind === 'step').map(({ title }) => title);
}

function described(findings: readonly Finding[]): string[] {
  return findings.length === 0 ? [] : [findings.map(describeFinding).join('; also ')];
}

/** A finding in one line: where, what, expected, observed. */
export function describeFinding({ where, words, expected, observed }: Finding): string {
  const values = [
    ...(words === '' ? [] : [words]),
    ...(expected === undefined || observed === undefined ? [] : [`expected ${expected}, observed ${observed}`]),
  ].join('; ');
  const place = where.replace(/:$/, ''); // of a step with a table
  return place === '' ? values : `${place}: ${values === '' ? 'failed' : values}`;
}

function durationMs({ attempt }: Outcome, run: RecordedRun): number {
  return attempt === undefined ? 0 : Math.max(0, (attempt.stopMs ?? run.stopMs) - attempt.startMs);
}

/** Scenarios whose result would be in no verdict must not vanish. */
function straysOf({ scenarios }: RecordedRun, clauses: Clauses): string[] {
  const problems = scenarios.flatMap(({ place, uri, line, name }) => {
    const ids = clauseIdsOf(place?.rule?.tags ?? []);
    if (ids.length === 0) return [`${uri}:${line} "${name}" stands under no Rule with a clause id`];
    return ids.filter((id) => !clauses.has(id)).map((id) => `${uri}: unknown clause id @${id}`);
  });
  return [...new Set(problems)];
}
