import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { TraceStruct } from '../../../../contract';
import { runProgram } from '../../../../programs/run-program';
import { SimBackend } from '../../../../sim/backend';
import { soundParts, type Parts } from '../../../../sim/device/device';
import { isFound, programOf } from '../../../fixtures/alone';
import { brokenRelation } from '../../../oracle/relations/device-relations';
import { askInContexts } from './device-questions';

/** What is broken first by one of so many programs, if anything is. */
async function brokenBy(parts: () => Partial<Parts>, programs = 10): Promise<string | undefined> {
  for (let seed = 1; seed <= programs; seed++) {
    const device = new SimBackend({ ...soundParts, ...parts() });
    const { records } = await runProgram(device, await programOf(askInContexts, seed));
    const broken = brokenRelation(records);
    if (broken !== undefined) return broken.what;
  }
  return undefined;
}

it('a device that says the same each time breaks nothing', async () => {
  assert.equal(await brokenBy(() => ({})), undefined);
});

it('one that says otherwise the next time is found', async () => {
  const changes = (): Partial<Parts> => ({
    Device: class extends soundParts.Device {
      #asked = 0;

      override get attr(): TraceStruct {
        this.#asked += 1;
        return { ...super.attr, maxQp: this.#asked };
      }
    },
  });
  assert.equal(await brokenBy(changes), 'maxQp');
});

/** A device whose port has a larger MTU than it can have. */
const exceeds = (): Partial<Parts> => ({
  Device: class extends soundParts.Device {
    override get portAttr(): TraceStruct {
      return { ...super.portAttr, maxMtu: 'IBV_MTU_512' };
    }
  },
});

it('one whose port has a larger MTU than it can have is found', async () => {
  assert.equal(await brokenBy(exceeds), 'activeMtu');
});

it('it is accused by the program, as by any other that is broken', async () => {
  assert.ok(await isFound(exceeds, askInContexts, 10));
});
