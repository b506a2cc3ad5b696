import { checkEqual, RuleViolated, VerbsError, type Cq, type Wc } from '../../drivers/contract';
import { eventMsOf } from '../world/deadlines';
import { happens } from '../world/waits';
import type { VerbsWorld } from '../world/world';

/** Polls the CQ until it has given `count` completions, or fails if they do not come in time. */
export async function pollUntil(world: VerbsWorld, cq: Cq, count: number): Promise<readonly Wc[]> {
  const { driver } = world;
  const completions: Wc[] = [];
  const withinMs = eventMsOf(world);
  const poll = async (): Promise<boolean> => {
    completions.push(...(await driver.pollCq(cq, count - completions.length)));
    return completions.length >= count;
  };
  await happens(driver, poll, { withinMs });
  const subject = `CQEs that CQ ${world.cqs.nameOf(cq)} gave`;
  checkEqual({ subject, expected: count, observed: completions.length, withinMs });
  return completions;
}

/** Polls the CQ until it is empty or refuses to be polled, which is one way for a CQ to be of no use. */
export async function pollAsFarAsPossible(world: VerbsWorld, cq: Cq): Promise<readonly Wc[]> {
  const completions: Wc[] = [];
  try {
    while (completions.length <= world.workRequests) {
      const more = await world.driver.pollCq(cq, cq.cqe);
      if (more.length === 0) return completions;
      completions.push(...more);
    }
    const subject = `CQEs that CQ ${world.cqs.nameOf(cq)} gave, where each stands for a work request`;
    throw new RuleViolated({ subject, expected: { atMost: world.workRequests }, observed: completions.length });
  } catch (error) {
    if (error instanceof VerbsError) return completions;
    throw error;
  }
}
