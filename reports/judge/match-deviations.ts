import { applicability, isExpired, type Conditions, type ListedDeviation } from '../../catalog/deviations';
import { showsIn, symptomsOf, type Failure, type Symptom } from '../../catalog/symptom';
import { failing, type ScenarioVerdict } from '../../catalog/verdict';

/** What went wrong in a scenario, as the list of deviations sees it. */
export interface CandidateFinding extends Failure {
  readonly verdict: ScenarioVerdict;
  /** There when it happened after the last step. */
  readonly isCleanUp?: true;
}

/** A scenario as the list of deviations sees it. */
export interface Candidate {
  readonly verdict: ScenarioVerdict;
  /** All that went wrong; nothing for a pass. */
  readonly findings: readonly CandidateFinding[];
  readonly name: string;
  /** Ids of the clauses that its Rule carries. */
  readonly clauseIds: readonly string[];
  /** Whether all scenarios of its Rule were selected for the run. */
  readonly ruleIsComplete: boolean;
  /** Whether all scenarios of its name were: an outline has several. */
  readonly nameIsComplete: boolean;
}

/** A Rule of the features, with the names of all its scenarios, whether or not they were selected. */
export interface RuleOfFeatures {
  readonly clauseIds: readonly string[];
  readonly scenarioNames: readonly string[];
}

/** What the scenarios of a run are compared with, beside the list. */
export interface Circumstances extends Conditions {
  readonly startMs: number;
  /** Whether the run came to its own end. */
  readonly isWhole: boolean;
  readonly rules: readonly RuleOfFeatures[];
  /** Ids of the clauses that were selected and have no Rule. */
  readonly untested: ReadonlySet<string>;
}

/**
 * What became of an entry whose conditions hold and whose rule ran: it showed; it did not; it did not, and does so only
 * sometimes; its scenario failed otherwise; its last day is past; no scenario can show it; or a version decides about it that cannot be compared.
 */
export type DeviationState =
  'shown' | 'surprise' | 'not-this-time' | 'wrong-symptom' | 'expired' | 'unused' | 'undecided';

/** Earlier versions, whose symptoms were regular expressions, also recorded one that took too long. */
export type RecordedDeviationState = DeviationState | 'bad-symptom';

/** The states in which the list has to be fixed, so that they fail a run. */
export const amiss: ReadonlySet<RecordedDeviationState> = new Set([
  'surprise',
  'wrong-symptom',
  'bad-symptom',
  'expired',
  'unused',
]);

/** An entry of the list after a run. */
export interface Reckoning {
  readonly deviation: ListedDeviation;
  readonly state: DeviationState;
  /** Why it is undecided. */
  readonly doubt?: string;
}

/** What the list says of one scenario: `shown` explains some of its findings or all; all but `shown` and `surprise` leave its verdict as it is. */
export type Match = Reckoning | undefined;

/** What the list says of a run. */
export interface Matching {
  /** In the order of the scenarios. */
  readonly matches: readonly Match[];
  /** Of each scenario the findings, by their index, that its match explains. */
  readonly explained: readonly (readonly number[])[];
  /** The entries about which the run says something, in the order of the list. */
  readonly reckonings: readonly Reckoning[];
}

/**
 * Compares scenarios with the list of deviations.
 *
 * Each finding is compared by itself: what is not listed is not excused by what is, and stands for the scenario then.
 *
 * An entry that could have shown and did not makes the scenarios that passed a surprise, unless one of them failed
 * otherwise or broke: that is in sight already, and may have hidden it. An entry without a scenario's name is for those
 * that no other entry names, and needs all scenarios of its rule, so a partial run makes no surprise of it. One that shows only
 * sometimes is no surprise either, and is reported.
 */
export function matchDeviations(
  candidates: readonly Candidate[],
  deviations: readonly ListedDeviation[],
  circumstances: Circumstances,
): Matching {
  const applicable = deviations.map((deviation) => ({ deviation, ...applicability(deviation, circumstances) }));
  const holding = applicable.flatMap(({ deviation, holds }) => (holds ? [deviation] : []));
  const reckonings = applicable.flatMap(({ deviation, holds, doubt }): Reckoning[] => {
    const covered = candidates.filter((candidate) => covers(deviation, candidate, holding));
    if (!holds)
      return doubt !== undefined && covered.some(isExecuted) ? [{ deviation, state: 'undecided', doubt }] : [];
    const state = covered.length > 0 ? stateOf(deviation, covered, circumstances) : undefined;
    if (state !== undefined) return [{ deviation, state }];
    return isUnused(deviation, holding, candidates, circumstances) ? [{ deviation, state: 'unused' }] : [];
  });
  const matches = candidates.map((candidate) => {
    const own = reckonings.filter(({ deviation }) => covers(deviation, candidate, holding));
    const news = own.filter((reckoning) => concerns(reckoning, candidate));
    return news.find(({ state }) => state !== 'undecided') ?? news[0];
  });
  const explained = candidates.map((candidate, index) => explainedBy(matches[index], candidate));
  return { matches, explained, reckonings };
}

