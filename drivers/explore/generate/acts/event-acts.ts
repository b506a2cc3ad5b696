import type { VerbName } from '../../../verbs';
import { ackAsync, getEvent, takeAsync } from '../completions';
import type { Act } from '../aim';
import { setNonblocking } from '../objects';
import { destroyChannel } from '../moves/destroying';
import { of, type Channel, type Walk } from '../walk';
import { actOf } from './act';

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
  const canGet = w.isContextNonblocking || w.asyncQueued > 0;
  const got = canGet ? [actOf(w, 'ibv_get_async_event', { context }, () => takeAsync(w))] : [];
  const acked = w.events
    .slice(0, 1)
    .map(({ name }) => actOf(w, 'ibv_ack_async_event', { event: of(name) }, () => ackAsync(w)));
  return [...sourceActs(w, w.context), ...asked, ...got, ...acked];
}
