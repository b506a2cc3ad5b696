import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv';
import { HarnessError } from '../drivers/contract';

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });

/** Demands that data keeps a JSON Schema; what it is called appears in the error. */
export type SchemaAssertion<T> = (data: unknown, name: string) => asserts data is T;

/** Where data departs from its schema, and how. */
export interface Departure {
  /** JSON pointer, empty for the whole. */
  readonly path: string;
  readonly text: string;
}

/** A function that lists what departs from a JSON Schema (draft-07), which is compiled when there is something to check. */
export function schemaCheck(schema: object): (data: unknown) => Departure[] {
  let compiled: ValidateFunction | undefined;
  return (data) => {
    const validate = (compiled ??= ajv.compile(schema));
    const errors = validate(data) ? [] : (validate.errors ?? []);
    return errors.filter(({ keyword }) => keyword !== 'if').map(departureOf); // `then` and `else` say what is wrong
  };
}

/**
 * Compiles a JSON Schema (draft-07) into an assertion.
 *
 * @returns a function that throws {@link HarnessError} with the first few departures from the schema
 */
export function schemaAssertion<T>(schema: object): SchemaAssertion<T> {
  const departuresOf = schemaCheck(schema);
  return (data, name) => {
    const departures = departuresOf(data);
    if (departures.length > 0) throw new HarnessError(`${name} departs from its schema: ${describe(departures)}`);
  };
}

const departuresShownMax = 5;

function departureOf({ instancePath, keyword, message, params }: ErrorObject): Departure {
  const name = 'additionalProperty' in params ? ` "${String(params.additionalProperty)}"` : '';
  const values = 'allowedValues' in params ? `: ${(params.allowedValues as readonly unknown[]).join(', ')}` : '';
  return { path: instancePath, text: `${message ?? keyword}${name}${values}` };
}

function describe(departures: readonly Departure[]): string {
  const shown = departures.slice(0, departuresShownMax).map(({ path, text }) => `${path === '' ? '/' : path} ${text}`);
  const more = departures.length - shown.length;
  return more > 0 ? `${shown.join('; ')}; and ${more} more` : shown.join('; ');
}
