import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { HarnessError, UsageError } from '../../drivers/contract';
import type { Clauses } from '../../catalog/clauses';
import type { Conditions, ListedDeviation } from '../../catalog/deviations';
import { clashOn } from '../../reports/judge/match-deviations';
import { readDeviationFile, shortPath, type DeviationFile } from './deviation-file';
import { root } from '../common/project';
import type { FeatureRule } from './features';

const folder = join(root, 'drivers', 'deviations');

/** The known deviations: a file a provider; each entry says on which devices it holds, whatever driver runs them. */
export function knownDeviations(clauses: Clauses): readonly ListedDeviation[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.flatMap((file) => {
    const path = join(folder, file);
    const { deviations, defects } = readDeviationFile(path, clauses);
    const [defect] = defects;
    if (defect) throw new HarnessError(describe(path, defects), '`verbspec rules --check` lists all that is amiss');
    return deviations;
  });
}

/** The lists that the user adds. @throws UsageError if one cannot be read, or has a defect */
export function deviationsOfUser(paths: readonly string[], clauses: Clauses): readonly ListedDeviation[] {
  return paths.flatMap((path) => {
    const { deviations, defects } = readOfUser(path, clauses);
    if (defects.length > 0) throw new UsageError(describe(path, defects), `${schemaPath} says what an entry has`);
    return deviations;
  });
}

/** Refuses two entries for the same scenario on a DUT. @throws UsageError naming both */
export function refuseClash(
  deviations: readonly ListedDeviation[],
  conditions: Conditions,
  rules: readonly FeatureRule[],
): void {
  const features = rules.map(({ ids, scenarios }) => ({
    clauseIds: ids,
    scenarioNames: scenarios.map(({ name }) => name),
  }));
  const clash = clashOn(deviations, conditions, features);
  if (clash === undefined) return;
  const [{ rule, scenario, listedAt }, other] = clash;
  const what = scenario === undefined ? rule : `${rule}, "${scenario}"`;
  throw new UsageError(
    `two deviations are listed for ${what} on this device: at ${listedAt} and at ${other.listedAt}`,
    'remove one, or narrow its conditions',
  );
}

const schemaPath = join('catalog', 'deviations.schema.json');
const defectsShownMax = 3;

function readOfUser(path: string, clauses: Clauses): DeviationFile {
  try {
    return readDeviationFile(path, clauses);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new UsageError(`--deviations ${path} cannot be read: ${error.message}`, 'name a JSON file');
  }
}

function describe(path: string, defects: DeviationFile['defects']): string {
  const shown = defects.slice(0, defectsShownMax).map(({ line, text }) => `${shortPath(path)}:${line}: ${text}`);
  const more = defects.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}
