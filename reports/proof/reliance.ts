import type { SoundScenario } from './proof';

/**
 * The C functions that the scenarios of some rules call themselves. Where another scenario goes astray in one of them, it
 * relies on what these rules say.
 */
export function verbsOfRules(sound: readonly SoundScenario[], rules: readonly string[]): ReadonlySet<string> {
  return new Set(sound.filter((one) => isOf(one, rules)).flatMap(({ verbs }) => verbs));
}

/** Whether a scenario is one of some rules. */
export function isOf({ clauseIds }: { readonly clauseIds: readonly string[] }, rules: readonly string[]): boolean {
  return clauseIds.some((id) => rules.includes(id));
}
