import { existsSync, lstatSync, rmdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { HarnessError, nearest, UsageError } from '../../drivers/contract';
import { makeFolder, readTextFile } from '../../drivers/support/files';
import { loadClauses } from '../../catalog/clauses';
import { oneLine, printableJson } from '../../catalog/plain-text';
import { dictionaryProblems } from '../../reports/diagnosis/dictionary-fit';
import type { Proof } from '../../reports/proof/proof';
import { writeProof } from '../../reports/proof/proof-file';
import { judgeProof } from '../../reports/proof/proof-judge';
import { isOf } from '../../reports/proof/reliance';
import { suiteCommit, suiteVersion } from '../common/project';
import { faultDictionary } from '../inputs/fault-dictionary';
import { featureRules, type FeatureRule } from '../inputs/features';
import { witnessesIn } from '../../reports/proof/then-steps';
import { accept } from './accept/accept';
import { readAccepted } from './accept/accepted';
import { proveEffects } from './effects';
import { KeptResults } from './kept';
import type { LawfulProof } from './lawful/lawful-proof';
import { renderLawful } from './lawful/lawful-text';
import { tryVariants, writeLawful } from './lawful/prove-lawful';
import type { RecordedScenario } from './prove-job';
import { runProof, type ProofPlan, type ProofRuns } from './proof-runs';
import { loadFaults, plantedFaults } from './prove-faults';
import { renderProof } from './prove-text';
import { readRecords } from './records';
import { Sources } from './sources';

/** What the user asks of `verbspec prove`. */
export interface ProveOptions {
  /** Pages or clause ids; none for all. */
  readonly selectors: readonly string[];
  readonly json: boolean;
  readonly accept: boolean;
  /** Whether everything runs, whatever is known from before. */
  readonly full: boolean;
  readonly out: string;
  /** Processes at the same time; the cores of the machine unless given. */
  readonly jobs?: number;
  /** Module of other faults than those that come with verbspec. */
  readonly faults?: string;
}

/**
 * Runs the features under each planted fault, and tells what was caught.
 *
 * @returns the exit code
 */
export async function prove(options: ProveOptions): Promise<number> {
  const selected = selectRules(options.selectors, featureRules());
  const isPlanted = options.faults === undefined;
  const module = options.faults ?? plantedFaults;
  const { faults } = loadFaults(module);
  const ids = selected?.flatMap((rule) => rule.ids);
  if (options.accept && (ids !== undefined || !isPlanted))
    throw new UsageError(
      '--accept is for all rules and the planted faults',
      'name neither rules nor --faults beside it',
    );
  prepareOut(options.out);
  const suite = { version: suiteVersion(), commit: suiteCommit() };
  const records = readRecords();
  const dictionary = options.accept ? undefined : faultDictionary();
  const isWhole = options.full || options.accept;
  const plan: ProofPlan = {
    module,
    faults,
    scope: { isSample: !isWhole, ...(ids && { ids }) },
    workers: options.jobs ?? availableParallelism(),
    ...(isPlanted && {
      kept: new KeptResults(new Sources(), options.full),
      isToEnd: options.accept ? () => true : witnessesIn(records.thenSteps),
    }),
  };
  const runs = await runProof(plan);
  if (options.accept) accept(runs, records, suite);
  const judged = judgeProof({
    suite,
    ...(ids && { selected: ids }),
    sound: runs.sound,
    faults: runs.faults,
    ...(isPlanted && {
      accepted: readAccepted(ids),
      recorded: { ...readRecords(), isWhole: isWhole && ids === undefined },
    }),
  });
  const effects = isPlanted ? await proveEffects(loadClauses(), soundOf(runs, ids), featureRules()) : [];
  const isOfAll = isPlanted && isWhole && ids === undefined;
  const known = options.accept ? faultDictionary() : dictionary;
  const outdated = isOfAll ? dictionaryProblems(known, runs.sound, runs.faults) : [];
  const proof = { ...judged, problems: [...judged.problems, ...effects, ...outdated] };
  report(proof, runs, options);
  const lawful = isPlanted ? await tryVariants(soundOf(runs, ids), plan.workers, ids === undefined) : undefined;
  if (lawful !== undefined) reportLawful(lawful, options);
  return proof.problems.length + (lawful?.problems.length ?? 0) === 0 ? 0 : 1;
}

function soundOf({ sound }: ProofRuns, ids: readonly string[] | undefined): readonly RecordedScenario[] {
  return ids === undefined ? sound : sound.filter((scenario) => isOf(scenario, ids));
}

function selectRules(selectors: readonly string[], rules: readonly FeatureRule[]): readonly FeatureRule[] | undefined {
  if (selectors.length === 0) return undefined;
  const shown = rules.filter(({ scenarios }) => scenarios.length > 0);
  const selected = selectors.flatMap((selector) => {
    const own = shown.filter(({ ids }) => ids.some((id) => id === selector || id.startsWith(`${selector}.`)));
    if (own.length === 0) throw unknown(selector, shown);
    return own;
  });
  return [...new Set(selected)];
}

function unknown(selector: string, rules: readonly FeatureRule[]): UsageError {
  const near = nearest(
    selector,
    new Set(rules.flatMap(({ ids }) => ids.flatMap((id) => [id, id.replace(/\..*/, '')]))),
  );
  return new UsageError(
    `there is no page or rule with scenarios "${selector}"`,
    near === undefined ? '`verbspec rules` lists all' : `did you mean ${near}?`,
  );
}

/** What takes minutes is not begun where its result cannot go, or would take the place of something else. */
function prepareOut(out: string): void {
  const remedy = 'name another folder with --out';
  const path = join(out, 'proof.json');
  const isThere = existsSync(out);
  try {
    makeFolder(out);
    if (!isThere) rmdirSync(out); // a proof that comes to no end leaves none
  } catch (error) {
    throw new UsageError(`cannot write ${out}: ${(error as Error).message}`, remedy);
  }
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined && !isProof(path))
    throw new UsageError(`${path} is not from \`verbspec prove\``, remedy);
}

/** One of an earlier version is one too. */
function isProof(path: string): boolean {
  try {
    const data = JSON.parse(readTextFile(path)) as object | null;
    return (
      lstatSync(path).isFile() && data !== null && ['schemaVersion', 'suite', 'faults'].every((key) => key in data)
    );
  } catch {
    return false;
  }
}

function reportLawful(proof: LawfulProof, { json, out }: ProveOptions): void {
  const file = writeLawful(out, proof);
  if (!json) process.stdout.write(`\n${renderLawful(proof, process.stdout)}proof     ${oneLine(file)}\n`);
}

function report(proof: Proof, { pairs, known }: ProofRuns, { json, out }: ProveOptions): void {
  try {
    makeFolder(out);
    writeProof(join(out, 'proof.json'), proof);
  } catch (error) {
    if (error instanceof HarnessError) throw error;
    throw new HarnessError(`cannot write ${out}: ${(error as Error).message}`, 'name another folder with --out');
  }
  process.stdout.write(json ? `${printableJson(proof, 2)}\n` : renderProof(proof, process.stdout));
  if (json) return;
  const share = known === 0 ? '' : `; ${known} are known from before, --full runs all`;
  process.stdout.write(`tried     ${pairs} pairs of fault and scenario${share}\n`);
  process.stdout.write(`proof     ${oneLine(join(out, 'proof.json'))}\n`);
}
