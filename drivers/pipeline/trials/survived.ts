import {
  complaintOf,
  DutCrashed,
  DutHung,
  DutLost,
  DutPanicked,
  HarnessError,
  VerbsError,
  type Driver,
} from '../../contract';
import { Bench } from './bench';

/** Gets a line about what the user has to know. */
export type Tell = (line: string) => void;

/** What became of something that was done with a device: a result, a refusal, or the end of the process that did it. */
export type Outcome<T> =
  | { readonly is: 'done'; readonly result: T }
  | { readonly is: 'refused'; readonly refusal: VerbsError }
  | { readonly is: 'died'; readonly reason: string };

/**
 * Does something with fresh objects, as a scenario would. A device that dies of it is ready again for what comes next.
 *
 * @param what - in the words of messages
 * @throws DutLost if the device is gone for good
 */
export async function survived<T>(
  driver: Driver,
  what: string,
  tell: Tell,
  use: (bench: Bench) => Promise<T>,
): Promise<Outcome<T>> {
  await driver.begin();
  driver.kernelLog();
  const outcome = await outcomeOf(() => Bench.during(driver, use));
  const end = await outcomeOf(() => driver.end());
  const complaint = complaintOf(driver.kernelLog(), driver.kernelModules);
  if (complaint !== undefined) tell(`the kernel of the device complained in ${what}: ${complaint}`);
  return end.is === 'died' && outcome.is !== 'died' ? end : outcome;
}

async function outcomeOf<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { is: 'done', result: await work() };
  } catch (error) {
    if (error instanceof VerbsError) return { is: 'refused', refusal: error };
    if (error instanceof Error && isDeath(error)) return { is: 'died', reason: error.message };
    throw error;
  }
}

/** What the harness cannot do counts too: a host process need not know every verb. */
function isDeath(error: Error): boolean {
  const kinds = [DutCrashed, DutHung, DutPanicked, HarnessError];
  return kinds.some((kind) => error instanceof kind) && !(error instanceof DutLost);
}
