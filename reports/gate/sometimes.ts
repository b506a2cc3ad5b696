import { ruleVerdict } from '../judge/rules';
import type { RuleEntry, ScenarioEntry, Verdicts } from '../judge/verdicts';
import type { Baseline } from './baseline';
import { scenariosByName } from '../judge/scenario-names';

/** Whether a listed deviation that shows only sometimes is about a scenario. */
export type IsSometimes = (scenario: Pick<ScenarioEntry, 'uri' | 'line'>) => boolean;

/** The scenarios of a run about which an entry of the list says that it shows only sometimes, whether or not it did. */
export function sometimesIn({ rules, deviations = [] }: Verdicts): IsSometimes {
  const entries = deviations.filter(({ showsOnlyIf }) => showsOnlyIf !== undefined);
  const places = rules.flatMap(({ id, scenarios }) =>
    scenarios.filter(({ name }) => entries.some(({ rule, scenario }) => rule === id && scenario === name)).map(placeOf),
  );
  const known = new Set(places);
  return (scenario) => known.has(placeOf(scenario));
}

/**
 * A run in which a scenario passes that deviates as listed, and does so only sometimes: unless the baseline knows that it
 * deviates, it makes no difference whether the entry showed this time.
 */
export function withoutSometimes({ exceptions }: Baseline, verdicts: Verdicts): Verdicts {
  const isSometimes = sometimesIn(verdicts);
  const rules = verdicts.rules.map((rule): RuleEntry => {
    const known = new Map(Object.entries(exceptions)).get(rule.id)?.others ?? {};
    const scenarios = [...scenariosByName(rule)].map(([name, scenario]): ScenarioEntry => {
      const isExcused = scenario.verdict === 'deviates' && isSometimes(scenario) && !Object.hasOwn(known, name);
      return isExcused ? { ...scenario, verdict: 'pass' } : scenario;
    });
    const isSame = scenarios.every(({ verdict }, index) => verdict === rule.scenarios[index]?.verdict);
    return isSame ? rule : { ...rule, scenarios, verdict: ruleVerdict(scenarios.map(({ verdict }) => verdict)) };
  });
  return { ...verdicts, rules };
}

function placeOf({ uri, line }: Pick<ScenarioEntry, 'uri' | 'line'>): string {
  return `${uri}:${line}`;
}
