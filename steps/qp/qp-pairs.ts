import { VerbsError, type Cq, type Qp, type Srq } from '../../drivers/contract';
import { tooManyEntries } from '../cq/cq-attributes';
import { bringUp, pathToSelf, usualBringUp, type BringUp } from './connection';
import { overrunMessagesMax } from './messages';
import type { VerbsWorld } from '../world/world';

/** Work requests that fit into a QP beyond what overruns the CQs of the scenario. */
const spareWr = 16;

/** Work requests of a QP at most: they overrun a CQ of 1,023 entries, and no scenario overruns a larger one. */
const workRequestsMax = 4144;

/** Work requests that a device is asked for in turn which refuses more. */
const fewerWorkRequests = [2112, 1024] as const;

/** One end of a pair as a scenario wants it; what it leaves out goes to a CQ without a name. */
export interface End extends Partial<BringUp> {
  readonly name: string;
  readonly sendCq?: Cq;
  readonly recvCq?: Cq;
  readonly srq?: Srq | undefined;
  /** Every send makes a CQE, whatever its flags. */
  readonly sqSigAll?: boolean;
  /** Entries that the scatter/gather list of each of its work requests may have. */
  readonly maxSge?: number;
  /** Bytes that a send may carry with IBV_SEND_INLINE, which a device need not offer. */
  readonly maxInlineData?: number;
}

/** Creates two QPs, connects them with each other in loopback and gives them their names. */
export async function createPair(world: VerbsWorld, ends: readonly [End, End]): Promise<void> {
  const named = ends.flatMap(({ sendCq, recvCq }) => [sendCq, recvCq]).filter((cq) => cq !== undefined);
  const wanted = Math.min(workRequestsMax, Math.max(0, ...named.map(overrunMessagesMax)) + spareWr);
  const isCqMissing = ends.some(({ sendCq, recvCq }) => sendCq === undefined || recvCq === undefined);
  const [unnamed] = await Promise.all([isCqMissing ? roomyCq(world, 2 * wanted) : undefined, world.pd()]);
  const complete = ends.map((end) => completeEnd(end, unnamed)) as [CompleteEnd, CompleteEnd];
  const [{ qps, workRequests }] = await Promise.all([
    roomyQps(world, complete, wanted),
    world.here.memory(), // messages will need it, and its registration keeps nobody waiting now
  ]);
  const [one, other] = qps;
  await Promise.all([bringUp(world.driver, one, other, complete[0]), bringUp(world.driver, other, one, complete[1])]);
  const ah = complete[0].qpType === 'IBV_QPT_UD' ? await createAh(world) : undefined;
  world.qps.add(complete[0].name, { ...complete[0], qp: one, peer: other, ah, workRequests });
  world.qps.add(complete[1].name, { ...complete[1], qp: other, peer: one, ah, workRequests });
}

/** A CQ of that many entries, or as many as the device lets it have: few scenarios fill it. */
async function roomyCq(world: VerbsWorld, cqe: number): Promise<Cq> {
  try {
    return await world.newCq({ cqe });
  } catch (error) {
    const entriesMax = (await tooManyEntries(world)) - 1;
    if (!(error instanceof VerbsError) || entriesMax >= cqe) throw error;
    return world.newCq({ cqe: entriesMax });
  }
}

type CompleteEnd = Required<Omit<End, 'srq'>> & { readonly srq: Srq | undefined };

function completeEnd(end: End, unnamed: Cq | undefined): CompleteEnd {
  const sendCq = end.sendCq ?? unnamed;
  const recvCq = end.recvCq ?? unnamed;
  if (sendCq === undefined || recvCq === undefined) throw new Error('each end has two CQs');
  return { ...usualBringUp, sqSigAll: false, maxSge: 1, maxInlineData: 0, srq: undefined, ...end, sendCq, recvCq };
}

interface CreatedPair {
  readonly qps: readonly [Qp, Qp];
  readonly workRequests: number;
}

/** QPs of that many work requests, or of fewer where a device refuses so many: few scenarios post them all. */
async function roomyQps(
  world: VerbsWorld,
  ends: readonly [CompleteEnd, CompleteEnd],
  workRequests: number,
): Promise<CreatedPair> {
  const [one, other] = ends;
  try {
    return {
      qps: await Promise.all([createQp(world, one, workRequests), createQp(world, other, workRequests)]),
      workRequests,
    };
  } catch (error) {
    const fewer = fewerWorkRequests.find((count) => count < workRequests);
    if (!(error instanceof VerbsError) || fewer === undefined) throw error;
    return roomyQps(world, ends, fewer);
  }
}

async function createQp(world: VerbsWorld, end: CompleteEnd, workRequests: number): Promise<Qp> {
  const { qpType, sendCq, recvCq, srq, sqSigAll, maxSge, maxInlineData } = end;
  const created = world.driver.createQp(await world.pd(), {
    qpType,
    sendCq,
    recvCq,
    srq: srq ?? null,
    cap: {
      maxSendWr: workRequests,
      maxRecvWr: srq === undefined ? workRequests : 0,
      maxSendSge: maxSge,
      maxRecvSge: srq === undefined ? maxSge : 0,
      maxInlineData,
    },
    sqSigAll,
  });
  return world.keep('qp', created);
}

async function createAh(world: VerbsWorld) {
  const created = world.driver.createAh(await world.pd(), pathToSelf(world.driver));
  return world.keep('ah', created);
}
