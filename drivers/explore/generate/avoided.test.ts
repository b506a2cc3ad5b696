import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Program } from '../../programs/program';
import { callsOf } from '../../programs/program';
import { runProgram } from '../../programs/run-program';
import { SimBackend } from '../../sim/backend';
import { soundParts } from '../../sim/device/device';
import { simulatedDut } from '../../sim/device/dut';
import { Aim } from './aim';
import { behindTheLast, fencedSendStays, ignoringOverruns } from './avoided';
import { generate } from './generate';

const { capabilities } = simulatedDut;
const count = 150;

async function programs(...avoided: readonly string[]): Promise<Program[]> {
  const aim = new Aim(0);
  const made: Program[] = [];
  for (let index = 0; index < count; index++) {
    const wanted = { seed: 4, capabilities, avoided: new Set(avoided), ...(index % 2 === 1 && { aim }) };
    made.push(await generate(wanted, index));
  }
  return made;
}

/** How often ibv_next_poll() has found no further completion, and how often one. */
async function nexts(made: readonly Program[]): Promise<{ readonly none: number; readonly one: number }> {
  let [none, one] = [0, 0];
  for (const program of made) {
    const { records } = await runProgram(new SimBackend(soundParts), program);
    for (const record of records) {
      if (record?.verb !== 'ibv_next_poll') continue;
      if (record.returned === 0) one += 1;
      else none += 1;
    }
  }
  return { none, one };
}

const asksToIgnore = (made: readonly Program[]): boolean =>
  made.some((program) =>
    callsOf(program).some(({ args }) => JSON.stringify(args).includes('IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN')),
  );

describe('programs for a device that does not keep a clause', () => {
  it('read on in a batch, but not behind its last completion', async () => {
    const usual = await nexts(await programs());
    const careful = await nexts(await programs(behindTheLast));
    assert.ok(usual.none > 20 && careful.one > 20, JSON.stringify([usual, careful]));
    assert.equal(careful.none, 0);
  });

  it('fence no send where that is not given up', async () => {
    const isFenced = (made: readonly Program[]): boolean => JSON.stringify(made).includes('IBV_SEND_FENCE');
    assert.deepEqual([isFenced(await programs()), isFenced(await programs(fencedSendStays))], [true, false]);
  });

  it('ask for no CQ that it does not make', async () => {
    assert.equal(asksToIgnore(await programs()), true);
    assert.equal(asksToIgnore(await programs(ignoringOverruns)), false);
  });
});
