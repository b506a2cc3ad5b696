import type {
  CrossKill,
  FaultRun,
  Proof,
  ProvedFault,
  ProvedRule,
  ProvedScenario,
  ReliantRule,
  SoundScenario,
} from './proof';
import { weakenedSince, type Accepted } from './proof-accepted';
import { guardedByOne } from './independence';
import { isOf, verbsOfRules } from './reliance';
import { bluntFaults, changedReliances, type Reliances } from './reliances';
import { failedStepOf, judgeThenSteps, type ThenRecords } from './then-steps';
import { violations } from '../../catalog/verdict';

/** What ran, and what it is compared with. */
export interface ProofRuns {
  readonly suite: Proof['suite'];
  /** Ids of the rules that the user named; `undefined` for all. */
  readonly selected?: readonly string[];
  /** Every scenario without a fault. */
  readonly sound: readonly SoundScenario[];
  readonly faults: readonly FaultRun[];
  /** What was accepted as proved before, if that counts here. */
  readonly accepted?: Accepted;
  /** What was recorded of other rules and of Then steps, if that counts here. */
  readonly recorded?: ProofRecords;
}

/** What is recorded beside the clauses. */
export interface ProofRecords {
  readonly reliances: Reliances;
  readonly thenSteps: ThenRecords;
  /** Whether all scenarios ran: what is recorded then has to show. */
  readonly isWhole: boolean;
}

/** Judges what failed under which fault: a pure function. */
export function judgeProof(runs: ProofRuns): Proof {
  const { suite, selected, sound } = runs;
  const faults = runs.faults.map((run) => provedFault(run, sound));
  const ids = [...new Set(sound.flatMap(({ clauseIds }) => clauseIds))];
  const rules = ids.filter((id) => selected?.includes(id) ?? true).map((id) => provedRule(id, faults));
  const asked = sound.filter((one) => selected === undefined || isOf(one, selected));
  const thens = judgeThenSteps(asked, runs.faults, ofRules(runs.recorded?.thenSteps ?? {}, asked));
  const single = guardedByOne(asked, runs.faults).filter((id) => selected?.includes(id) ?? true);
  const proof = {
    schemaVersion: 2,
    suite,
    ...(selected && { selected }),
    faults,
    rules,
    guardedByOne: single,
    blunt: bluntFaults(faults, runs.recorded?.reliances),
    thenSteps: thens.steps,
  } as const;
  const problems = [
    ...sound.flatMap(unsound),
    ...runs.faults.flatMap((run, index) => wrongWith(run, faults[index])),
    ...unguarded(runs),
    ...(runs.accepted === undefined ? [] : weakenedSince(runs.accepted, sound, runs.faults)),
    ...(runs.recorded === undefined
      ? []
      : [...changedReliances(runs.recorded.reliances, faults, runs.recorded.isWhole), ...thens.problems]),
  ];
  return { ...proof, problems };
}

function ofRules(records: ThenRecords, scenarios: readonly SoundScenario[]): ThenRecords {
  const ids = new Set(scenarios.map(({ clauseIds }) => clauseIds[0]));
  return Object.fromEntries(Object.entries(records).filter(([rule]) => ids.has(rule)));
}

/** Where a scenario stands. */
export function placeOf({ uri, line }: { readonly uri: string; readonly line: number }): string {
  return `${uri}:${line}`;
}

function provedFault(run: FaultRun, sound: readonly SoundScenario[]): ProvedFault {
  const { fault, failed, lost } = run;
  const killed = Object.fromEntries(
    fault.rules.map((rule) => [rule, failed.filter((scenario) => catches(scenario, rule)).map(({ name }) => name)]),
  );
  const crossKills = crossKillsOf(run, sound);
  const scenarios = new Map(sound.map((one) => [placeOf(one), one]));
  return {
    name: fault.name,
    summary: fault.effect,
    rules: fault.rules,
    killed,
    failedAt: failed.map((one) => {
      const step = failedStepOf(one, scenarios.get(placeOf(one)));
      return { scenario: placeOf(one), ...(step !== undefined && { step }) };
    }),
    reliant: reliantRules(run, sound),
    crossKills,
    ...(lost !== undefined && { lost }),
  };
}

