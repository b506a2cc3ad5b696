import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { oneLine, printableJson } from '../../../catalog/plain-text';
import { HarnessError } from '../../../drivers/contract';
import { makeFolder } from '../../../drivers/support/files';
import { systematicFaults } from '../../../drivers/sim/faults/systematic';
import type { SystematicFault } from '../../../drivers/sim/faults/systematic/systematic-fault';
import { root, suiteCommit, suiteVersion } from '../../common/project';
import { featurePaths } from '../../inputs/features';
import { runJobs, soundScenarios } from '../proof-runs';
import { plantedFaults } from '../prove-faults';
import { placeOf, type RecordedScenario } from '../prove-job';
import type { Job } from '../prove-pool';
import { decidingFiles, hashOf } from '../sources';
import { readArguments } from './argued';
import { KeptOutcomes } from './kept-outcomes';
import { selected, type Selection } from './selection';
import type { SystematicOutcome } from './systematic-job';
import { judgeSystematic, verdictOn } from './systematic-proof';
import { renderSystematic } from './systematic-text';

/** What the user asks of `verbspec prove --systematic`. */
export interface SystematicOptions extends Selection {
  readonly json: boolean;
  /** Whether all run anew that ran before. */
  readonly full: boolean;
  readonly out: string;
  readonly jobs?: number;
}

/**
 * Runs the features under faults that operators make of the model.
 *
 * @returns the exit code: 1 if one is neither caught nor argued
 */
export async function proveSystematic(options: SystematicOptions): Promise<number> {
  const { json, out, full, jobs: workers = availableParallelism() } = options;
  makeFolder(out);
  const faults = selected(systematicFaults().filter(isOfFeatures), options);
  const plan = { module: plantedFaults, workers };
  const [first] = await runJobs([{ kind: 'sound', paths: featurePaths() }], { ...plan, workers: 1 }, new Map());
  const outcomes = await outcomesOf(faults, soundScenarios(first), { ...plan, full });
  const all = readArguments();
  const verdicts = faults.map((fault) => verdictOn(fault, outcomes.get(fault.name) ?? { outcome: 'unseen' }, all));
  const isWhole = options.count === undefined && options.shard === undefined;
  const proof = judgeSystematic({ version: suiteVersion(), commit: suiteCommit() }, verdicts, all, isWhole);
  const file = join(out, 'systematic.json');
  writeFileSync(file, `${printableJson(proof, 2)}\n`);
  process.stdout.write(json ? `${printableJson(proof, 2)}\n` : renderSystematic(proof, process.stdout));
  if (!json) process.stdout.write(`proof     ${oneLine(file)}\n`);
  return proof.problems.length === 0 ? 0 : 1;
}

/** What a verb answers is right or wrong by its page, which may not have features yet. */
function isOfFeatures({ page }: SystematicFault): boolean {
  return page === undefined || featurePaths().some((path) => basename(path, '.feature') === page.replace(/\(.*/, ''));
}

/** What is known of faults, and what becomes of the others. */
async function outcomesOf(
  faults: readonly SystematicFault[],
  sound: readonly RecordedScenario[],
  { full, ...plan }: { readonly module: string; readonly workers: number; readonly full: boolean },
): Promise<ReadonlyMap<string, SystematicOutcome>> {
  const kept = new KeptOutcomes(keyOf(sound));
  const outcomes = new Map(full ? [] : kept.read());
  const open = faults.filter(({ name }) => !outcomes.has(name));
  const jobs = open.map((fault) => jobOf(fault, sound));
  const histories = new Map(sound.map((one) => [placeOf(one), one.history]));
  await runJobs(jobs, plan, histories, (result, index) => {
    const fault = open[index];
    if (fault === undefined) return;
    if (result.kind !== 'systematic')
      throw new HarnessError(`${fault.name}: ${result.kind === 'lost' ? result.why : ''}`);
    outcomes.set(fault.name, result.outcome);
    kept.add(fault.name, result.outcome);
  });
  return outcomes;
}

/** A scenario that never calls the function of a fault runs as it does without. */
function jobOf({ name, verb }: SystematicFault, sound: readonly RecordedScenario[]): Job {
  const trials = sound.filter(({ touches }) => verb === undefined || touches.includes(verb));
  return {
    kind: 'systematic',
    fault: name,
    trials: trials.map(({ uri, line, clauseIds }) => ({ uri, line, clauseIds })),
  };
}

/** Of all that decides what becomes of a fault. */
function keyOf(sound: readonly RecordedScenario[]): string {
  const sources = decidingFiles().map((path) => readFileSync(join(root, path), 'utf8'));
  return hashOf([process.version, ...sources, ...sound.map(({ text }) => text)]);
}
