import { UsageError } from '../../drivers/contract';
import { oneLine } from '../../catalog/plain-text';
import { writeTo } from '../out/write-file';
import { placeOf, chooseScenario, type ChosenScenario } from './recorded-scenario';
import { reproducer } from './reproducer';

/** What the user asks of `verbspec reproduce`. */
export interface ReproduceOptions {
  /** Folder of the run. */
  readonly run: string;
  /** Where the scenario stands, or its name. */
  readonly scenario: string;
  /** Whether it may be one in which nothing failed. */
  readonly any: boolean;
  readonly out?: string;
}

/**
 * Writes a program in C, libibverbs alone, that makes the calls of a recorded scenario and shows what failed.
 *
 * @returns the exit code
 * @throws UsageError if no such program can be made
 */
export async function reproduce({ run, scenario, any, out }: ReproduceOptions): Promise<number> {
  const chosen = chooseScenario(run, scenario);
  refuse(chosen, any);
  const text = await reproducer(chosen, any);
  if (out === undefined) process.stdout.write(text);
  else writeTo(out, text);
  return 0;
}

/** What outside of the verbs a scenario does, or what did not happen, no program can repeat. */
function refuse({ entry, recorded }: ChosenScenario, any: boolean): void {
  const place = oneLine(placeOf(entry));
  const { verdict } = entry;
  if (verdict === 'not-applicable') throw new UsageError(`${place} did not run: it does not apply to that device`);
  if (verdict === 'broken') throw new UsageError(`${place} is broken: nothing is said of the device`, 'run it again');
  if (verdict === 'pass' || verdict === 'surprise') {
    if (!any) throw new UsageError(`${place} passed: nothing failed in it`, '--any makes its calls all the same');
  }
  const attachments = recorded.attempts.at(-1)?.attachments ?? [];
  if (attachments.some(({ fileName = '' }) => fileName.startsWith('trace-of-')))
    throw new UsageError(`${place} uses two devices, and a program has one`);
}
