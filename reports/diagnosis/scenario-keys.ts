import { createHash } from 'node:crypto';

/** What a scenario is known by. */
interface Known {
  readonly name: string;
  readonly clauseIds: readonly string[];
}

/** A short name of a text, which tells nothing of it. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 6);
}

/**
 * A key for each scenario, by its rule and its name: lines move with every edit. Rows of an outline that share a name are
 * numbered.
 *
 * @param scenarios - in the order of the features
 */
export function scenarioKeys(scenarios: readonly Known[]): string[] {
  const counts = new Map<string, number>();
  return scenarios.map(({ name, clauseIds }) => {
    const text = `${clauseIds[0] ?? ''}\n${name}`;
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    return shortHash(count === 1 ? text : `${text}\n${count}`);
  });
}
