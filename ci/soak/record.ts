import type { Soaked } from './run-plan';

/** `soak.json`: what a soak came to, for machines. */
export function recordOf(
  soaked: readonly Soaked[],
  facts: { readonly suite: string; readonly seed: string; readonly exitCode: number },
): object {
  return {
    schemaVersion: 1,
    ...facts,
    plans: soaked.map(({ plan, runs, differences }) => ({
      name: plan.name,
      args: plan.args,
      load: plan.load,
      runsPlanned: plan.runs,
      runs: runs.map(({ run, order, durationMs, outcome, observations, differences: count }) => ({
        run,
        order,
        durationMs,
        exitCode: outcome.exitCode,
        said: observations.size,
        differencesFromFirst: count ?? 0,
      })),
      differences: differences.map(({ name, parties }) => ({
        name,
        parties: parties.map(({ verdict, runs: numbers, observation }) => ({ ...observation, verdict, runs: numbers })),
      })),
    })),
  };
}
