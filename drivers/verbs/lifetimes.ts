import { descriptions, methods, type VerbMethods } from '.';
import type { Type } from './idl';
import { kinds, type Kind, type KindDescription, type Objects } from './kinds';
import type { Description } from './verb';

const allKinds = Object.keys(kinds) as Kind[];

/** The kinds of objects in a type, at any depth. */
export function kindsIn(type: Type): readonly Kind[] {
  switch (type.is) {
    case 'object':
      return type.kinds as readonly Kind[];
    case 'nullable':
      return kindsIn(type.of);
    case 'list':
      return kindsIn(type.item);
    case 'struct':
      return [...Object.values(type.members), ...Object.values(type.optional)].flatMap(kindsIn);
    default:
      return [];
  }
}

/** The kinds of objects among the arguments of a verb. */
export function kindsTaken({ in: parameters }: Description): readonly Kind[] {
  return parameters.flatMap((parameter) => Object.values(parameter)).flatMap(kindsIn);
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

/** Ends an object by the verb that ends its kind. */
export function end<K extends Kind>(verbs: VerbMethods, kind: K, object: Objects[K]): Promise<void> {
  const method = methods.find(([, { ends }]) => ends === kind)?.[0];
  if (method === undefined) throw new Error(`no verb ends a ${kind}`);
  return (verbs[method] as unknown as (object: Objects[K]) => Promise<void>).call(verbs, object);
}
