import { TimeConversion, type Envelope } from '@cucumber/messages';

/**
 * Gives each message the time at which it comes, on a clock that nobody sets: a run that lasts a second while the
 * system's clock is set forward an hour has lasted a second.
 */
export function steadily(onMessage: (envelope: Envelope) => void): (envelope: Envelope) => void {
  return (envelope) => {
    onMessage(withTime(envelope, performance.timeOrigin + performance.now()));
  };
}

/** A message has one kind of content, which has its time or none. */
function withTime<Message extends object>(message: Message, epochMs: number): Message {
  const timestamp = TimeConversion.millisecondsSinceEpochToTimestamp(epochMs);
  const contents = Object.entries(message) as [string, object][];
  return Object.fromEntries(
    contents.map(([kind, content]) => [kind, 'timestamp' in content ? { ...content, timestamp } : content]),
  ) as Message;
}
