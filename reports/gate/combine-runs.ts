import { UsageError } from '../../drivers/contract';
import { ruleVerdict } from '../judge/rules';
import type { RuleVerdict, ScenarioVerdict } from '../../catalog/verdict';
import type { RuleEntry, ScenarioEntry, Verdicts } from '../judge/verdicts';
import { ruleSeverityOf, severityOf } from '../../catalog/severity';
import { sometimesIn, type IsSometimes } from './sometimes';
import { scenariosByName } from '../judge/scenario-names';

/** A recorded run, and what the user calls it. */
export interface NamedRun {
  readonly name: string;
  readonly verdicts: Verdicts;
}

/** Several runs of one device as one, with the most severe verdict of each scenario. */
export interface CombinedRun {
  readonly verdicts: Verdicts;
  readonly runs: number;
  /** What a scenario came to in each run, where that differs: by rule, then by name. */
  readonly flaky: ReadonlyMap<string, ReadonlyMap<string, readonly ScenarioVerdict[]>>;
}

/**
 * Takes runs of one device together.
 *
 * @throws UsageError if they are of different suites, devices or rules, so that a difference would say nothing
 */
export function combineRuns([first, ...others]: readonly [NamedRun, ...NamedRun[]]): CombinedRun {
  for (const other of others) refuseDifferent(first, other);
  const all = [first, ...others].map(({ verdicts }) => verdicts);
  const flaky = new Map<string, ReadonlyMap<string, readonly ScenarioVerdict[]>>();
  const rules = first.verdicts.rules.map((rule) => {
    const versions = all.flatMap(({ rules: own }) => own.filter(({ id }) => id === rule.id));
    const differing = differingVerdicts(versions, all.map(sometimesIn));
    if (differing.size > 0) flaky.set(rule.id, differing);
    return gravestRule(rule, versions);
  });
  return { verdicts: { ...first.verdicts, ...gravestCircumstances(all), rules }, runs: all.length, flaky };
}

function refuseDifferent(first: NamedRun, other: NamedRun): void {
  const difference = differencesOf(first.verdicts, other.verdicts)[0];
  if (difference === undefined) return;
  throw new UsageError(
    `${first.name} and ${other.name} are runs of different ${difference}`,
    'name runs of one device with the same rules, as `verbspec run --repeat N` makes them',
  );
}

function differencesOf(one: Verdicts, other: Verdicts): string[] {
  const facts: readonly [string, (verdicts: Verdicts) => unknown][] = [
    ['suites', ({ suite }) => [suite.version, suite.commit]],
    ['drivers', ({ driver }) => driver],
    ['devices', ({ dut }) => [dut.hcaId, dut.provider, dut.fwVer, dut.kernel, dut.rdmaCore]],
    ['rules', ({ rules }) => rules.map(({ id, scenarios }) => [id, scenarios.map(({ name }) => name)])],
  ];
  return facts.flatMap(([name, of]) => (JSON.stringify(of(one)) === JSON.stringify(of(other)) ? [] : [name]));
}

/** A capability that one of the runs lacks is lost; what any of them says of the list of deviations is said. */
function gravestCircumstances(all: readonly Verdicts[]): Partial<Verdicts> {
  const [first] = all;
  const dutLost = all.find((verdicts) => verdicts.dutLost !== undefined)?.dutLost;
  const capabilities = first?.dut.capabilities?.filter((name) =>
    all.every(({ dut }) => dut.capabilities?.includes(name) === true),
  );
  const missing = all.find(({ expectedCapabilities }) => (expectedCapabilities?.missing.length ?? 0) > 0);
  const deviations = all.flatMap((verdicts) => verdicts.deviations ?? []);
  const told = new Map(deviations.map((entry) => [JSON.stringify([entry.rule, entry.scenario, entry.state]), entry]));
  return {
    ...(capabilities && { dut: { ...first?.dut, capabilities } }),
    ...(dutLost !== undefined && { dutLost }),
    ...(missing?.expectedCapabilities && { expectedCapabilities: missing.expectedCapabilities }),
    ...(told.size > 0 && { deviations: [...told.values()] }),
  };
}

/** What is broken says nothing of the device, so it makes no scenario flaky; nor does what deviates as listed, only sometimes. */
function differingVerdicts(
  versions: readonly RuleEntry[],
  sometimes: readonly IsSometimes[],
): Map<string, readonly ScenarioVerdict[]> {
  const verdicts = new Map<string, ScenarioVerdict[]>();
  for (const [name, scenario] of versions.flatMap((rule) => [...scenariosByName(rule)])) {
    const isExcused = scenario.verdict === 'deviates' && sometimes.some((isSometimes) => isSometimes(scenario));
    verdicts.set(name, [...(verdicts.get(name) ?? []), isExcused ? 'pass' : scenario.verdict]);
  }
  const differs = (list: readonly ScenarioVerdict[]): boolean =>
    new Set(list.filter((verdict) => verdict !== 'broken')).size > 1;
  return new Map([...verdicts].filter(([, list]) => differs(list)));
}

function gravestRule(rule: RuleEntry, versions: readonly RuleEntry[]): RuleEntry {
  const scenarios = rule.scenarios.map((scenario, index) =>
    versions.reduce((worst, { scenarios: own }) => worseOf(worst, own[index]), scenario),
  );
  const verdict = gravestVerdict([
    ruleVerdict(scenarios.map((scenario) => scenario.verdict)),
    ...versions.map(verdictOf),
  ]);
  const reason = versions.find((version) => version.verdict === verdict)?.reason;
  const { id, page, section, title } = rule;
  return { id, page, section, title, verdict, ...(reason !== undefined && { reason }), scenarios };
}

function verdictOf({ verdict }: RuleEntry): RuleVerdict {
  return verdict;
}

function gravestVerdict(verdicts: readonly [RuleVerdict, ...RuleVerdict[]]): RuleVerdict {
  return verdicts.reduce((one, other) => (ruleSeverityOf(other) > ruleSeverityOf(one) ? other : one));
}

function worseOf(one: ScenarioEntry, other: ScenarioEntry | undefined): ScenarioEntry {
  return other !== undefined && severityOf(other.verdict) > severityOf(one.verdict) ? other : one;
}