/** A scenario that is merely blocked or broken has not caught anything: its own rule was not judged. */
function catches({ clauseIds, verdict }: ProvedScenario, rule: string): boolean {
  return clauseIds.includes(rule) && violations.has(verdict);
}

function crossKillsOf(run: FaultRun, sound: readonly SoundScenario[]): CrossKill[] {
  const strange = run.failed.filter(isCrossKill(run, sound));
  const rules = [...new Set(strange.flatMap(({ clauseIds }) => clauseIds))];
  return rules.map((rule) => ({
    rule,
    scenarios: strange.filter(({ clauseIds }) => clauseIds.includes(rule)).map(({ name }) => name),
  }));
}

/** Whether a scenario of other rules fails and does not rely on those of the fault. */
function isCrossKill({ stray, fault }: FaultRun, sound: readonly SoundScenario[]): (one: ProvedScenario) => boolean {
  const verbs = verbsOfRules(sound, fault.rules);
  const relying = new Set(stray.filter(({ at }) => verbs.has(at)).map(placeOf));
  return (one) => violations.has(one.verdict) && !isOf(one, fault.rules) && !relying.has(placeOf(one));
}

/** Those that go astray where the rules of the fault do too, or before their own rule is judged. */
function reliantRules(run: FaultRun, sound: readonly SoundScenario[]): ReliantRule[] {
  const { stray, failed, fault } = run;
  const at = new Map(stray.map((one) => [placeOf(one), one.at]));
  const crossKills = new Set(failed.filter(isCrossKill(run, sound)).map(placeOf));
  const relying = sound.filter(
    (one) => at.has(placeOf(one)) && !crossKills.has(placeOf(one)) && !isOf(one, fault.rules),
  );
  const rules = [...new Set(relying.flatMap(({ clauseIds }) => clauseIds))];
  return rules.map((rule) => {
    const own = relying.filter(({ clauseIds }) => clauseIds.includes(rule));
    const verbs = own.flatMap((one) => at.get(placeOf(one)) ?? []);
    return { rule, scenarios: own.map(({ name }) => name), at: [...new Set(verbs)] };
  });
}

function provedRule(id: string, faults: readonly ProvedFault[]): ProvedRule {
  const catching = faults.filter(({ killed }) => (killed[id] ?? []).length > 0);
  return { id, faults: catching.map(({ name }) => name) };
}

function unsound(scenario: SoundScenario): string[] {
  const { name, verdict, detail } = scenario;
  return verdict === 'pass' ? [] : [`without a fault: ${placeOf(scenario)} "${name}" ${verdict}: ${detail}`];
}

function wrongWith(run: FaultRun, proved: ProvedFault | undefined): string[] {
  const { fault, failed, lost } = run;
  if (proved === undefined) return [];
  if (lost !== undefined) return [`fault ${fault.name} (${fault.effect}) was not run to its end: ${lost}`];
  const unnoticed = run.isWhole ? fault.rules.filter((rule) => (proved.killed[rule] ?? []).length === 0) : [];
  return [
    ...unnoticed.map((rule) => `fault ${fault.name} (${fault.effect}) is not caught by ${rule}`),
    ...proved.crossKills.flatMap(({ rule }) => {
      const [first] = failed.filter(({ clauseIds }) => clauseIds.includes(rule));
      if (first === undefined) return [];
      const where = `${placeOf(first)} ${first.verdict}: ${first.detail}`;
      return [`fault ${fault.name} (${fault.effect}) breaks ${rule} too, which its rules do not say: ${where}`];
    }),
  ];
}

/** Scenarios that no fault of their rule fails: they might as well not be there. */
function unguarded({ sound, faults, selected }: ProofRuns): string[] {
  const caught = new Set(
    faults.flatMap(({ fault, failed }) =>
      failed.filter((scenario) => isOf(scenario, fault.rules) && violations.has(scenario.verdict)).map(placeOf),
    ),
  );
  return sound
    .filter((scenario) => (selected === undefined || isOf(scenario, selected)) && !caught.has(placeOf(scenario)))
    .map((scenario) => {
      const rules = scenario.clauseIds.join(', ');
      return `${placeOf(scenario)} "${scenario.name}" fails under no fault of its rule ${rules}`;
    });
}
