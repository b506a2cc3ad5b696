import type { VerbName } from '../../../verbs';
import { ackAsync, getEvent, takeAsync } from '../completions';
import type { Act } from '../aim';
import { setNonblocking } from '../objects';
import { destroyChannel } from '../moves/destroying';
import { callOp, of, type Channel, type Walk } from '../walk';
import { actOf, withGoal } from './act';

/** All that a program may do with its channels. */
export function channelActs(w: Walk): Act[] {
  return w.channels.flatMap((channel) => [
    ...sourceActs(w, channel.name),
    actOf(w, 'struct ibv_comp_channel', { channel: of(channel.name) }),
    actOf(w, 'ibv_destroy_comp_channel', { channel: of(channel.name) }, () => destroyChannel(w, channel.name)),
    ...gets(w, channel),
  ]);
}

function gets(w: Walk, channel: Channel): Act[] {
  if (!channel.isNonblocking && w.queued(channel) === 0) return [];
  return [actOf(w, 'ibv_get_cq_event', { channel: of(channel.name) }, () => getEvent(w, channel))];
}

/** Reads and changes the mode of a source of events, and looks whether there is one. */
function sourceActs(w: Walk, name: string): Act[] {
  const source = of(name);
  const modes = [true, false].map((isNonblocking) =>
    actOf(w, 'fcntl', { source, cmd: 'F_SETFL', flags: isNonblocking ? ['O_NONBLOCK'] : [] }, () =>
      setNonblocking(w, name, isNonblocking),
    ),
  );
  const polls = w.backend.isQuiet ? [0, 200].map((timeoutMs) => actOf(w, 'poll', { source, timeoutMs })) : [];
  return [...modes, ...polls, actOf(w, 'fcntl', { source, cmd: 'F_GETFL' })];
}

const queries: readonly VerbName[] = ['ibv_query_device', 'ibv_query_device_ex', 'ibv_query_port'];

/** All that a program may do with its context. */
export function contextActs(w: Walk): Act[] {
  const context = of(w.context);
  const asked = queries.map((verb) =>
    actOf(w, verb, { context, ...(verb === 'ibv_query_port' && { portNum: { of: 'dut', member: 'portNum' } }) }),
  );
  const got = canGet(w) ? [actOf(w, 'ibv_get_async_event', { context }, () => takeAsync(w))] : [];
  const acked = w.events
    .slice(0, 1)
    .map(({ name }) => actOf(w, 'ibv_ack_async_event', { event: of(name) }, () => ackAsync(w)));
  return [...sourceActs(w, w.context), ...asked, ...got, ...acked];
}

/** Events by their types: the next one is got, and the last one acknowledged. */
export function eventTypeActs(w: Walk): Act[] {
  const next = canGet(w) ? w.backend.nextAsyncEvent(w.handle(w.context)) : undefined;
  const get = actOf(w, 'ibv_get_async_event', { context: of(w.context) }, () => takeAsync(w));
  const owed = new Set([...w.events.slice(0, 1), ...w.events.slice(-1)]);
  return [
    ...(next === undefined ? [] : [withGoal(get, next)]),
    ...w.events
      .slice(1)
      .slice(-1)
      .map(({ name }) => ackOf(w, name)),
    ...[...owed].flatMap(({ name }) => acksOtherwise(w, name)),
  ];
}

/** A get does not wait, or for what is there on every device. */
const canGet = (w: Walk): boolean => w.isContextNonblocking || w.asyncQueued > 0;

function ackOf(w: Walk, name: string): Act {
  return actOf(w, 'ibv_ack_async_event', { event: of(name) }, async () => {
    w.events.pop();
    await w.call('ibv_ack_async_event', { event: of(name) });
  });
}

/** Acknowledges all events after the context has changed its mode. */
function acksOtherwise(w: Walk, name: string): Act[] {
  const now = w.situationOf(callOp('ibv_ack_async_event', { event: of(name) }));
  if (now === undefined) return [];
  const isNonblocking = !w.isContextNonblocking;
  const state = now.state.replace(/[^ ]+$/, isNonblocking ? 'non-blocking' : 'blocking');
  return [
    {
      situation: { ...now, operation: `${now.operation}, in the other mode` },
      goals: [{ ...now, state, outcome: 'done' }],
      make: async () => {
        await setNonblocking(w, w.context, isNonblocking);
        await ackAsync(w);
      },
    },
  ];
}
