import type { VerbName } from '../pipeline/conventions';
import { cqExVerbs, cqVerbs } from './verbs/cq';
import { deviceVerbs } from './verbs/device';
import { asyncEventVerbs, compEventVerbs, systemCalls } from './verbs/events';
import { memoryVerbs } from './verbs/memory';
import { qpVerbs, srqVerbs } from './verbs/qp';
import { textVerbs } from './verbs/texts';
import type { Model, Verb } from './verbs/verb';

/** The C functions over the model. */
export function verbsOf(model: Model): Record<VerbName, Verb> {
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
