import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clauses } from '../reports/clauses';
import { parseDeviations, type Deviation } from '../reports/deviations';
import { root } from './project';

const folder = join(root, 'drivers', 'deviations');

/** The known deviations: a file a provider; each entry says on which devices it holds, whatever driver runs them. */
export function knownDeviations(clauses: Clauses): readonly Deviation[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.flatMap((file) => {
    const path = join(folder, file);
    return parseDeviations(JSON.parse(readFileSync(path, 'utf8')), path, clauses);
  });
}
