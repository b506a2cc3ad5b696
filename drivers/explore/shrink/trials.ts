/** How often a program was run, and in how many of these runs it showed what is wrong. */
export interface Trials {
  readonly runs: number;
  readonly failed: number;
}

/** Runs a program once. @returns whether it shows what is wrong */
export type Trial = () => Promise<boolean>;

/** Until a program has failed twice more, it is run so often; one that fails in a twentieth of its runs mostly does. */
const againMax = { failed: 2, runs: 20 };

/** Runs in which it is counted how often a program fails. */
const countedRuns = 10;

/** For a program that fails as often as this or more, one run without a failure is enough. */
const almostAlways = 0.95;

/** One that fails so many times less often than another does not fail as that does. */
const farRarer = 20;

/** The chance of a wrong answer, for either. */
const mistakes = 0.05;

/** Runs after which an answer that is still open is no. */
const runsMax = 50;

/** Runs a program that has failed once until it is clear that it fails again. */
export function runsAgain(trial: Trial): Promise<Trials> {
  return runUntil(trial, ({ runs, failed }) => failed === againMax.failed || runs === againMax.runs);
}

/** In how many runs of ten a program fails. */
export function countedTrials(trial: Trial): Promise<Trials> {
  return runUntil(trial, ({ runs }) => runs === countedRuns);
}

async function runUntil(trial: Trial, isOver: (trials: Trials) => boolean): Promise<Trials> {
  let trials = { runs: 0, failed: 0 };
  while (!isOver(trials)) trials = { runs: trials.runs + 1, failed: trials.failed + ((await trial()) ? 1 : 0) };
  return trials;
}

/**
 * Whether a program fails about as often as another, by the sequential probability ratio test of Wald: it is run until
 * that, or that it does so far more rarely, is likely enough. For programs that always fail or never, one run is enough.
 *
 * @param rate - share of its runs in which the other one fails
 */
export async function failsAtRate(rate: number, trial: Trial): Promise<boolean> {
  const often = Math.min(rate, almostAlways);
  const seldom = often / farRarer;
  const enough = Math.log((1 - mistakes) / mistakes);
  let evidence = 0;
  for (let run = 0; run < runsMax; run++) {
    evidence += (await trial()) ? Math.log(often / seldom) : Math.log((1 - often) / (1 - seldom));
    if (Math.abs(evidence) >= enough) return evidence > 0;
  }
  return false;
}
