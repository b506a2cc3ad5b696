import { writeFileSync } from 'node:fs';
import { readTextFile } from '../drivers/files';
import type { Proof } from './proof';
import schema from './proof.schema.json';
import { schemaAssertion, type SchemaAssertion } from './schema';

const assertProof: SchemaAssertion<Proof> = schemaAssertion<Proof>(schema);

/** Reads a proof.json. */
export function readProof(path: string): Proof {
  const data: unknown = JSON.parse(readTextFile(path));
  assertProof(data, path);
  return data;
}

/** Writes proof.json, after a check against its schema. */
export function writeProof(path: string, proof: Proof): void {
  assertProof(proof, path);
  writeFileSync(path, `${JSON.stringify(proof, undefined, 2)}\n`);
}
