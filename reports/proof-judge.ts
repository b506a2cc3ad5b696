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
import { violations } from './verdict';

/** What ran, and what it is held against. */
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
  const explanations = new Explanations(runs);
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

/** The declared reasons for rules that do not stay green under a fault of others. */
class Explanations {
  readonly #verbs: ReadonlyMap<string, readonly string[]>;
  readonly #unusedDependencies = new Map<string, string>();
  readonly #unusedOfFaults: string[] = [];

  constructor(readonly runs: ProofRuns) {
    this.#verbs = new Map(runs.sound.map((scenario) => [placeOf(scenario), scenario.verbs]));
    for (const { verb, on } of runs.dependencies) {
      for (const rule of on) this.#unusedDependencies.set(`${verb} ${rule}`, `${verb} on ${rule}`);
    }
  }

  /** @returns why these scenarios of a rule could not pass, if that is declared for each of them */
  of({ fault }: FaultRun, rule: string, scenarios: readonly ProvedScenario[]): string | undefined {
    const declared = fault.alsoBreaks?.[rule];
    if (declared !== undefined) return declared;
    const reasons = scenarios.map((scenario) => this.#dependency(fault.rules, scenario));
    return reasons.includes(undefined) ? undefined : [...new Set(reasons)].join('; ');
  }

  #dependency(broken: readonly string[], scenario: ProvedScenario): string | undefined {
    const verbs = this.#verbs.get(placeOf(scenario)) ?? [];
    for (const { verb, on, why } of this.runs.dependencies) {
      const rule = verbs.includes(verb) ? on.find((id) => broken.includes(id)) : undefined;
      if (rule === undefined) continue;
      this.#unusedDependencies.delete(`${verb} ${rule}`);
      return why;
    }
    return undefined;
  }

  /** Declared by a fault, and not seen. */
  checkUse({ fault, isWhole, lost }: FaultRun, { crossKills }: ProvedFault): void {
    if (!isWhole || lost !== undefined) return;
    for (const rule of Object.keys(fault.alsoBreaks ?? {})) {
      if (crossKills.some((kill) => kill.rule === rule)) continue;
      this.#unusedOfFaults.push(`fault ${fault.name} leaves ${rule} green: strike it from alsoBreaks`);
    }
  }

  unused(): string[] {
    const dependencies = [...this.#unusedDependencies.values()];
    return [
      ...this.#unusedOfFaults,
      ...dependencies.map((text) => `no fault shows the declared dependency of ${text}: strike it`),
    ];
  }
}

function placeOf({ uri, line }: ProvedScenario): string {
  return `${uri}:${line}`;
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
