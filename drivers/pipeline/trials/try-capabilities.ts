import { capabilities, type Capability, type QpType } from '../../contract';
import { cqTrials } from './cq-trials';
import { eventTrials } from './event-trials';
import { qpTrials, qpTypeTrials } from './qp-trials';
import type { Trial } from './trial';
import type { TrialSession } from './trial-session';
import { workTrials } from './work-trials';

/** Tries which types of QPs a device brings up. */
export function tryQpTypes(session: TrialSession): Promise<ReadonlySet<Capability>> {
  return tryAll(session, qpTypeTrials, new Set());
}

/**
 * Tries all other capabilities, each on fresh objects.
 *
 * @param qpTypes - what {@link tryQpTypes} has found
 * @returns all that the device has shown
 */
export async function tryCapabilities(
  session: TrialSession,
  qpTypes: ReadonlySet<Capability>,
): Promise<readonly Capability[]> {
  const trials = [...cqTrials, ...qpTrials, ...workTrials, ...eventTrials];
  const found = await tryAll(session, trials, qpTypes);
  return capabilities.filter((capability) => found.has(capability));
}

async function tryAll(
  session: TrialSession,
  trials: readonly Trial[],
  before: ReadonlySet<Capability>,
): Promise<ReadonlySet<Capability>> {
  const found = new Set(before);
  for (const trial of trials) if (await isShown(session, trial, found)) found.add(trial.capability);
  return found;
}

async function isShown(
  session: TrialSession,
  { capability, needs = [], sends, shows }: Trial,
  found: ReadonlySet<Capability>,
): Promise<boolean> {
  const qpType = pairTypeOf(found);
  if (!needs.every((need) => found.has(need)) || (sends === true && qpType === undefined)) return false;
  const what = `the trial of ${capability}`;
  const on = { found, qpType: qpType ?? 'IBV_QPT_RC' } as const;
  const outcome = await session.attempt(what, (bench) => shows({ ...on, bench }));
  if (outcome.is === 'died') session.tell(`${what} failed, and it counts as lacking: ${outcome.reason}`);
  return outcome.is === 'done' ? outcome.result : outcome.is === 'refused';
}

/** The type of a pair that exchanges messages; `undefined` where the device brings none up. */
export function pairTypeOf(found: ReadonlySet<Capability>): QpType | undefined {
  if (found.has('connection')) return 'IBV_QPT_RC';
  return found.has('ud') ? 'IBV_QPT_UD' : undefined;
}
