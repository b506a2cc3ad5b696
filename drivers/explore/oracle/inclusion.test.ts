import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkedProgram } from '../../programs/check-program';
import { runProgram } from '../../programs/run-program';
import { SimBackend } from '../../sim/backend';
import { soundParts } from '../../sim/device/device';
import { simulatedDut } from '../../sim/device/dut';
import { verdictOf } from './inclusion';

const of = (name: string) => ({ of: name });

describe('a call that waits for what does not come', () => {
  const program = checkedProgram({
    version: 1,
    seed: 'test',
    ops: [
      { call: 'ibv_open_device', args: { device: { of: 'dut', member: 'name' } }, as: 'ctx' },
      { call: 'ibv_create_comp_channel', args: { context: of('ctx') }, as: 'ch' },
      { call: 'ibv_get_cq_event', args: { channel: of('ch') }, as: 'ev' },
    ],
  });

  async function verdictOfGet(change: object) {
    const { records } = await runProgram(new SimBackend(soundParts), program);
    const last = records.at(-1) ?? assert.fail();
    return verdictOf(program, { records: [...records.slice(0, -1), { ...last, ...change }] }, simulatedDut);
  }

  it('is right not to return', async () => {
    assert.equal((await verdictOfGet({})).kind, 'explained');
  });

  it('is wrong to return, also as the last one of a program', async () => {
    const verdict = await verdictOfGet({ blocked: undefined, returned: -1, errno: 11 });
    assert.deepEqual(verdict.kind === 'violation' && verdict.difference, {
      at: 2,
      verb: 'ibv_get_cq_event',
      what: 'returned',
      expected: 'nothing yet',
      observed: -1,
    });
  });
});
