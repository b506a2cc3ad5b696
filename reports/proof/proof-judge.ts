import type {
  CrossKill,
  Dependency,
  FaultRun,
  Proof,
  ProvedFault,
  ProvedRule,
  ProvedScenario,
  SoundScenario,
} from './proof';
import { weakenedSince, type Accepted } from './proof-accepted';
import { Explanations, placeOf } from './proof-explanations';
import { violations } from '../../catalog/verdict';

/** What ran, and what it is compared with. */
export interface ProofRuns {
  readonly suite: Proof['suite'];
  /** Ids of the rules that the user named; `undefined` for all. */
  readonly selected?: readonly string[];
  /** Every scenario without a fault. */
  readonly sound: readonly SoundScenario[];
  readonly faults: readonly FaultRun[];
  readonly dependencies: readonly Dependency[];
  /** What was accepted as proved before, if that counts here. */
  readonly accepted?: Accepted;
}

/** Judges what failed under which fault: a pure function. */
export function judgeProof(runs: ProofRuns): Proof {
  const { suite, selected, sound } = runs;
  const explanations = new Explanations(sound, runs.dependencies);
  const faults = runs.faults.map((run) => provedFault(run, explanations));
  const ids = [...new Set(sound.flatMap(({ clauseIds }) => clauseIds))];
  const rules = ids.filter((id) => selected?.includes(id) ?? true).map((id) => provedRule(id, faults));
  const proof = { schemaVersion: 1, suite, ...(selected && { selected }), faults, rules } as const;
  const problems = [
    ...sound.flatMap(unsound),
    ...runs.faults.flatMap((run, index) => wrongWith(run, faults[index])),
    ...unguarded(runs),
    ...(selected === undefined ? explanations.unused() : []),
    ...(runs.accepted === undefined ? [] : weakenedSince(runs.accepted, sound, runs.faults)),
  ];
  return { ...proof, problems };
}

/** Whether a scenario is one of the rules that a fault breaks. */
export function isOwn({ clauseIds }: ProvedScenario, rules: readonly string[]): boolean {
  return clauseIds.some((id) => rules.includes(id));
}

function provedFault(run: FaultRun, explanations: Explanations): ProvedFault {
  const { fault, failed, lost } = run;
  const killed = Object.fromEntries(
    fault.rules.map((rule) => [rule, failed.filter((scenario) => catches(scenario, rule)).map(({ name }) => name)]),
  );
  const proved = {
    name: fault.name,
    summary: fault.effect,
    rules: fault.rules,
    killed,
    crossKills: crossKills(run, explanations),
    ...(lost !== undefined && { lost }),
  };
  explanations.checkUse(run, proved);
  return proved;
}

/** A scenario that is merely broken has not caught anything. */
function catches({ clauseIds, verdict }: ProvedScenario, rule: string): boolean {
  return clauseIds.includes(rule) && violations.has(verdict);
}

function crossKills(run: FaultRun, explanations: Explanations): CrossKill[] {
  const strange = run.failed.filter((scenario) => !isOwn(scenario, run.fault.rules));
  const rules = [...new Set(strange.flatMap(({ clauseIds }) => clauseIds))];
  return rules.map((rule) => {
    const scenarios = strange.filter(({ clauseIds }) => clauseIds.includes(rule));
    const explained = explanations.of(run, rule, scenarios);
    return { rule, scenarios: scenarios.map(({ name }) => name), ...(explained !== undefined && { explained }) };
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
    ...proved.crossKills.flatMap(({ rule, explained }) => {
      const [first] = failed.filter(({ clauseIds }) => clauseIds.includes(rule));
      if (explained !== undefined || first === undefined) return [];
      const where = `${placeOf(first)} ${first.verdict}: ${first.detail}`;
      return [`fault ${fault.name} (${fault.effect}) breaks ${rule} too, unexplained: ${where}`];
    }),
  ];
}

/** Scenarios that no fault of their rule fails: they might as well not be there. */
function unguarded({ sound, faults, selected }: ProofRuns): string[] {
  const caught = new Set(
    faults.flatMap(({ fault, failed }) =>
      failed.filter((scenario) => isOwn(scenario, fault.rules) && violations.has(scenario.verdict)).map(placeOf),
    ),
  );
  return sound
    .filter((scenario) => (selected === undefined || isOwn(scenario, selected)) && !caught.has(placeOf(scenario)))
    .map((scenario) => {
      const rules = scenario.clauseIds.join(', ');
      return `${placeOf(scenario)} "${scenario.name}" fails under no fault of its rule ${rules}`;
    });
}
