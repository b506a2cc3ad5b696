import { HarnessError, type Capability, type Driver, type QpType } from '../../contract';
import type { Bench } from './bench';
import { Pair } from './loopback';
import { pairOf } from './qp-trials';
import type { TrialSession } from './trial-session';
import { pairTypeOf } from './try-capabilities';
import { completionsOf } from './waits';

/** The quickest of them counts: what a busy machine adds is nothing of the device. */
const messages = 3;

const remedy =
  'look whether the state of the port is ACTIVE, its P_Key is that of a full member (0xffff), the interface or VLAN of the GID index is up, and the e-switch of a virtual function loops back; --gid-index chooses another GID';

/**
 * Sends messages from the device to itself, before hundreds of scenarios fail for the same reason.
 *
 * @param qpTypes - those that the device brings up
 * @returns milliseconds that a message takes to be there; `undefined` where none can be sent, or the scenarios will show why
 * @throws HarnessError if nothing arrives
 */
export async function preflight(session: TrialSession, qpTypes: ReadonlySet<Capability>): Promise<number | undefined> {
  if (!qpTypes.has('connection')) await demandConnection(session);
  const qpType = pairTypeOf(qpTypes);
  if (qpType === undefined) return undefined;
  const what = 'the message of the device to itself before the first scenario';
  const outcome = await session.attempt(what, (bench) => latencyOf(bench, qpType));
  if (outcome.is === 'died') session.tell(`${what} failed: ${outcome.reason}`);
  if (outcome.is !== 'done') return undefined;
  if (outcome.result instanceof HarnessError) throw outcome.result;
  return outcome.result;
}

/** RC QPs of a device of InfiniBand or RoCE that cannot be connected are no lack of the device. */
async function demandConnection(session: TrialSession): Promise<void> {
  const { driver } = session;
  if (driver.dut.transport !== 'IBV_TRANSPORT_IB') return;
  const outcome = await session.attempt('connecting RC QPs', (bench) => pairOf(bench, 'IBV_QPT_RC'));
  if (outcome.is !== 'refused' || outcome.refusal.verb !== 'ibv_modify_qp') return;
  throw new HarnessError(`RC QPs of ${placeOf(driver)} cannot be connected: ${outcome.refusal.message}`, remedy);
}

/** @returns the latency in milliseconds, or why there is none */
async function latencyOf(bench: Bench, qpType: QpType): Promise<number | HarnessError> {
  const { driver } = bench;
  const pair = await Pair.make(bench, { qpType, sendCq: await bench.cq(messages), recvCq: await bench.cq(messages) });
  await pair.receive(messages);
  let leastMs = Infinity;
  for (let sent = 0; sent < messages; sent++) {
    await pair.send();
    const [arrived] = await completionsOf(driver, pair.recvCq);
    if (arrived?.status !== 'IBV_WC_SUCCESS') return lossOf(pair, qpType, arrived?.status);
    leastMs = Math.min(leastMs, passedMs(driver));
  }
  return leastMs;
}

/** Milliseconds on the clock of the device from the last send to the end of the last poll. */
function passedMs(driver: Driver): number {
  const calls = driver.trace();
  const post = calls.findLast(({ verb }) => verb === 'ibv_post_send');
  const poll = calls.findLast(({ verb }) => verb === 'ibv_poll_cq');
  if (post === undefined || poll === undefined) throw new Error('the driver does not record its calls');
  return (poll.startedAt + poll.durationUs - post.startedAt) / 1000;
}

async function lossOf({ bench, sendCq }: Pair, qpType: QpType, received = 'no CQE'): Promise<HarnessError> {
  const { driver } = bench;
  const sent = (await driver.pollCq(sendCq, messages)).at(-1)?.status ?? 'no CQE';
  const type = qpType.replace('IBV_QPT_', '');
  const cqes = `the send has ${sent}, the receive ${received}`;
  return new HarnessError(
    `no ${type} message of ${placeOf(driver)} to itself arrives within ${driver.limits.eventMs} ms: ${cqes}`,
    remedy,
  );
}

function placeOf({ dut: { hcaId, port } }: Driver): string {
  return `${hcaId}, port ${port.portNum}, GID index ${port.gidIndex}, P_Key index ${port.pkeyIndex ?? 0},`;
}
