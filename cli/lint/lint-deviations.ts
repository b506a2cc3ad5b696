import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clauses } from '../../catalog/clauses';
import type { ListedDeviation } from '../../catalog/deviations';
import { parseDeviationFile } from '../inputs/deviation-file';
import type { LintFinding } from './finding';
import { rulesOf, type FeatureFile, type FeatureRule } from '../inputs/features';

const folder = join('drivers', 'deviations');

/** What is wrong with the known deviations: with each file, with what it names, and with entries that say the same. */
export function deviationFindings(files: readonly FeatureFile[], project: string, clauses: Clauses): LintFinding[] {
  if (!existsSync(join(project, folder))) return [];
  const rules = files.flatMap(rulesOf);
  const read = readdirSync(join(project, folder))
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const uri = join(folder, name);
      return { uri, ...parseDeviationFile(readFileSync(join(project, uri), 'utf8'), uri, clauses) };
    });
  const deviations = read.flatMap((file) => file.deviations);
  return [
    ...read.flatMap(({ uri, defects }) => defects.map(({ line, text }) => ({ uri, line, text: `${text}; fix it` }))),
    ...deviations.flatMap((deviation) => unknownScenario(deviation, rules)),
    ...deviations.flatMap((deviation, index) => repeated(deviation, deviations.slice(0, index))),
  ];
}

/** Otherwise only a run on its device would find that it never shows. */
function unknownScenario({ rule, scenario, listedAt }: ListedDeviation, rules: readonly FeatureRule[]): LintFinding[] {
  const scenarios = rules.filter(({ ids }) => ids.includes(rule)).flatMap((found) => found.scenarios);
  if (scenario === undefined ? scenarios.length > 0 : scenarios.some(({ name }) => name === scenario)) return [];
  const what =
    scenario === undefined
      ? `${rule} has no scenario that could show a deviation; take the entry off the list`
      : `${rule} has no scenario "${scenario}"; name it as the feature does`;
  return [{ ...placeOf(listedAt), text: what }];
}

/** Entries for the same scenario whose conditions differ may still meet on a device: a run there refuses them. */
function repeated(deviation: ListedDeviation, earlier: readonly ListedDeviation[]): LintFinding[] {
  const first = earlier.find((other) => keyOf(other) === keyOf(deviation));
  if (first === undefined) return [];
  const text = `${deviation.rule} has an entry with the same scenario and conditions at ${first.listedAt}; remove one`;
  return [{ ...placeOf(deviation.listedAt), text }];
}

function keyOf({ rule, scenario, when }: ListedDeviation): string {
  const conditions = Object.entries(when).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([rule, scenario, conditions]);
}

function placeOf(listedAt = ''): { uri: string; line: number } {
  const [, uri = '', line = '1'] = /^(.*):(\d+)$/.exec(listedAt) ?? [];
  return { uri, line: Number(line) };
}
