import { descriptionOf, isVerbName } from '..';
import { isList, isStruct, type Data } from '../../contract/data';
import type { TraceStruct } from '../../contract/trace';
import type { Members, Type } from '../idl';
import type { Handle } from '../kinds';
import type { DataMembers } from './c-text';
import type { StoredCall } from './call-text';

/** The objects that a call has to do with. */
export interface CallObjects {
  /** The one that it made. */
  readonly made?: Handle;
  /** Those that it was given, in the order of its arguments, then those that it named in its answer. */
  readonly touched: readonly Handle[];
}

/** The objects of a recorded call, as its description says which of its values are some; none where nothing describes it. */
export function objectsOfCall({ verb, args, returned, outputs }: StoredCall): CallObjects {
  if (!isVerbName(verb)) return { touched: [] };
  const { in: parameters, out = {}, records = {}, makes } = descriptionOf(verb, args as TraceStruct);
  const taken: Members = Object.assign({}, ...parameters) as Members;
  const filled = makes === undefined ? undefined : outputs[makes];
  const made = [filled, makes === undefined ? undefined : returned].find((value) => typeof value === 'string');
  const touched = [...objectsIn(taken, args), ...objectsIn({ ...out, ...records }, outputs)];
  return { ...(typeof made === 'string' && { made }), touched: [...new Set(touched)].filter((one) => one !== made) };
}

function objectsIn(members: Members, values: DataMembers): Handle[] {
  return Object.entries(members).flatMap(([name, type]) => objectsOf(type, values[name]));
}

function objectsOf(type: Type, value: Data | undefined): Handle[] {
  if (value === null || value === undefined) return [];
  if (type.is === 'nullable') return objectsOf(type.of, value);
  if (type.is === 'object' || type.is === 'either') return typeof value === 'string' ? [value] : [];
  if (type.is === 'list') return isList(value) ? value.flatMap((item) => objectsOf(type.item, item)) : [];
  return type.is === 'struct' && isStruct(value) ? objectsIn({ ...type.members, ...type.optional }, value) : [];
}
