import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PageInput } from './page-input';
import { renderRunPage, runPageName } from './run-page';

/**
 * Writes the page of a run into the folder of its results, with links to what lies there.
 *
 * @param hasReport - whether there is, or will be, the HTML of Allure
 */
export function writeRunPage(input: Omit<PageInput, 'files'>, results: string, hasReport: boolean): void {
  const report = hasReport ? ['allure-report/index.html'] : [];
  writeFileSync(join(results, runPageName), renderRunPage({ ...input, files: [...filesIn(results), ...report] }));
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.flatMap((entry) => {
    if (!entry.isDirectory()) return [entry.name];
    const within = entry.name === 'trace' ? readdirSync(join(folder, 'trace')) : [];
    return [`${entry.name}/`, ...within.map((name) => `${entry.name}/${name}`)];
  });
}
