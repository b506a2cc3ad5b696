import { writeFileSync } from 'node:fs';
import { readTextFile } from '../../drivers/support/files';
import { printableJson } from '../../catalog/plain-text';
import type { Proof } from './proof';
import schema from './proof.schema.json';
import { schemaAssertion, type SchemaAssertion } from '../../catalog/schema';

const assertProof: SchemaAssertion<Proof> = schemaAssertion<Proof>(schema);

/** Bytes that a proof may have; that of all features has a million. */
const proofBytesMax = 64 * 1024 * 1024;

/** Reads a proof.json. */
export function readProof(path: string): Proof {
  const data: unknown = JSON.parse(readTextFile(path, proofBytesMax));
  assertProof(data, path);
  return data;
}

/** Writes proof.json, after a check against its schema. */
export function writeProof(path: string, proof: Proof): void {
  assertProof(proof, path);
  writeFileSync(path, `${printableJson(proof, 2)}\n`);
}
