import type { Capability } from '../../contract';
import { programVersion, type Program } from '../../programs/program';
import type { SeeCell } from '../coverage/cell';
import { Chance } from './chance';
import { ack, arm, getEvent, poll } from './completions';
import { bringUp, makeChannel, makeCq, makePair, openDevice, setNonblocking } from './objects';
import { messageOf, postReceives, wrOf } from './work';
import { anySizes } from './sizes';
import { of, Walk, type Channel, type Cq, type Qp } from './walk';
import { makeRoomIn } from './moves/room';

/** One CQ on one channel, and a pair of QPs that use it. */
interface Scope {
  readonly cq: Cq;
  readonly channel: Channel;
  readonly client: Qp;
}

type Step = (w: Walk, scope: Scope) => Promise<unknown>;

async function send(w: Walk, { cq, client }: Scope, flags: readonly string[]): Promise<void> {
  if (!(await makeRoomIn(w, cq, 2))) return;
  await postReceives(w, client.peer, [16]);
  await w.call('ibv_post_send', {
    qp: of(client.name),
    wrs: [wrOf(w, client, messageOf(w, client, 'IBV_WR_SEND', { length: 0, flags }))],
  });
  await w.settle();
}

/** All that a program of the small scope may do. */
const steps: readonly Step[] = [
  (w, { cq }) => arm(w, cq, 0),
  (w, { cq }) => arm(w, cq, 1),
  (w, scope) => send(w, scope, []),
  (w, scope) => send(w, scope, ['IBV_SEND_SOLICITED']),
  (w, scope) => send(w, scope, ['IBV_SEND_SIGNALED']),
  (w, { cq }) => poll(w, cq, 1),
  (w, { cq }) => poll(w, cq, 4),
  (w, { channel }) => getEvent(w, channel),
  async (w, { cq }) => {
    if (cq.unacked > 0) await ack(w, cq, 1);
  },
  async (w, { cq }) => {
    if (w.has('resize-cq')) await w.call('ibv_resize_cq', { cq: of(cq.name), cqe: 6 });
  },
  (w, { cq }) => w.call('ibv_destroy_cq', { cq: of(cq.name) }),
];

/** How many steps a program of the small scope takes. */
const length = 5;

/** How many programs there are in the small scope. */
export const exhaustiveCount = steps.length ** length;

/** The program of that number among all of few steps on one CQ; each is there once. */
export async function exhaustive(
  index: number,
  capabilities: readonly Capability[],
  see?: SeeCell,
  sizes = anySizes,
): Promise<Program> {
  const caps = { cqe: 4, receives: 2, batch: 2 };
  const w = new Walk(new Chance(index), caps, new Set(capabilities), new Set(), see);
  w.keepWithin(sizes);
  await w.begin();
  await openDevice(w);
  const channel = await makeChannel(w);
  await setNonblocking(w, channel.name, true);
  const cq = await makeCq(w, { cqe: 4, channel, isEx: false });
  const [client, server] = await makePair(w, { type: 'IBV_QPT_RC', cqs: [cq, cq, cq, cq], srq: undefined });
  for (const qp of [client, server]) await bringUp(w, qp);
  for (let rest = index % exhaustiveCount, made = 0; made < length; made++, rest = Math.floor(rest / steps.length)) {
    await steps[rest % steps.length]?.(w, { cq, channel, client });
  }
  await poll(w, cq, 8);
  for (let gets = 0; gets < 4 && (await getEvent(w, channel)); gets++);
  return { version: programVersion, seed: `small-${index}`, ops: w.ops };
}
