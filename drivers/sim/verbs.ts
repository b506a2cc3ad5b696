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

/** The C functions over the model. */
export class Verbs {
  readonly #verbs: ModelVerbs;
  readonly #reading: Reading;

  constructor(protected readonly model: Model) {
    this.#verbs = verbsOf(model);
    this.#reading = {
      object: (kinds, handle) => model.handles.get(handle, kinds),
      mismatch: (found, place, expected) =>
        new HarnessError(`the call has ${found} for "${place}" instead of ${expected}`),
    };
  }

  /** Calls a C function, whose arguments are as they travel. */
  call(name: VerbName, args: TraceStruct): Success | Promise<Success> {
    const verb = this.#verbs[name] as (decoded: unknown) => Success | Promise<Success>;
    return verb(decodeArguments(descriptionOf(name, args), args, this.#reading));
  }
}

function verbsOf(model: Model): ModelVerbs {
  return {
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
}
