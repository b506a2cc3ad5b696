import { ahVerbs } from './ah';
import { asyncVerbs } from './async';
import type { TraceStruct } from '../contract/trace';
import { channelVerbs } from './channel';
import { matchesConstants } from './derived/codec';
import { cqVerbs } from './cq';
import { cqExVerbs } from './cq-ex';
import { deviceVerbs } from './device';
import { enumVerbs } from './enum';
import type { Objects } from './kinds';
import { mrVerbs } from './mr';
import { mwVerbs } from './mw';
import { pdVerbs } from './pd';
import { qpVerbs } from './qp';
import { srqVerbs } from './srq';
import { systemCalls } from './system';
import type { Description, Method, NamedArguments, NamedOutputs } from './verb';
import { workRequestVerbs } from './work-request';

/** All verbs by the names of their methods. */
export const verbs = {
  ...deviceVerbs,
  ...pdVerbs,
  ...ahVerbs,
  ...mrVerbs,
  ...mwVerbs,
  ...channelVerbs,
  ...cqVerbs,
  ...cqExVerbs,
  ...asyncVerbs,
  ...srqVerbs,
  ...qpVerbs,
  ...workRequestVerbs,
  ...enumVerbs,
  ...systemCalls,
};

type Verbs = typeof verbs;
type MethodName = {
  [Name in keyof Verbs]: Verbs[Name] extends { readonly internal: true } ? never : Name;
}[keyof Verbs];

/** The verbs that steps call, one method each. */
export type VerbMethods = { -readonly [Name in MethodName]: Method<Verbs[Name], Objects> };

/** A C function as call records name it. */
export type VerbName = Verbs[MethodName]['c'];

/** The arguments of a C function by their names, where an object of each kind is one of `Own`. */
export type ArgumentsOf<Name extends VerbName, Own> = NamedArguments<
  Extract<Verbs[MethodName], { readonly c: Name }>,
  Own
>;

/** What a C function fills in by its names, where an object of each kind is one of `Own`. */
export type OutputsOf<Name extends VerbName, Own> = NamedOutputs<Extract<Verbs[MethodName], { readonly c: Name }>, Own>;

/** The descriptions of all verbs, also of those that only a host process calls. */
export const descriptions: readonly Description[] = Object.values(verbs);

/** The methods of the contract, each with its description. */
export const methods: readonly (readonly [MethodName, Description])[] = Object.entries(verbs)
  .filter(([, description]) => !('internal' in description))
  .map(([name, description]) => [name as MethodName, description]);

const byName = new Map<string, Description[]>();
for (const [, description] of methods) byName.set(description.c, [...(byName.get(description.c) ?? []), description]);

/** Whether a text is the name of a C function of the contract. */
export const isVerbName = (name: string): name is VerbName => byName.has(name);

/** The description of a C function. Where constants among the arguments distinguish several, those of this call decide. */
export function descriptionOf(name: VerbName, args: TraceStruct = {}): Description {
  const all = byName.get(name) ?? [];
  const description = all.find((candidate) => matchesConstants(candidate, args)) ?? all[0];
  if (description === undefined) throw new Error(`${name} is not described`);
  return description;
}
