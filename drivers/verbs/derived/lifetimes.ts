import { descriptions, methods, type VerbMethods } from '..';
import { allWithin } from '../idl';
import { kinds, type Kind, type KindDescription, type Objects } from '../kinds';
import type { Description } from '../verb';

const allKinds = Object.keys(kinds) as Kind[];

/** The kinds of objects among the arguments of a verb. */
export function kindsTaken({ in: parameters }: Description): readonly Kind[] {
  const types = parameters.flatMap((parameter) => Object.values(parameter)).flatMap(allWithin);
  return types.flatMap((type) => (type.is === 'object' ? (type.kinds as readonly Kind[]) : []));
}

/** What an object of a kind is made of, or holds. */
function usedBy(kind: Kind): readonly Kind[] {
  const makers = descriptions.filter(({ makes }) => makes === kind);
  const { holds = [] }: KindDescription = kinds[kind];
  return [...makers.flatMap(kindsTaken), ...(holds as readonly Kind[])];
}

function heightOf(kind: Kind): number {
  return Math.max(0, ...usedBy(kind).map((used) => heightOf(used) + 1));
}

/** Kinds in the order in which objects can end: users before what they use. */
export const endingOrder: readonly Kind[] = allKinds
  .map((kind) => ({ kind, height: heightOf(kind) }))
  .sort((one, other) => other.height - one.height)
  .map(({ kind }) => kind);

const enders = new Map(methods.map((entry) => [entry[1].ends, entry]));

/** The description of the verb that ends objects of a kind, whose one argument is the object. */
export const enderOf = (kind: Kind): Description => enderEntry(kind)[1];

function enderEntry(kind: Kind): (typeof methods)[number] {
  const entry = enders.get(kind);
  if (entry === undefined) throw new Error(`no verb ends a ${kinds[kind].words}`);
  return entry;
}

/** Ends an object by the verb that ends its kind. */
export function end<K extends Kind>(verbs: VerbMethods, kind: K, object: Objects[K]): Promise<void> {
  const [method] = enderEntry(kind);
  return (verbs[method] as unknown as (object: Objects[K]) => Promise<void>).call(verbs, object);
}
