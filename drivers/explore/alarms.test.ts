import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { programOf } from '../programs/check-program';
import { soundParts, type Parts } from '../sim/device/device';
import { partsOf, variants } from '../sim/lawful';
import { backendOf } from '../sim/tried-dut';
import { Explorer } from './explorer';
import { makesSense } from './sound';

const folder = join(__dirname, 'alarms');

/** The device of a folder: the sound simulator, or the lawful variant of that name. */
function partsFor(device: string): Parts {
  return device === 'sound' ? soundParts : partsOf([variants[device] ?? assert.fail(device)]);
}

describe('a program that once accused a lawful device', () => {
  for (const device of readdirSync(folder)) {
    for (const name of readdirSync(join(folder, device))) {
      it(`does not any more: ${device}/${name}`, async () => {
        const program = programOf(readFileSync(join(folder, device, name), 'utf8'));
        assert.ok(await makesSense(program));
        const outcome = await new Explorer(backendOf(partsFor(device))).examine(program);
        assert.equal(outcome.kind, 'sound');
      });
    }
  }
});
