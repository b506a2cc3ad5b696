import Ajv, { type ErrorObject } from 'ajv';
import { HarnessError } from '../drivers/contract';

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });

/** Demands that data keeps a JSON Schema; what it is called appears in the error. */
export type SchemaAssertion<T> = (data: unknown, name: string) => asserts data is T;

/**
 * Compiles a JSON Schema (draft-07) into an assertion.
 *
 * @returns a function that throws {@link HarnessError} with the first few departures from the schema
 */
export function schemaAssertion<T>(schema: object): SchemaAssertion<T> {
  const validate = ajv.compile<T>(schema);
  return (data, name) => {
    if (validate(data)) return;
    throw new HarnessError(`${name} departs from its schema: ${describe(validate.errors ?? [])}`);
  };
}

const departuresShownMax = 5;

function describe(errors: readonly ErrorObject[]): string {
  const shown = errors.slice(0, departuresShownMax).map((error) => {
    const params = 'additionalProperty' in error.params ? ` "${String(error.params.additionalProperty)}"` : '';
    return `${error.instancePath === '' ? '/' : error.instancePath} ${error.message ?? error.keyword}${params}`;
  });
  const more = errors.length - shown.length;
  return more > 0 ? `${shown.join('; ')}; and ${more} more` : shown.join('; ');
}
