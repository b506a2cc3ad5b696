import { callsOf, type Cq, type Driver } from '../../drivers/contract';
import { unlessRefused } from './unless-refused';

/** CQEs that are asked for at once. */
const polledAtOnce = 64;

/** More CQEs than any scenario leaves on a CQ; a device that gives them is at fault, and the trace has enough of them. */
const takenMax = 2048;

/** Takes the CQEs that are left on a CQ. One that refuses has none to give. */
export async function takeCompletions(driver: Driver, cq: Cq): Promise<void> {
  if (isExtended(driver, cq)) return takeBatch(driver, cq);
  for (let taken = 0; taken < takenMax; taken += polledAtOnce) {
    const completions = await unlessRefused(driver.pollCq(cq, polledAtOnce), []);
    if (completions.length < polledAtOnce) return;
  }
}

function isExtended(driver: Driver, { handle }: Cq): boolean {
  return callsOf(driver.trace(), 'ibv_create_cq_ex').some(({ returned }) => returned === handle);
}

/** Of each CQE it reads what is there whatever the CQ was made for. */
async function takeBatch(driver: Driver, cq: Cq): Promise<void> {
  if (!(await succeeds(driver.startPoll(cq)))) return;
  for (let taken = 1; taken < takenMax; taken++) {
    const [, isMore] = await Promise.all(driver.inTurn(() => [driver.readCqEx(cq), succeeds(driver.nextPoll(cq))]));
    if (!isMore) break;
  }
  await driver.endPoll(cq);
}

const succeeds = (call: Promise<void>): Promise<boolean> =>
  unlessRefused(
    call.then(() => true),
    false,
  );
