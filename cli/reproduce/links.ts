import type { Link, Op } from './program';

const ways: Readonly<Record<string, Link['way']>> = { IBV_EVENT_PORT_ERR: 'down', IBV_EVENT_PORT_ACTIVE: 'up' };

/**
 * The operations with the moves of the port's link that the run's events tell of: each before the first operation of the step
 * that got the event.
 */
export function withLinks(ops: readonly Op[]): Op[] {
  const links = new Map<number, Link>();
  for (const [index, op] of ops.entries()) {
    const link = linkOf(op);
    if (link === undefined) continue;
    const first = ops.findIndex(({ step }, at) => step === op.step && !links.has(at));
    links.set(op.step === undefined || first < 0 ? index : Math.min(first, index), link);
  }
  return ops.map((op, index) => {
    const link = links.get(index);
    return link === undefined ? op : { ...op, link };
  });
}

/** What raised the event that an operation got, if that was a move of the link. */
export function linkOf({ call, answer }: Op): Link | undefined {
  const { eventType } = answer.outputs;
  const way = call.verb === 'ibv_get_async_event' && typeof eventType === 'string' ? ways[eventType] : undefined;
  const { context } = call.args;
  return way === undefined || typeof context !== 'string' ? undefined : { way, context };
}
