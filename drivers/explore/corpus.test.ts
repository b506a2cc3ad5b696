import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { programOf } from '../programs/check-program';
import { SimBackend } from '../sim/backend';
import { partsFor } from '../sim/faults';
import { Explorer } from './explorer';
import { makesSense } from './sound';

const folder = join(__dirname, 'corpus');

/** Programs that have found a fault, by the name of the fault. */
const found = readdirSync(folder).map((name) => ({
  fault: name.replace(/\.json$/, ''),
  program: programOf(readFileSync(join(folder, name), 'utf8')),
}));

describe('a program of the corpus', () => {
  for (const { fault, program } of found) {
    it(`finds ${fault}, and nothing on a sound simulator`, async () => {
      assert.ok(await makesSense(program));
      const outcome = await new Explorer(new SimBackend(partsFor(fault))).examine(program);
      assert.equal(outcome.kind, 'finding');
    });
  }
});
