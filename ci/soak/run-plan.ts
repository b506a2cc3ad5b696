import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { differencesOf, namesOfDifferences, type Difference } from './differences';
import { Load } from './load';
import { argumentsOf, folderOf, type Plan } from './plan';
import { runOnce, type RunUnderWay } from './run-once';
import { observationsOf, type RunOutcome, type Observations } from './observations';

/** A run that has come to its end. */
export interface FinishedRun {
  /** From 1. */
  readonly run: number;
  readonly order: string;
  /** Where its results are, within those of all, if they were kept. */
  readonly folder: string;
  readonly durationMs: number;
  readonly outcome: RunOutcome;
  readonly observations: Observations;
  /** Number of things of which it says something else than the first run; undefined for that one. */
  readonly differences: number | undefined;
}

/** The runs of a plan, and of what they say different things. */
export interface Soaked {
  readonly plan: Plan;
  readonly runs: readonly FinishedRun[];
  readonly differences: readonly Difference[];
}

/** What all plans of a soak share. */
export interface PlanContext {
  /** Orders are `random:SEED-RUN`. */
  readonly seed: string;
  /** Folder of the results of all. */
  readonly folder: string;
  /** Whether no further run shall start. */
  readonly isInterrupted: () => boolean;
  readonly onStart: (run: RunUnderWay) => void;
  readonly onEnd: (plan: Plan, run: FinishedRun) => void;
}

/**
 * Makes the runs of a plan, each in a random order of its own. The results of the first and of those that say something
 * else are kept. Where the first has no verdicts, no other will, so there is none.
 */
export async function runPlan(plan: Plan, context: PlanContext): Promise<Soaked> {
  const runs: FinishedRun[] = [];
  const load = new Load(plan.load);
  try {
    for (let run = 1; run <= plan.runs; run++) {
      const finished = await finish(plan, run, runs[0], context);
      if (context.isInterrupted()) break;
      runs.push(finished);
      context.onEnd(plan, finished);
      if (runs[0]?.outcome.verdicts === undefined) break;
    }
  } finally {
    load.end();
  }
  return { plan, runs, differences: differencesOf(runs) };
}

async function finish(
  plan: Plan,
  run: number,
  first: FinishedRun | undefined,
  { seed, folder, onStart }: PlanContext,
): Promise<FinishedRun> {
  const order = `random:${seed}-${run}`;
  const own = folderOf(plan, run);
  const startMs = Date.now();
  const underWay = runOnce(argumentsOf(plan, run), order, join(folder, own));
  onStart(underWay);
  const outcome = await underWay.outcome;
  const observations = observationsOf(outcome);
  const differences = first && namesOfDifferences(first.observations, observations).length;
  if (differences === 0) rmSync(join(folder, own), { recursive: true });
  return { run, order, folder: own, durationMs: Date.now() - startMs, outcome, observations, differences };
}
