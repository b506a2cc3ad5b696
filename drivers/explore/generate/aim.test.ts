import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { simulatedDut } from '../../sim/device/dut';
import { SimBackend } from '../../sim/backend';
import { soundParts } from '../../sim/device/device';
import { cellKey } from '../coverage/cell';
import { Explorer } from '../explorer';
import type { Program } from '../../programs/program';
import { makesSense } from '../sound';
import { Aim } from './aim';
import { generate } from './generate';

const { capabilities } = simulatedDut;
const count = 40;

/** Programs one after another, and the cells that they reach together. */
async function programs(aim?: Aim): Promise<{ readonly made: Program[]; readonly cells: number }> {
  const cells = new Set<string>();
  const made: Program[] = [];
  for (let index = 0; index < count; index++) {
    const see = (cell: Parameters<typeof cellKey>[0]): void => void cells.add(cellKey(cell));
    made.push(await generate({ seed: 3, capabilities, see, ...(aim && { aim }) }, index));
  }
  return { made, cells: cells.size };
}

describe('programs that head for what was met least', () => {
  it('reach more than others do, and are the same for the same seed', async () => {
    const aimed = await programs(new Aim());
    assert.ok(aimed.cells > 1.3 * (await programs()).cells, String(aimed.cells));
    assert.deepEqual((await programs(new Aim())).made, aimed.made);
  });

  it('make sense, and accuse no sound simulator', async () => {
    const explorer = new Explorer(new SimBackend(soundParts));
    for (const [index, program] of (await programs(new Aim())).made.entries()) {
      assert.equal((await explorer.examine(program)).kind, 'sound', `program ${index}`);
      assert.ok(await makesSense(program), `program ${index}`);
    }
  });
});
