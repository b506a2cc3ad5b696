import { existsSync, lstatSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { HarnessError, UsageError } from '../../drivers/contract';
import { makeFolder, readTextFile } from '../../drivers/support/files';
import { replacedBy } from '../../drivers/sim/faults/touched';
import { oneLine, printableJson } from '../../catalog/plain-text';
import type { FaultRun, Proof, SoundScenario } from '../../reports/proof/proof';
import { acceptable, type Accepted } from '../../reports/proof/proof-accepted';
import { writeProof } from '../../reports/proof/proof-file';
import { judgeProof } from '../../reports/proof/proof-judge';
import { Interruption } from '../common/interruption';
import { nearest } from '../common/nearest';
import { root, suiteCommit, suiteVersion } from '../common/project';
import { loadFaults, plantedFaults, type FaultModule } from './prove-faults';
import { ProvePool, type Job, type Result } from './prove-pool';
import { ProveProgress } from './prove-progress';
import { renderProof } from './prove-text';
import { featurePaths, featureRules, type FeatureRule } from '../inputs/features';

/** What the user asks of `verbspec prove`. */
export interface ProveOptions {
  /** Pages or clause ids; none for all. */
  readonly selectors: readonly string[];
  readonly json: boolean;
  readonly accept: boolean;
  readonly out: string;
  /** Processes at the same time; the cores of the machine unless given. */
  readonly jobs?: number;
  /** Module of other faults than those that come with verbspec. */
  readonly faults?: string;
}

/** Milliseconds in which a scenario under a fault has ended on the slowest of machines. */
const silentMsMax = 120_000;

/** What was accepted as proved, by rule. */
const acceptedPath = join(root, 'drivers', 'sim', 'faults', 'accepted.json');

/**
 * Runs the features under each planted fault, and tells what was caught.
 *
 * @returns the exit code
 */
export async function prove(options: ProveOptions): Promise<number> {
  const selected = selectRules(options.selectors, featureRules());
  const module = options.faults ?? plantedFaults;
  const faults = loadFaults(module);
  const ids = selected?.flatMap((rule) => rule.ids);
  if (options.accept && (ids !== undefined || options.faults !== undefined))
    throw new UsageError('--accept is for all rules and the planted faults');
  prepareOut(options.out);
  const { sound, runs } = await runAll(module, faults, selected, options.jobs ?? availableParallelism());
  if (options.accept) writeAccepted(acceptable(sound, runs));
  const proof = judgeProof({
    suite: { version: suiteVersion(), commit: suiteCommit() },
    ...(ids && { selected: ids }),
    sound,
    faults: runs,
    dependencies: faults.dependencies ?? [],
    ...(options.faults === undefined && existsSync(acceptedPath) && { accepted: readAccepted(ids) }),
  });
  report(proof, options);
  return proof.problems.length === 0 ? 0 : 1;
}

/**
 * A rule's own faults run on all features; the others run on the rules that the user named. A scenario that has nothing
 * to do with what a fault replaces is left out: it runs as it does without the fault.
 */
async function runAll(
  module: string,
  { faults }: FaultModule,
  selected: readonly FeatureRule[] | undefined,
  workers: number,
): Promise<{ sound: readonly SoundScenario[]; runs: FaultRun[] }> {
  const [first] = await runJobs([{ paths: featurePaths() }], module, 1);
  const sound = soundScenarios(first);
  const ids = selected?.flatMap((rule) => rule.ids);
  const planned = Object.entries(faults).map(([fault, { rules, parts }]) => {
    const isWhole = ids === undefined || rules.some((id) => ids.includes(id));
    const candidates = isWhole ? sound : sound.filter(({ clauseIds }) => clauseIds.some((id) => ids.includes(id)));
    const replaced = new Set(replacedBy(parts));
    const paths = pathsOf(candidates.filter(({ touches }) => touches.some((touch) => replaced.has(touch))));
    return { fault, isWhole, paths };
  });
  const jobs = planned.filter(({ paths }) => paths.length > 0);
  const results = await runJobs(jobs, module, workers);
  const byFault = new Map(jobs.map(({ fault }, index) => [fault, results[index]]));
  const untouched: Result = { kind: 'failed', scenarios: [] };
  const runs = planned.map(({ fault, isWhole, paths }) =>
    faultRun(fault, faults, isWhole, paths.length > 0 ? byFault.get(fault) : untouched),
  );
  return { sound, runs };
}

/** Feature paths with the lines of the scenarios. */
function pathsOf(scenarios: readonly SoundScenario[]): string[] {
  const uris = [...new Set(scenarios.map(({ uri }) => uri))];
  return uris.map((uri) => [uri, ...scenarios.filter((one) => one.uri === uri).map(({ line }) => line)].join(':'));
}

function soundScenarios(result: Result | undefined): readonly SoundScenario[] {
  if (result?.kind === 'sound') return result.scenarios;
  throw new HarnessError(`the features do not run without a fault: ${result?.kind === 'lost' ? result.why : ''}`);
}

function faultRun(name: string, faults: FaultModule['faults'], isWhole: boolean, result: Result | undefined): FaultRun {
  const { rules = [], effect = '', alsoBreaks } = faults[name] ?? {};
  const fault = { name, rules, effect, ...(alsoBreaks && { alsoBreaks }) };
  if (result?.kind === 'failed') return { fault, failed: result.scenarios, isWhole };
  return { fault, failed: [], isWhole, lost: result?.kind === 'lost' ? result.why : 'it has no result' };
}

async function runJobs(jobs: readonly Job[], module: string, workers: number): Promise<readonly Result[]> {
  const progress = new ProveProgress(process.stderr);
  const pool = new ProvePool({
    module,
    workers,
    silentMsMax,
    onStart: ({ fault }, index) => {
      progress.tell(fault === undefined ? 'without a fault' : `fault ${index + 1} of ${jobs.length}: ${fault}`);
    },
  });
  const interruption = new Interruption(() => {
    pool.kill();
    progress.end();
  });
  try {
    return await pool.run(jobs);
  } finally {
    interruption.end();
    progress.end();
  }
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

/** @param ids - clause ids of the rules that are asked for; all unless given */
function readAccepted(ids: readonly string[] | undefined): Accepted {
  const accepted = JSON.parse(readFileSync(acceptedPath, 'utf8')) as Accepted;
  return Object.fromEntries(Object.entries(accepted).filter(([rule]) => ids === undefined || ids.includes(rule)));
}

/** A line a rule, so that a change of one is a change of one line. */
function writeAccepted(accepted: Accepted): void {
  const lines = Object.entries(accepted).map(([rule, entry]) => `  ${JSON.stringify(rule)}: ${JSON.stringify(entry)}`);
  writeFileSync(acceptedPath, `{\n${lines.join(',\n')}\n}\n`);
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

function report(proof: Proof, { json, out }: ProveOptions): void {
  try {
    makeFolder(out);
    writeProof(join(out, 'proof.json'), proof);
  } catch (error) {
    if (error instanceof HarnessError) throw error;
    throw new HarnessError(`cannot write ${out}: ${(error as Error).message}`, 'name another folder with --out');
  }
  process.stdout.write(json ? `${printableJson(proof, 2)}\n` : renderProof(proof, process.stdout));
  if (!json) process.stdout.write(`proof     ${oneLine(join(out, 'proof.json'))}\n`);
}
