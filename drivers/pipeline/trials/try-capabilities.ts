import { capabilities, type Capability, type Driver, type QpType } from '../../contract';
import { cqTrials } from './cq-trials';
import { eventTrials } from './event-trials';
import { qpTrials, qpTypeTrials } from './qp-trials';
import { survived, type Tell } from './survived';
import type { Trial } from './trial';
import { workTrials } from './work-trials';

/** Tries which types of QPs a device brings up. */
export function tryQpTypes(driver: Driver, tell: Tell): Promise<ReadonlySet<Capability>> {
  return tryAll(driver, qpTypeTrials, new Set(), tell);
}

/**
 * Tries all other capabilities, each on fresh objects.
 *
 * @param qpTypes - what {@link tryQpTypes} has found
 * @returns all that the device has shown
 */
export async function tryCapabilities(
  driver: Driver,
  qpTypes: ReadonlySet<Capability>,
  tell: Tell,
): Promise<readonly Capability[]> {
  const trials = [...cqTrials, ...qpTrials, ...workTrials, ...eventTrials];
  const found = await tryAll(driver, trials, qpTypes, tell);
  return capabilities.filter((capability) => found.has(capability));
}

async function tryAll(
  driver: Driver,
  trials: readonly Trial[],
  before: ReadonlySet<Capability>,
  tell: Tell,
): Promise<ReadonlySet<Capability>> {
  const found = new Set(before);
  for (const trial of trials) if (await isShown(driver, trial, found, tell)) found.add(trial.capability);
  return found;
}

async function isShown(
  driver: Driver,
  { capability, needs = [], sends, shows }: Trial,
  found: ReadonlySet<Capability>,
  tell: Tell,
): Promise<boolean> {
  const qpType = pairTypeOf(found);
  if (!needs.every((need) => found.has(need)) || (sends === true && qpType === undefined)) return false;
  const what = `the trial of ${capability}`;
  const on = { found, qpType: qpType ?? 'IBV_QPT_RC' } as const;
  const outcome = await survived(driver, what, tell, (bench) => shows({ ...on, bench }));
  if (outcome.is === 'died') tell(`${what} failed, and it counts as lacking: ${outcome.reason}`);
  return outcome.is === 'done' ? outcome.result : outcome.is === 'refused';
}

/** The type of a pair that exchanges messages; `undefined` where the device brings none up. */
export function pairTypeOf(found: ReadonlySet<Capability>): QpType | undefined {
  if (found.has('connection')) return 'IBV_QPT_RC';
  return found.has('ud') ? 'IBV_QPT_UD' : undefined;
}
