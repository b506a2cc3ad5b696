import { ack, takeAsync } from '../completions';
import { destroyChannel } from '../moves/destroying';
import { standBy } from '../moves/bystanding';
import { soundCqs, withOne } from '../moves/move';
import { changeInVain } from '../moves/refusing';
import { refusedCqs, resizeTooLarge } from '../moves/sizes';
import { question, questionAbout } from '../questions';
import { of, type Cq, type Walk } from '../walk';

type Interlude = (w: Walk) => Promise<unknown>;

const busyCqs = (w: Walk): Cq[] => soundCqs(w).filter(({ users }) => users.size > 0);

/** Calls that are refused, or ask for something: what there is stays as it is, whatever that is. */
export const interludes: readonly Interlude[] = [
  (w) => withOne(w, w.has('resize-cq') ? soundCqs(w) : [], (cq) => resizeTooLarge(w, cq)),
  (w) => withOne(w, busyCqs(w), ({ name }) => w.call('ibv_destroy_cq', { cq: of(name) })),
  (w) =>
    withOne(
      w,
      w.srqs.filter(({ users }) => users.size > 0),
      ({ name }) => w.call('ibv_destroy_srq', { srq: of(name) }),
    ),
  (w) =>
    withOne(
      w,
      busyCqs(w).flatMap(({ channel }) => channel ?? []),
      ({ name }) => destroyChannel(w, name),
    ),
  (w) => withOne(w, w.qps, (qp) => changeInVain(w, qp)),
  (w) => withOne(w, w.qps, (qp) => w.perform(questionAbout(w.chance, qp.name))),
  (w) =>
    withOne(
      w,
      w.channels.filter((channel) => channel.isNonblocking && w.queued(channel) === 0),
      ({ name }) => w.call('ibv_get_cq_event', { channel: of(name) }),
    ),
  async (w) => {
    if (w.isContextNonblocking && w.asyncQueued === 0) await takeAsync(w);
  },
  (w) => withOne(w, soundCqs(w), (cq) => ack(w, cq, 0)),
  refusedCqs,
  standBy,
  async (w) => {
    const asked = question(w);
    if (asked !== undefined) await w.perform(asked);
  },
];

/** Whether a move is not about to end objects that the program still counts among its own. */
const isWhole = (w: Walk): boolean =>
  [...w.cqs, ...w.qps, ...w.channels, ...w.srqs].every(({ name }) => w.backend.isLiving(w.handle(name)));

/** One of them, where nothing is under way that could change what it comes to. */
export async function interlude(w: Walk): Promise<void> {
  if (w.backend.isQuiet && isWhole(w)) await w.chance.pick(interludes)?.(w);
}
