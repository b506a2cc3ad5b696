import type { RuleVerdict, ScenarioVerdict } from '../../catalog/verdict';
import { ruleSeverityOf } from '../../catalog/severity';
import { violations } from '../../catalog/verdict';

/** What the verdict on a rule is made from. */
export interface RuleScenario {
  readonly verdict: ScenarioVerdict;
  readonly detail?: string;
}

/**
 * The verdict on a rule, from those on its scenarios.
 *
 * A violation outranks everything: it is said of the DUT and stands whatever else happened. Then a scenario that the DUT
 * blocked, and a broken one, which outrank a known deviation and any number of passes: a rule that was not examined to the
 * end never looks good.
 */
export function ruleVerdict(verdicts: readonly ScenarioVerdict[]): RuleVerdict {
  if (verdicts.some((verdict) => violations.has(verdict))) return 'violates';
  if (verdicts.includes('blocked')) return 'blocked';
  if (verdicts.includes('broken')) return 'broken';
  if (verdicts.includes('deviates')) return 'deviates';
  if (verdicts.includes('pass')) return 'conforms';
  return verdicts.includes('not-applicable') ? 'not-applicable' : 'untested';
}

/**
 * Why a rule has its verdict, where the verdict alone would hide something.
 *
 * @param total - how many scenarios the rule has in its feature, selected or not
 * @returns `undefined` for a rule all of whose scenarios ran and passed
 */
export function ruleReason(scenarios: readonly RuleScenario[], total: number): string | undefined {
  const verdict = ruleVerdict(scenarios.map((scenario) => scenario.verdict));
  const reasons = [decidingDetail(scenarios, verdict), ...asides(scenarios, verdict)];
  if (scenarios.length < total) reasons.push(`only ${scenarios.length} of ${total} scenarios were selected`);
  const text = reasons.filter((reason) => reason !== undefined).join('; ');
  return text === '' ? undefined : text;
}

/** The first detail that speaks for the verdict, and how many others do. */
function decidingDetail(scenarios: readonly RuleScenario[], verdict: RuleVerdict): string | undefined {
  const details = scenarios
    .filter((scenario) => decides(scenario.verdict, verdict))
    .flatMap(({ detail }) => (detail === undefined ? [] : [detail]));
  const [first, ...others] = new Set(details);
  return first === undefined || others.length === 0 ? first : `${first} (and ${others.length} more)`;
}

function decides(scenario: ScenarioVerdict, rule: RuleVerdict): boolean {
  return rule === 'violates' ? violations.has(scenario) : scenario === rule;
}

/** What the verdict outranks: scenarios that were blocked or broke beside a violation, or do not apply beside a pass. */
function asides(scenarios: readonly RuleScenario[], verdict: RuleVerdict): string[] {
  const count = (wanted: ScenarioVerdict): number => scenarios.filter((scenario) => scenario.verdict === wanted).length;
  const of = `of ${scenarios.length} scenarios`;
  const texts: string[] = [];
  for (const besides of ['blocked', 'broken'] as const) {
    if (ruleSeverityOf(verdict) > ruleSeverityOf(besides) && count(besides) > 0) {
      texts.push(`${count(besides)} ${of} ${besides} besides`);
    }
  }
  if (verdict !== 'not-applicable' && count('not-applicable') > 0) {
    texts.push(`${count('not-applicable')} ${of} not applicable`);
  }
  return texts;
}
