import { dutName } from '../../../programs/bindings';
import { flatOps, isCall } from '../../../programs/program';
import { drainAsync, takeAsync } from '../completions';
import { hasLinkOfOthers } from '../avoided';
import { Paths } from '../paths';
import { member, of, type Walk } from '../walk';
import { move, withOne, type Moves } from './move';

type Way = 'down' | 'up';

/** What a device still does with messages while its link is down, and with paths that go with it, no page says. */
export function mayMoveLink(w: Walk): boolean {
  if (!w.has('port-control') || hasLinkOfOthers(w.avoided)) return false;
  const paths = new Paths();
  for (const op of flatOps(w.ops)) if (isCall(op)) paths.see(op);
  return paths.canBeCut;
}

async function queryPort(w: Walk): Promise<void> {
  await w.call('ibv_query_port', { context: of(w.context), portNum: member('dut', 'portNum') });
}

/** Looks at what the link has come to, or leaves its event for later. */
async function lookAtLink(w: Walk): Promise<void> {
  const { chance } = w;
  if (chance.happens(0.6)) await queryPort(w);
  if (chance.happens(0.3)) await w.call('poll', { source: of(w.context), timeoutMs: chance.one(0, 200) });
  if (w.asyncQueued > 0 && chance.happens(0.4)) await takeAsync(w);
  else if (chance.happens(0.4)) await drainAsync(w, chance.happens(0.6));
  await withOne(w, w.channels, async ({ name }) => {
    if (chance.happens(0.15)) await w.call('poll', { source: of(name), timeoutMs: 0 });
  });
  if (chance.happens(0.4)) w.goTo(chance.pick(w.homes) ?? w.home);
}

async function moveLink(w: Walk, way: Way): Promise<void> {
  await w.movePort(way);
  await lookAtLink(w);
  // Between two moves there is always a call.
  if (!('call' in (w.ops.at(-1) ?? {}))) await queryPort(w);
}

/** Takes the link down, where all that follows has no connection, and up again before any is made. */
export async function moveLinkThereAndBack(w: Walk): Promise<void> {
  const other = w.chance.happens(0.3) ? await openBeside(w) : undefined;
  for (let times = w.chance.one(1, 1, 2, 3); times > 0; times--) {
    await moveLink(w, 'down');
    await moveLink(w, 'up');
  }
  if (other !== undefined) await closeBeside(w, other);
}

/** Each context hears of a link, whatever it is opened for. */
async function openBeside(w: Walk): Promise<string> {
  const context = w.name('ctx');
  await w.call('ibv_open_device', { device: member(dutName, 'name') }, context);
  await w.call('fcntl', { source: of(context), cmd: 'F_SETFL', flags: ['O_NONBLOCK'] });
  return context;
}

async function closeBeside(w: Walk, context: string): Promise<void> {
  for (let gets = w.chance.one(7, 2, 1); gets > 0; gets--) {
    const event = w.name('async');
    const record = await w.call('ibv_get_async_event', { context: of(context) }, event);
    if (record?.returned !== 0) break;
    await w.call('ibv_ack_async_event', { event: of(event) });
  }
  await w.call('ibv_close_device', { context: of(context) });
}

export const linking: Moves = {
  'move-the-link': move(3, moveLinkThereAndBack, mayMoveLink),
};
