import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Clauses } from '../reports/clauses';
import { parseDeviations, type Deviation } from '../reports/deviations';
import { root } from './project';

/** The known deviations that come with a driver. */
export function deviationsOf(driver: string, clauses: Clauses): readonly Deviation[] {
  const path = join(root, 'drivers', 'deviations', `${basename(driver)}.json`);
  return existsSync(path) ? parseDeviations(JSON.parse(readFileSync(path, 'utf8')), path, clauses) : [];
}
