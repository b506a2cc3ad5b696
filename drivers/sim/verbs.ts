import { HarnessError, type TraceStruct } from '../contract';
import { descriptionOf, type VerbName } from '../verbs';
import { decodeArguments, type Reading } from '../verbs/derived/codec';
import type { Success } from './return-values';
import { cqExVerbs, cqVerbs } from './verbs/cq';
import { deviceVerbs } from './verbs/device';
import { asyncEventVerbs, compEventVerbs, systemCalls } from './verbs/events';
import { memoryVerbs } from './verbs/memory';
import { qpVerbs, srqVerbs } from './verbs/qp';
import { textVerbs } from './verbs/texts';
import type { Model, ModelVerbs } from './verbs/verb';

/** Calls a C function, whose arguments are as they travel. */
export type CallVerb = (name: VerbName, args: TraceStruct) => Success | Promise<Success>;

/** The C functions over the model. */
export function verbsOf(model: Model): CallVerb {
  const verbs: ModelVerbs = {
    ...deviceVerbs(model),
    ...memoryVerbs(model),
    ...cqVerbs(model),
    ...cqExVerbs(model),
    ...compEventVerbs(model),
    ...asyncEventVerbs(model),
    ...systemCalls(model),
    ...qpVerbs(model),
    ...srqVerbs(model),
    ...textVerbs(model),
  };
  const reading: Reading = {
    object: (kinds, handle) => model.handles.get(handle, kinds),
    mismatch: (found, place, expected) =>
      new HarnessError(`the call has ${found} for "${place}" instead of ${expected}`),
  };
  return (name, args) => {
    const call = verbs[name] as (decoded: unknown) => Success | Promise<Success>;
    return call(decodeArguments(descriptionOf(name, args), args, reading));
  };
}
