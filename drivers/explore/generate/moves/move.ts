import type { Channel, Cq, Qp, Walk } from '../walk';

/** Something that a program may do next: a few calls that belong together. */
export interface Move {
  /** How often it is made, beside others. */
  readonly weight: number;
  /** Whether it can be made now. */
  readonly isEnabled: (w: Walk) => boolean;
  readonly make: (w: Walk) => Promise<unknown>;
}

export type Moves = Readonly<Record<string, Move>>;

export const move = (weight: number, make: Move['make'], isEnabled: Move['isEnabled'] = () => true): Move => ({
  weight,
  isEnabled,
  make,
});

/** The senders that can send to their peers now. */
export function senders({ qps }: Walk): Qp[] {
  return qps.filter(({ state, peer }) => state === 'RTS' && (peer.state === 'RTS' || peer.state === 'RTR'));
}

export const hasSender = (w: Walk): boolean => senders(w).length > 0;

/** CQs of which is known what they do next. */
export function soundCqs(w: Walk): Cq[] {
  return w.cqs.filter((cq) => !w.isOverrun(cq));
}

export const hasCq = (w: Walk): boolean => soundCqs(w).length > 0;
export const hasChannel = ({ channels }: Walk): boolean => channels.length > 0;

/** Does something with one of several, if there is one. */
export async function withOne<T>(w: Walk, items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  const item = w.chance.pick(items);
  if (item !== undefined) await act(item);
}

/** Whether there is room for a reliable pair, and for CQs of its own. */
export const hasRoom = (w: Walk): boolean => w.has('connection') && w.qps.length < 6 && w.cqs.length < 6;

export const channelsWithEvents = (w: Walk): Channel[] => w.channels.filter((channel) => w.queued(channel) > 0);
