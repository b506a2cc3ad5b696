import { join } from 'node:path';
import { readJson } from '../../catalog/page-data';
import { schemaAssertion, type SchemaAssertion } from '../../catalog/schema';
import type { Reliances } from '../../reports/proof/reliances';
import type { ThenRecords } from '../../reports/proof/then-steps';
import { root } from '../common/project';
import { renderJson } from '../common/render-json';
import { writeTo } from '../out/write-file';
import { assertPackedReliances, packed, unpacked } from './accept/packed-reliances';

/** What a proof is compared with, beside what the clauses have. */
export interface Records {
  readonly reliances: Reliances;
  readonly thenSteps: ThenRecords;
}

const folder = join(root, 'reports', 'proof');
const thenStep = {
  type: 'object',
  required: ['scenario', 'step'],
  additionalProperties: false,
  properties: {
    scenario: { type: 'string', minLength: 1 },
    step: { type: 'string', minLength: 1 },
    nth: { type: 'integer', minimum: 2 },
    fault: { type: 'string', minLength: 1 },
    reason: { type: 'string', minLength: 1 },
  },
  oneOf: [{ required: ['fault'] }, { required: ['reason'] }],
};

const assertThenSteps: SchemaAssertion<ThenRecords> = schemaAssertion<ThenRecords>({
  type: 'object',
  additionalProperties: { type: 'array', items: thenStep },
});

/** Reads what was recorded. */
export function readRecords(): Records {
  const reliances: unknown = readJson(pathOf('reliances'));
  const thenSteps: unknown = readJson(pathOf('then-steps'));
  assertPackedReliances(reliances, pathOf('reliances'));
  assertThenSteps(thenSteps, pathOf('then-steps'));
  return { reliances: unpacked(reliances), thenSteps };
}

/** Records what is from now on to be so. */
export function writeRecords({ reliances, thenSteps }: Records): void {
  writeTo(pathOf('reliances'), renderJson(packed(reliances)));
  writeTo(pathOf('then-steps'), renderJson(thenSteps));
}

function pathOf(name: string): string {
  return join(folder, `recorded-${name}.json`);
}
