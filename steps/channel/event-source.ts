import { HarnessError, type CompChannel, type Context } from '../../drivers/contract';
import type { VerbsWorld } from '../world/world';

/** Where events are read from: a completion channel, or the asynchronous events of the device context. */
export type EventSource = (world: VerbsWorld) => CompChannel | Promise<Context>;

export const eventSourcePattern = /completion channel "[^"]*"|the asynchronous event queue/;

/** The source that a feature names. */
export function eventSourceOf(text: string): EventSource {
  if (text === 'the asynchronous event queue') return (world) => world.context();
  const [, name] = /^completion channel "([^"]*)"$/.exec(text) ?? [];
  if (name === undefined) throw new HarnessError(`"${text}" is not a source of events`);
  return (world) => world.channels.get(name);
}
