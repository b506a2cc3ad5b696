import type { Dependency, FaultRun, ProvedFault, ProvedScenario, SoundScenario } from './proof';

/** Where a scenario stands. */
export function placeOf({ uri, line }: ProvedScenario): string {
  return `${uri}:${line}`;
}

/** The declared reasons why rules do not stay green under faults of others, and which of them were needed. */
export class Explanations {
  readonly #verbs: ReadonlyMap<string, readonly string[]>;
  readonly #used = new Set<string>();
  readonly #unusedOfFaults: string[] = [];

  constructor(
    sound: readonly SoundScenario[],
    readonly dependencies: readonly Dependency[],
  ) {
    this.#verbs = new Map(sound.map((scenario) => [placeOf(scenario), scenario.verbs]));
  }

  /** @returns why these scenarios of a rule could not pass, if that is declared for each of them */
  of({ fault }: FaultRun, rule: string, scenarios: readonly ProvedScenario[]): string | undefined {
    const declared = fault.alsoBreaks?.[rule];
    if (declared !== undefined) return declared;
    const reasons = scenarios.map((scenario) => this.#dependency(fault.rules, scenario));
    return reasons.includes(undefined) ? undefined : [...new Set(reasons)].join('; ');
  }

  #dependency(broken: readonly string[], scenario: ProvedScenario): string | undefined {
    const features = [...(this.#verbs.get(placeOf(scenario)) ?? []), ...scenario.clauseIds];
    const applying = this.dependencies.filter(
      ({ of, on }) => of.some((name) => features.includes(name)) && on.some((rule) => broken.includes(rule)),
    );
    for (const { of, on } of applying) {
      for (const name of of) if (features.includes(name)) this.#used.add(`of ${name} on ${on.join()}`);
      for (const rule of on) if (broken.includes(rule)) this.#used.add(`on ${rule} of ${of.join()}`);
    }
    return applying[0]?.why;
  }

  /** Notes what a fault declares without need. */
  checkUse({ fault, isWhole, lost }: FaultRun, { crossKills }: ProvedFault): void {
    if (!isWhole || lost !== undefined) return;
    for (const rule of Object.keys(fault.alsoBreaks ?? {})) {
      if (crossKills.some((kill) => kill.rule === rule)) continue;
      this.#unusedOfFaults.push(`fault ${fault.name} leaves ${rule} green: strike it from alsoBreaks`);
    }
  }

  /** What is declared and explains nothing, one line each. */
  unused(): string[] {
    const dependencies = this.dependencies.flatMap(({ of, on, why }) =>
      [
        ...of.filter((name) => !this.#used.has(`of ${name} on ${on.join()}`)),
        ...on.filter((rule) => !this.#used.has(`on ${rule} of ${of.join()}`)),
      ].map((name) => `no fault shows the dependency that is declared of or on ${name} ("${why}"): strike it`),
    );
    return [...this.#unusedOfFaults, ...dependencies];
  }
}
