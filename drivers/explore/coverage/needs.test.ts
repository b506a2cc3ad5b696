import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { simulatedDut } from '../../sim/device/dut';
import { Aim } from '../generate/aim';
import { generate } from '../generate/generate';
import { cellsIn, type CellList } from './cell-list';
import { isWithin, neededAbilities } from './needs';
import { cellsReachedBy } from './reached-by';

const listed = [...cellsIn(JSON.parse(readFileSync(join(__dirname, 'reachable.json'), 'utf8')) as CellList).keys()];
const { capabilities } = simulatedDut;

describe('the abilities that cells need', () => {
  it('are all that the simulator has', () => {
    assert.deepEqual(
      listed.filter((key) => !isWithin(key, capabilities)),
      [],
    );
  });

  for (const ability of neededAbilities) {
    it(`keep cells from a device without ${ability}, and no program of such a device reaches them`, async () => {
      const others = capabilities.filter((one) => one !== ability);
      assert.ok(listed.some((key) => !isWithin(key, others)));
      const aim = new Aim(0);
      for (let index = 0; index < 30; index++) {
        const wanted = { seed: 8, capabilities: others, ...(index % 2 === 1 && { aim }) };
        for (const key of await cellsReachedBy(await generate(wanted, index))) assert.ok(isWithin(key, others), key);
      }
    });
  }
});