function explainedBy(match: Match, { findings }: Candidate): number[] {
  if (match?.state !== 'shown') return [];
  return findings.flatMap((finding, index) => (isListed(match.deviation, finding) ? [index] : []));
}

/** The first two entries that are for the same scenario on a DUT: nothing distinguishes them. */
export function clashOn(
  deviations: readonly ListedDeviation[],
  conditions: Conditions,
  rules: readonly RuleOfFeatures[],
): readonly [ListedDeviation, ListedDeviation] | undefined {
  const taken = new Map<string, ListedDeviation>();
  for (const deviation of deviations.filter((entry) => applicability(entry, conditions).holds)) {
    const index = rules.findIndex(({ clauseIds }) => clauseIds.includes(deviation.rule));
    const place = JSON.stringify([index < 0 ? deviation.rule : index, deviation.scenario]);
    const other = taken.get(place);
    if (other !== undefined) return [other, deviation];
    taken.set(place, deviation);
  }
  return undefined;
}

function stateOf(
  deviation: ListedDeviation,
  covered: readonly Candidate[],
  { startMs }: Circumstances,
): DeviationState | undefined {
  if (!covered.some(isExecuted)) return undefined;
  if (isExpired(deviation, startMs)) return 'expired';
  const findings = covered.flatMap((candidate) => candidate.findings);
  const showing = symptomsOf(deviation).filter((symptom) => findings.some((finding) => showsAs(symptom, finding)));
  if (showing.length === symptomsOf(deviation).length) return 'shown';
  if (covered.some(({ verdict }) => failing.has(verdict))) return 'wrong-symptom';
  if (!isOverdue(deviation, covered)) return undefined;
  return deviation.showsOnlyIf === undefined ? 'surprise' : 'not-this-time';
}

/** Whether what became of an entry is news of this scenario: a failure that another one showed is not this one's. */
function concerns({ deviation, state }: Reckoning, candidate: Candidate): boolean {
  if (state === 'surprise') return candidate.verdict === 'pass';
  if (state === 'shown') return candidate.findings.some((finding) => isListed(deviation, finding));
  return failing.has(candidate.verdict);
}

/** The entry that is for a scenario, of those whose conditions hold. */
export function entryFor(
  holding: readonly ListedDeviation[],
  scenario: Pick<Candidate, 'name' | 'clauseIds'>,
): ListedDeviation | undefined {
  return holding.find((deviation) => covers(deviation, scenario, holding));
}

/** An entry for a whole rule leaves the scenarios alone that others of the list name. */
function covers(
  deviation: ListedDeviation,
  { name, clauseIds }: Pick<Candidate, 'name' | 'clauseIds'>,
  holding: readonly ListedDeviation[],
): boolean {
  if (!clauseIds.includes(deviation.rule)) return false;
  if (deviation.scenario !== undefined) return deviation.scenario === name;
  return !holding.some(({ rule, scenario }) => scenario === name && clauseIds.includes(rule));
}

/** Whether an entry explains a finding. */
export function isListed(deviation: ListedDeviation, finding: CandidateFinding): boolean {
  return symptomsOf(deviation).some((symptom) => showsAs(symptom, finding));
}

/** A crash, a hang or a panic is one by its verdict alone, and what fails in the clean-up shows a symptom of that alone. */
function showsAs(symptom: Symptom, finding: CandidateFinding): boolean {
  if (typeof symptom === 'string') return finding.verdict === symptom;
  if (finding.verdict !== 'fail' && finding.verdict !== 'blocked') return false;
  return (finding.isCleanUp !== true || symptom.step !== undefined) && showsIn(symptom, finding);
}

function isExecuted({ verdict }: Candidate): boolean {
  return verdict !== 'broken' && verdict !== 'not-applicable';
}

function isOverdue({ scenario }: ListedDeviation, covered: readonly Candidate[]): boolean {
  const allClear = covered.every(({ verdict }) => verdict === 'pass' || verdict === 'not-applicable');
  return allClear && covered.every((one) => (scenario === undefined ? one.ruleIsComplete : one.nameIsComplete));
}

/** Its rule ran, and not one scenario of the features, selected or not, could ever show it. */
function isUnused(
  deviation: ListedDeviation,
  holding: readonly ListedDeviation[],
  candidates: readonly Candidate[],
  { rules, untested, isWhole }: Circumstances,
): boolean {
  const own = rules.filter(({ clauseIds }) => clauseIds.includes(deviation.rule));
  const ofRule = candidates.filter(({ clauseIds }) => clauseIds.includes(deviation.rule));
  const ran = ofRule.length > 0 ? ofRule.some(isExecuted) : untested.has(deviation.rule);
  const isUsable = own.some(({ clauseIds, scenarioNames }) =>
    scenarioNames.some((name) => covers(deviation, { name, clauseIds }, holding)),
  );
  return isWhole && ran && !isUsable;
}
