import type { Clauses } from '../../catalog/clauses';
import { IgnoringSimulator, type Ignored } from '../../drivers/sim/faults/ignoring';
import { setters } from '../../drivers/verbs/derived/setters';
import type { SoundScenario } from '../../reports/proof/proof';
import type { FeatureRule } from '../inputs/features';
import { judgedRun, pathOf } from '../run/judge-run';

/** The rules of which it is to be shown whether a device could pass them that ignores something. */
export interface EffectTrial {
  readonly ignoring: Ignored;
  /** Clause ids. */
  readonly rules: readonly string[];
}

/**
 * What has to be tried: each verb that sets something, on the rules about it; and each rule that says of itself that its
 * effect is not shown, on what it names.
 *
 * @param sound - the scenarios of the rules
 */
export function effectTrials(clauses: Clauses, sound: readonly SoundScenario[]): EffectTrial[] {
  const shown = [...clauses.values()].filter(({ id }) => sound.some(({ clauseIds }) => clauseIds.includes(id)));
  const ofSetters = setters.map(({ c }) => {
    const about = shown.filter(({ id, page, subject = page }) => {
      return subject === c && sound.some(({ clauseIds, verbs }) => clauseIds.includes(id) && verbs.includes(c));
    });
    return { ignoring: c, rules: about.map(({ id }) => id) };
  });
  const ofMarks = shown.flatMap(({ id, effectNotShown }) =>
    effectNotShown === undefined ? [] : [{ ignoring: effectNotShown.ignoring, rules: [id] }],
  );
  const byIgnored = new Map<Ignored, Set<string>>();
  for (const { ignoring, rules } of [...ofSetters, ...ofMarks]) {
    byIgnored.set(ignoring, new Set([...(byIgnored.get(ignoring) ?? []), ...rules]));
  }
  return [...byIgnored]
    .filter(([, rules]) => rules.size > 0)
    .map(([ignoring, rules]) => ({ ignoring, rules: [...rules] }));
}

/** The rules of a trial all of whose scenarios pass on the device that ignores it. */
export async function passingRules({ ignoring, rules }: EffectTrial, all: readonly FeatureRule[]): Promise<string[]> {
  const own = all.filter(({ ids, scenarios }) => scenarios.length > 0 && ids.some((id) => rules.includes(id)));
  const simulator = new IgnoringSimulator(ignoring);
  const { verdicts } = await judgedRun(simulator, own.map(pathOf), 'defined');
  if (!simulator.wasAsked) return [];
  const passing = verdicts.rules.filter(({ scenarios }) => scenarios.every(({ verdict }) => verdict === 'pass'));
  return rules.filter((id) => passing.some((rule) => rule.id === id));
}

/** Rules that say too much of what they show, or too little; one line each. */
export function effectProblems(
  { ignoring, rules }: EffectTrial,
  passing: readonly string[],
  clauses: Clauses,
): string[] {
  return rules.flatMap((id) => {
    const marked = clauses.get(id)?.effectNotShown?.ignoring === ignoring;
    if (passing.includes(id) === marked) return [];
    if (marked)
      return [
        `${id} says that its effect is not shown, but never asks for ${ignoring}, or fails on a device that ignores it: correct effectNotShown in its clause`,
      ];
    return [
      `a device that ignores ${ignoring} passes every scenario of ${id}: show the effect, or add effectNotShown to its clause`,
    ];
  });
}

/** Tries all of them. */
export async function proveEffects(
  clauses: Clauses,
  sound: readonly SoundScenario[],
  all: readonly FeatureRule[],
): Promise<string[]> {
  const problems: string[] = [];
  for (const trial of effectTrials(clauses, sound)) {
    problems.push(...effectProblems(trial, await passingRules(trial, all), clauses));
  }
  return problems;
}
