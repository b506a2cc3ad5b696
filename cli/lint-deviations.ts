import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './lint';
import { rulesOf, type FeatureFile } from './registry';

/** As much of a deviation as names something of the features; `verbspec run` checks the rest. */
interface Named {
  readonly rule: string;
  readonly scenario?: string;
}

/** Deviations that name a scenario which their rule has not: nothing would tell that they never show. */
export function deviationFindings(files: readonly FeatureFile[], project: string): Finding[] {
  const folder = join('drivers', 'deviations');
  if (!existsSync(join(project, folder))) return [];
  const rules = files.flatMap(rulesOf);
  return readdirSync(join(project, folder))
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      const text = readFileSync(join(project, folder, name), 'utf8');
      return (JSON.parse(text) as Named[]).flatMap(({ rule, scenario }) => {
        const scenarios = rules.filter(({ ids }) => ids.includes(rule)).flatMap((found) => found.scenarios);
        if (scenario === undefined || scenarios.some((found) => found.name === scenario)) return [];
        const what = `${rule} has no scenario "${scenario}"; name it as the feature does`;
        return [{ uri: join(folder, name), line: lineOfText(text, JSON.stringify(scenario)), text: what }];
      });
    });
}

function lineOfText(text: string, part: string): number {
  return text.slice(0, text.indexOf(part)).split('\n').length;
}
