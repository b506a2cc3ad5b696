import { HarnessError } from '../../drivers/contract';
import type { Node } from './node';
import type { VerbsWorld } from './world';

/** The device context that a scenario begins with, or one that it opens beside it. */
export type Place = (world: VerbsWorld) => Node;

export const placePattern = /the first device context|device context "[^"]*"/;

/** The device context that a feature names. */
export function placeOf(text: string): Place {
  if (text === 'the first device context') return (world) => world.nodes.home;
  const [, name] = /^device context "([^"]*)"$/.exec(text) ?? [];
  if (name === undefined) throw new HarnessError(`"${text}" is not a device context`);
  return (world) => world.contextNamed(name);
}
