import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Envelope } from '@cucumber/messages';
import type { Driver } from '../../drivers/contract';
import { variants } from '../../drivers/sim/lawful';
import { loadClauses, type Clauses } from '../../catalog/clauses';
import { pageFiles } from '../../catalog/page-data';
import { oneLine } from '../../catalog/plain-text';
import { execute, prepare } from '../run/execute';
import { inOrder, lineOf, type LintFinding } from './finding';
import { featureFindings } from './lint';
import { clauseFindings, type ClauseFile } from './lint-clauses';
import { deviationFindings } from './lint-deviations';
import { remarkFindings } from './lint-remarks';
import { sentenceFindings } from './lint-sentences';
import { stepFindings } from './lint-steps';
import { root } from '../common/project';
import { readFeatures, rulesOf, type FeatureFile } from '../inputs/features';

/** What `verbspec rules --check` looks at; tests have a project of their own. */
export interface CheckOptions {
  /** Man pages whose findings are printed; none for all. */
  readonly pages?: readonly string[];
  /** Folder of the project. */
  readonly project?: string;
  readonly print?: (text: string) => void;
  readonly dryRun?: DryRun;
}

/** Walks through features without a device, and gives the messages. */
type DryRun = (paths: readonly string[]) => Promise<readonly Envelope[]>;

/**
 * Lints features, clauses and steps: prints a line for each finding, or a summary if there is none.
 *
 * @returns the exit code: 0 without a finding, 1 otherwise
 */
export async function checkRules({
  pages = [],
  project = root,
  print = toStdout,
  dryRun = walkThrough,
}: CheckOptions = {}): Promise<number> {
  const clauses = loadClauses(join(project, 'features'));
  const files = readFeatures(project);
  const findings = [
    ...featureFindings(files, clauses),
    ...clauseFiles(project, clauses).flatMap((file) => clauseFindings(file, files)),
    ...deviationFindings(files, project, clauses),
    ...(project === root ? remarkFindings(files, clauses, variants) : []),
    ...sentenceFindings(project, clauses),
    ...(await stepsOf(files, project, dryRun)),
  ].filter(({ page }) => pages.length === 0 || page === undefined || pages.includes(page));
  for (const finding of findings.sort(inOrder)) print(`${oneLine(lineOf(finding))}\n`);
  if (findings.length === 0) print(`${summary(files, clauses, pages)}\n`);
  return findings.length === 0 ? 0 : 1;
}

function clauseFiles(project: string, clauses: Clauses): ClauseFile[] {
  return pageFiles('clauses', join(project, 'features')).map(({ page, path }) => {
    const uri = join('features', path);
    const own = [...clauses.values()].filter((clause) => clause.page === page);
    return { page, uri, text: readFileSync(join(project, uri), 'utf8'), clauses: own };
  });
}

function toStdout(text: string): void {
  process.stdout.write(text);
}

/** A step that features have which cannot be read is not known to be unused. */
async function stepsOf(files: readonly FeatureFile[], project: string, dryRun: DryRun): Promise<LintFinding[]> {
  const read = files.filter(({ document }) => document?.feature !== undefined);
  if (read.length === 0) return [];
  try {
    return stepFindings(await dryRun(read.map(({ uri }) => join(project, uri))), read.length === files.length);
  } catch (error) {
    return [loadFinding(error)];
  }
}

/** No step runs, so the driver that each World keeps is never asked for anything, and none has to be loaded. */
async function walkThrough(paths: readonly string[]): Promise<readonly Envelope[]> {
  const envelopes: Envelope[] = [];
  await execute({} as Driver, await prepare(paths, ['--dry-run']), (envelope) => envelopes.push(envelope));
  return envelopes;
}

/** The steps did not even load: one of their files has the fault, and is named first in the trace or the message. */
function loadFinding(error: unknown): LintFinding {
  const { message = String(error), stack = '' } = error instanceof Error ? error : {};
  const place = /\bsteps\/[\w./-]+\.ts[:(](\d+)/.exec(stack);
  const uri = place?.[0].replace(/[:(]\d+$/, '') ?? 'steps';
  return {
    uri,
    line: Number(place?.[1] ?? 1),
    text: `the steps do not load: ${oneLine(message)}; \`npm run types\` may say more`,
  };
}

function summary(files: readonly FeatureFile[], clauses: Clauses, pages: readonly string[]): string {
  const rules = files.flatMap(rulesOf);
  const chosen = [...clauses.values()].filter(({ page }) => pages.length === 0 || pages.includes(page));
  const shown = chosen.filter(({ id }) => rules.some(({ ids, scenarios }) => ids.includes(id) && scenarios.length > 0));
  const reasoned = chosen.filter(({ untested }) => untested !== undefined);
  return `${chosen.length} ${chosen.length === 1 ? 'clause' : 'clauses'}, ${shown.length} with scenarios, ${reasoned.length} with a reason`;
}
