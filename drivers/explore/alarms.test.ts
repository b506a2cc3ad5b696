import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { programOf } from '../programs/check-program';
import { SimBackend } from '../sim/backend';
import { soundParts } from '../sim/device/device';
import { Explorer } from './explorer';
import { makesSense } from './sound';

const folder = join(__dirname, 'alarms');

describe('a program that once accused a sound simulator', () => {
  for (const name of readdirSync(folder)) {
    it(`does not any more: ${name}`, async () => {
      const program = programOf(readFileSync(join(folder, name), 'utf8'));
      assert.ok(await makesSense(program));
      const outcome = await new Explorer(new SimBackend(soundParts)).examine(program);
      assert.equal(outcome.kind, 'sound');
    });
  }
});
