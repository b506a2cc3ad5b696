import type { RuleEntry, ScenarioEntry } from './verdicts';

/**
 * The scenarios of a rule by name. Lines move with every edit, so they name nothing from one version to the next; rows of
 * an outline that share a name are numbered: `A send of a size`, `A send of a size (2)`.
 */
export function scenariosByName({ scenarios }: Pick<RuleEntry, 'scenarios'>): Map<string, ScenarioEntry> {
  const named = new Map<string, ScenarioEntry>();
  for (const scenario of scenarios) {
    let name = scenario.name;
    for (let number = 2; named.has(name); number++) name = `${scenario.name} (${number})`;
    named.set(name, scenario);
  }
  return named;
}
