import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Envelope } from '@cucumber/messages';
import { createDriver } from '../drivers/sim';
import { loadClauses, type Clauses } from '../reports/clauses';
import { oneLine } from '../reports/plain-text';
import { execute, prepare } from './execute';
import { featureFindings, inOrder, lineOf, type Finding } from './lint';
import { stepFindings } from './lint-steps';
import { root } from './project';
import { readFeatures, rulesOf, type FeatureFile } from './registry';

/** What `verbspec rules --check` looks at; tests have a project of their own. */
export interface CheckOptions {
  /** Man pages to tell of; none for everything. */
  readonly pages?: readonly string[];
  /** Folder of the project. */
  readonly project?: string;
  readonly print?: (text: string) => void;
}

/**
 * Lints features, clauses and steps: prints a line for each finding, or a summary if there is none.
 *
 * @returns the exit code: 0 without a finding, 1 otherwise
 */
export async function checkRules({ pages = [], project = root, print = toStdout }: CheckOptions = {}): Promise<number> {
  const uri = join('features', 'clauses.json');
  const path = join(project, uri);
  const clauses = loadClauses(path);
  const files = readFeatures(project);
  const findings = [
    ...featureFindings(files, { uri, text: readFileSync(path, 'utf8'), clauses }),
    ...(await tryOutSteps(files, project)),
  ].filter(({ page = '' }) => pages.length === 0 || pages.includes(page));
  for (const finding of findings.sort(inOrder)) print(`${lineOf(finding)}\n`);
  if (findings.length === 0) print(`${summary(files, clauses, pages)}\n`);
  return findings.length === 0 ? 0 : 1;
}
