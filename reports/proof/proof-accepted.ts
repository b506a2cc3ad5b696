import type { Proved } from '../../catalog/clauses';
import type { FaultRun, SoundScenario } from './proof';
import { violations } from '../../catalog/verdict';

/** By rule: features may get stronger unasked, but not weaker. */
export type Accepted = Readonly<Record<string, Proved>>;

/** What may be accepted now. */
export function acceptable(sound: readonly SoundScenario[], faults: readonly FaultRun[]): Accepted {
  const ids = [...new Set(sound.flatMap(({ clauseIds }) => clauseIds))].sort();
  return Object.fromEntries(ids.map((id) => [id, { checks: checksOf(id, sound), faults: caughtBy(id, faults) }]));
}

function checksOf(id: string, sound: readonly SoundScenario[]): number {
  return sound.filter(({ clauseIds }) => clauseIds.includes(id)).reduce((sum, { checks }) => sum + checks, 0);
}

function caughtBy(id: string, faults: readonly FaultRun[]): Record<string, number> {
  return Object.fromEntries(
    faults
      .filter(({ fault }) => fault.rules.includes(id))
      .map(({ fault, failed }) => [
        fault.name,
        failed.filter(({ clauseIds, verdict }) => clauseIds.includes(id) && violations.has(verdict)).length,
      ]),
  );
}

/** What has become weaker since it was accepted, one line each. */
export function weakenedSince(
  accepted: Accepted,
  sound: readonly SoundScenario[],
  faults: readonly FaultRun[],
): string[] {
  const now = acceptable(sound, faults);
  return Object.entries(accepted).flatMap(([rule, before]) => weakened(rule, before, now[rule]));
}

const remedy = 'if that is meant, `verbspec prove --accept`';

function weakened(rule: string, before: Proved, now: Proved | undefined): string[] {
  if (now === undefined) return [`${rule} had scenarios, and has none: ${remedy}`];
  const checks =
    now.checks < before.checks ? [`${rule} had ${before.checks} Then steps, and has ${now.checks}: ${remedy}`] : [];
  const faults = Object.entries(before.faults).flatMap(([fault, caught]) => {
    const left = now.faults[fault] ?? 0;
    return left < caught ? [`fault ${fault} failed ${caught} scenarios of ${rule}, and fails ${left}: ${remedy}`] : [];
  });
  return [...checks, ...faults];
}
