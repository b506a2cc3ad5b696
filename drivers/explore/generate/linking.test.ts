import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isPort, type Program } from '../../programs/program';
import { SimBackend } from '../../sim/backend';
import { soundParts, type Parts } from '../../sim/device/device';
import { simulatedDut } from '../../sim/device/dut';
import { partsFor } from '../../sim/faults';
import { partsOf, variants } from '../../sim/lawful';
import { Explorer } from '../explorer';
import { makesSense } from '../sound';
import { linkOfOthers } from './avoided';
import { goesAround } from './detours';
import { generate, type Wanted } from './generate';

const count = 80;
const { capabilities } = simulatedDut;

/** Those of the first programs that move the link. */
async function moving(wanted: Partial<Wanted> = {}): Promise<readonly Program[]> {
  const programs: Program[] = [];
  for (let index = 0; index < count; index++)
    programs.push(await generate({ seed: 5, capabilities, ...wanted }, index));
  return programs.filter(({ ops }) => ops.some(isPort));
}

const programs = moving();

/** In how many of them the device is found to be wrong. */
async function findings(parts: () => Parts): Promise<number> {
  let found = 0;
  for (const program of await programs) {
    const explorer = new Explorer(new SimBackend(parts()), { oracles: ['axioms', 'inclusion'] });
    if ((await explorer.examine(program)).kind === 'finding') found += 1;
  }
  return found;
}

describe('programs that move the link of the port', () => {
  it('are some of all, and make sense', async () => {
    const some = await programs;
    assert.ok(some.length >= 4 && some.length < count / 4, `${some.length} of ${count}`);
    for (const program of some) assert.ok(await makesSense(program), program.seed);
  });

  it('are none on a device whose link is not theirs', async () => {
    const without = capabilities.filter((one) => one !== 'port-control');
    assert.deepEqual(await moving({ capabilities: without }), []);
    const avoided = new Set([linkOfOthers]);
    assert.deepEqual(await moving({ avoided }), []);
    for (const program of await programs)
      assert.deepEqual([goesAround(program, avoided), goesAround(program, new Set())], [false, true]);
  });

  it('accuse no device that tells more with a move of the link', async () => {
    assert.equal(await findings(() => partsOf([variants['link-changes-tell-more'] ?? assert.fail()])), 0);
  });

  for (const fault of ['link-down-is-silent', 'link-up-is-silent', 'link-change-raises-both', 'port-says-the-opposite'])
    it(`find the fault ${fault}`, async () => {
      assert.ok((await findings(() => partsFor(fault))) > (await programs).length / 2);
    });

  it('find a device whose link goes down with the event of one that comes up', async () => {
    const parts: Parts = {
      ...soundParts,
      Device: class extends soundParts.Device {
        override portChanged(): void {
          super.portChanged('IBV_EVENT_PORT_ACTIVE');
        }
      },
    };
    assert.ok((await findings(() => parts)) > (await programs).length / 2);
  });
});
