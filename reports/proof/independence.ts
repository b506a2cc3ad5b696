import { violations } from '../../catalog/verdict';
import type { FaultRun, SoundScenario } from './proof';

/**
 * Rules that fewer than two independent faults guard: two are independent unless they replace the same and fail the
 * same scenarios of the rule, each at the same step.
 */
export function guardedByOne(sound: readonly SoundScenario[], faults: readonly FaultRun[]): string[] {
  const ids = [...new Set(sound.flatMap(({ clauseIds }) => clauseIds))];
  return ids.filter((id) => failuresOf(id, faults).size < 2);
}

/** What the faults of a rule do to its scenarios, those that do the same once. */
function failuresOf(id: string, faults: readonly FaultRun[]): Set<string> {
  const own = faults.filter(({ fault }) => fault.rules.includes(id));
  const failures = own.flatMap(({ fault, failed }) => {
    const places = failed
      .filter(({ clauseIds, verdict }) => clauseIds.includes(id) && violations.has(verdict))
      .map(({ uri, line, failedAt }) => `${uri}:${line} ${failedAt}`);
    return places.length === 0 ? [] : [[...places.sort(), ...[...(fault.replaces ?? [])].sort()].join()];
  });
  return new Set(failures);
}
