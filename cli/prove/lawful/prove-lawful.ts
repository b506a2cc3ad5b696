import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { oneLine, printableJson } from '../../../catalog/plain-text';
import { HarnessError } from '../../../drivers/contract';
import { makeFolder } from '../../../drivers/support/files';
import { variants } from '../../../drivers/sim/lawful';
import { suiteCommit, suiteVersion } from '../../common/project';
import { featurePaths } from '../../inputs/features';
import { runJobs, soundScenarios } from '../proof-runs';
import { plantedFaults } from '../prove-faults';
import { placeOf, type RecordedScenario } from '../prove-job';
import type { Job } from '../prove-pool';
import type { LawfulTrial } from './lawful-job';
import { judgeLawful, type LawfulProof, type TriedVariant } from './lawful-proof';
import { renderLawful } from './lawful-text';

/** What the user asks of `verbspec prove --lawful`. */
export interface LawfulOptions {
  readonly json: boolean;
  readonly out: string;
  readonly jobs?: number;
}

/**
 * Runs the features on each lawful variant of the simulator.
 *
 * @returns the exit code: 1 if a scenario raises a false alarm
 */
export async function proveLawful(options: LawfulOptions): Promise<number> {
  const { json, out, jobs: workers = availableParallelism() } = options;
  makeFolder(out);
  const plan = { module: plantedFaults, workers: 1 };
  const [first] = await runJobs([{ kind: 'sound', paths: featurePaths() }], plan, new Map());
  const proof = await tryVariants(soundScenarios(first), workers, true);
  const file = writeLawful(out, proof);
  process.stdout.write(json ? `${printableJson(proof, 2)}\n` : renderLawful(proof, process.stdout));
  if (!json) process.stdout.write(`proof     ${oneLine(file)}\n`);
  return proof.problems.length === 0 ? 0 : 1;
}

/** Writes lawful.json into a folder, and returns its path. */
export function writeLawful(folder: string, proof: LawfulProof): string {
  const file = join(folder, 'lawful.json');
  writeFileSync(file, `${printableJson(proof, 2)}\n`);
  return file;
}

/**
 * Runs scenarios on all variants.
 *
 * @param isWhole - whether these are all scenarios
 */
export async function tryVariants(
  sound: readonly RecordedScenario[],
  workers: number,
  isWhole: boolean,
): Promise<LawfulProof> {
  const trials = sound.map(trialOf);
  const names = Object.keys(variants);
  const jobs = names.map((name): Job => ({ kind: 'lawful', variant: name, trials }));
  const histories = new Map(sound.map((one) => [placeOf(one), one.history]));
  const results = await runJobs(jobs, { module: plantedFaults, workers }, histories);
  const tried = Object.entries(variants).map(([name, variant], index): TriedVariant => {
    const result = results[index];
    if (result?.kind !== 'lawful')
      throw new HarnessError(`variant ${name} was not run: ${result?.kind === 'lost' ? result.why : ''}`);
    return { name, variant, outcome: result.outcome };
  });
  return judgeLawful({ version: suiteVersion(), commit: suiteCommit() }, tried, isWhole);
}

function trialOf({ uri, line, needs }: RecordedScenario): LawfulTrial {
  return { uri, line, needs };
}
