import { oneLine } from '../../catalog/plain-text';
import { HarnessError } from '../../drivers/contract';
import type { Fault } from '../../drivers/sim/faults/fault';
import { replacedBy } from '../../drivers/sim/faults/touched';
import type { FaultRun, ProvedScenario } from '../../reports/proof/proof';
import { Interruption } from '../common/interruption';
import { featurePaths } from '../inputs/features';
import type { KeptResults } from './kept';
import { isWhole, planTrials, type PlannedTrial, type Scope } from './plan';
import type { FaultModule } from './prove-faults';
import { placeOf, type RecordedScenario, type Tried } from './prove-job';
import { ProvePool, type Histories, type Job, type JobResult } from './prove-pool';
import { ProveProgress } from './prove-progress';

/** Milliseconds in which a scenario under a fault has ended on the slowest of machines. */
const silentMsMax = 120_000;

/** What shall run, and how. */
export interface ProofPlan {
  readonly module: string;
  readonly faults: FaultModule['faults'];
  readonly scope: Scope;
  readonly workers: number;
  /** Whether a scenario of other rules is run to its end under a fault; no, unless given. */
  readonly isToEnd?: (fault: string, scenario: RecordedScenario) => boolean;
  /** Results of earlier proofs; without them everything runs. */
  readonly kept?: KeptResults;
}

/** What ran. */
export interface ProofRuns {
  readonly sound: readonly RecordedScenario[];
  readonly faults: readonly FaultRun[];
  /** How many pairs of a fault and a scenario there are, and how many of them did not have to run. */
  readonly pairs: number;
  readonly known: number;
}

/** The scenarios of a fault, and what is known of some of them. */
interface FaultPlan {
  readonly name: string;
  readonly fault: Fault;
  readonly trials: readonly PlannedTrial[];
  readonly known: readonly Tried[];
  readonly toRun: readonly PlannedTrial[];
}

/** Runs the features without a fault, then the scenarios that may notice it under each fault. */
export async function runProof(plan: ProofPlan): Promise<ProofRuns> {
  const { module, faults, scope } = plan;
  const [first] = await runJobs([{ kind: 'sound', paths: featurePaths() }], { ...plan, workers: 1 }, new Map());
  const sound = soundScenarios(first);
  const plans = Object.entries(faults).map(([name, fault]) =>
    faultPlan(
      name,
      fault,
      planTrials(fault, sound, scope, (one) => plan.isToEnd?.(name, one) === true),
      plan.kept,
    ),
  );
  const open = plans.filter(({ toRun }) => toRun.length > 0);
  const jobs = open.map(({ name, toRun }) => ({ kind: 'fault' as const, fault: name, trials: toRun.map(sendable) }));
  const histories = new Map(sound.map((one) => [placeOf(one), one.history]));
  const results = await runJobs(jobs, { ...plan, module }, histories, (result, index) => {
    const one = open[index];
    if (one !== undefined && result.kind === 'tried') keep(plan.kept, one, result.scenarios);
  });
  const byFault = new Map(open.map(({ name }, index) => [name, results[index]]));
  const runs = plans.map((one) => faultRun(one, scope, byFault.get(one.name) ?? { kind: 'tried', scenarios: [] }));
  const count = (of: (one: FaultPlan) => readonly unknown[]): number =>
    plans.reduce((sum, one) => sum + of(one).length, 0);
  return { sound, faults: runs, pairs: count(({ trials }) => trials), known: count(({ known }) => known) };
}

/** @throws {@link HarnessError} if the features do not run without a fault */
export function soundScenarios(result: JobResult | undefined): readonly RecordedScenario[] {
  if (result?.kind === 'sound') return result.scenarios;
  throw new HarnessError(`the features do not run without a fault: ${result?.kind === 'lost' ? result.why : ''}`);
}

function faultPlan(
  name: string,
  fault: Fault,
  trials: readonly PlannedTrial[],
  kept: KeptResults | undefined,
): FaultPlan {
  const known = kept?.read(name, trials) ?? [];
  const places = new Set(known.map(placeOf));
  return { name, fault, trials, known, toRun: trials.filter((trial) => !places.has(placeOf(trial))) };
}

function sendable({ uri, line, uptoVerbs }: PlannedTrial): Omit<PlannedTrial, 'scenario'> {
  return { uri, line, uptoVerbs };
}

/** A proof is worth no less where nothing of it can be kept for the next one. */
function keep(kept: KeptResults | undefined, { name, trials, known }: FaultPlan, tried: readonly Tried[]): void {
  try {
    kept?.write(name, trials, [...known, ...tried]);
  } catch (error) {
    process.stderr.write(`${oneLine(`results of ${name} are not kept: ${(error as Error).message}`)}\n`);
  }
}

function faultRun({ name, fault, trials, known }: FaultPlan, scope: Scope, result: JobResult): FaultRun {
  const { rules, effect, parts } = fault;
  const run = { fault: { name, rules, effect, replaces: replacedBy(parts) }, isWhole: isWhole(fault, scope) };
  if (result.kind !== 'tried') {
    const lost = result.kind === 'lost' ? result.why : 'it has no result';
    return { ...run, stray: [], failed: [], lost };
  }
  const scenarios = new Map(trials.map(({ scenario }) => [placeOf(scenario), scenario]));
  const tried = [...known, ...result.scenarios];
  const stray = tried.flatMap(({ uri, line, at }) => (at === undefined ? [] : [{ uri, line, at }]));
  return { ...run, stray, failed: tried.flatMap((one) => failedIn(one, scenarios)) };
}

function failedIn(one: Tried, scenarios: ReadonlyMap<string, RecordedScenario>): ProvedScenario[] {
  const scenario = scenarios.get(placeOf(one));
  const { verdict = 'pass', detail, failedAt, signature } = one;
  if (scenario === undefined || verdict === 'pass') return [];
  const { uri, line, name, clauseIds } = scenario;
  const how = {
    ...(detail !== undefined && { detail }),
    ...(failedAt !== undefined && { failedAt }),
    ...(signature !== undefined && { signature }),
  };
  return [{ uri, line, name, clauseIds, verdict, ...how }];
}

/** Has processes work off jobs, and tells how far they are. */
export async function runJobs(
  jobs: readonly Job[],
  { module, workers }: Pick<ProofPlan, 'module' | 'workers'>,
  histories: Histories,
  onResult: (result: JobResult, index: number) => void = () => undefined,
): Promise<readonly JobResult[]> {
  const progress = new ProveProgress(process.stderr);
  const pool = new ProvePool({
    module,
    workers,
    silentMsMax,
    histories,
    onStart: (job, index) => {
      progress.tell(phraseOf(job, `${index + 1} of ${jobs.length}`));
    },
    onResult,
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

function phraseOf(job: Job, place: string): string {
  if (job.kind === 'sound') return 'without a fault';
  return job.kind === 'lawful' ? `lawful variant ${place}: ${job.variant}` : `fault ${place}: ${job.fault}`;
}
