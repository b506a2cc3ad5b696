import type { Clock } from '../clock';
import type { Device } from '../device/device';
import type { Texts } from '../enum/texts';
import type { Handles } from '../handles';
import type { ArgumentsOf, VerbName } from '../../verbs';
import type { Handle, TraceStruct } from '../../contract';
import type { Success } from '../return-values';
import type { ModelObjects } from './objects';

/** A C function over the model. */
export type ModelVerb<Name extends VerbName> = (args: ArgumentsOf<Name, ModelObjects>) => Success | Promise<Success>;

/** C functions over the model, by their names. */
export type ModelVerbs = { readonly [Name in VerbName]: ModelVerb<Name> };

/** The model of one scenario, and how its verbs wait. */
export interface Model {
  readonly device: Device;
  readonly handles: Handles;
  readonly texts: Texts;
  /** Resolves when `attempt` gives a value, which may need the calls of others. */
  wait<T>(attempt: () => T | undefined): Promise<T>;
  /** Lets time pass, then lets those go on who have waited for what happened. */
  pass(run: (clock: Clock) => void): void;
}

export function done(outputs: TraceStruct = {}, returned: number | Handle | null = 0): Success {
  return { returned, outputs };
}

export function created(handle: Handle, outputs: TraceStruct = {}): Success {
  return done(outputs, handle);
}

/** Waits until an object's events are acknowledged, then ends its handle. */
export async function destroyed(model: Model, object: { readonly destroyable: boolean }): Promise<Success> {
  await model.wait(() => object.destroyable || undefined);
  model.handles.end(object);
  return done();
}
