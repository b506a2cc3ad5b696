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
import { isOf } from './reliance';
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
}

/** Judges what failed under which fault: a pure function. */
export function judgeProof(runs: ProofRuns): Proof {
  const { suite, selected, sound } = runs;
  const faults = runs.faults.map((run) => provedFault(run, sound));
  const ids = [...new Set(sound.flatMap(({ clauseIds }) => clauseIds))];
  const rules = ids.filter((id) => selected?.includes(id) ?? true).map((id) => provedRule(id, faults));
  const proof = { schemaVersion: 2, suite, ...(selected && { selected }), faults, rules } as const;
  const problems = [
    ...sound.flatMap(unsound),
    ...runs.faults.flatMap((run, index) => wrongWith(run, faults[index])),
    ...unguarded(runs),
    ...(runs.accepted === undefined ? [] : weakenedSince(runs.accepted, sound, runs.faults)),
  ];
  return { ...proof, problems };
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
  const crossKills = crossKillsOf(run);
  return {
    name: fault.name,
    summary: fault.effect,
    rules: fault.rules,
    killed,
    reliant: reliantRules(run, sound),
    crossKills,
    ...(lost !== undefined && { lost }),
  };
}

/** A scenario that is merely blocked or broken has not caught anything: its own rule was not judged. */
function catches({ clauseIds, verdict }: ProvedScenario, rule: string): boolean {
  return clauseIds.includes(rule) && violations.has(verdict);
}

function crossKillsOf({ failed, fault }: FaultRun): CrossKill[] {
  const strange = failed.filter((scenario) => violations.has(scenario.verdict) && !isOf(scenario, fault.rules));
  const rules = [...new Set(strange.flatMap(({ clauseIds }) => clauseIds))];
  return rules.map((rule) => ({
    rule,
    scenarios: strange.filter(({ clauseIds }) => clauseIds.includes(rule)).map(({ name }) => name),
  }));
}

/** Those that go astray where the rules of the fault do too, or before their own rule is judged. */
function reliantRules({ stray, failed, fault }: FaultRun, sound: readonly SoundScenario[]): ReliantRule[] {
  const at = new Map(stray.map((one) => [placeOf(one), one.at]));
  const failing = new Set(failed.filter(({ verdict }) => violations.has(verdict)).map(placeOf));
  const relying = sound.filter((one) => at.has(placeOf(one)) && !failing.has(placeOf(one)) && !isOf(one, fault.rules));
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
