import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { simulatedDut } from '../sim/device/dut';
import { Bindings } from './bindings';

describe('a number of an object, plus so much', () => {
  const bindings = new Bindings(simulatedDut);
  const made = { args: {}, returned: 'mw#1', outputs: { rkey: 0x1fa } };
  bindings.bind({ call: 'ibv_alloc_mw', args: {}, as: 'mw' }, made);

  it('counts in the low 8 bits of an R_Key alone', () => {
    assert.deepEqual(bindings.resolve({ rkey: { of: 'mw', member: 'rkey', plus: 7 } }), { rkey: 0x101 });
    assert.deepEqual(bindings.resolve({ rkey: { of: 'mw', member: 'rkey', plus: 1 } }), { rkey: 0x1fb });
  });

  it('is a sum elsewhere', () => {
    const { portNum } = simulatedDut.port;
    assert.deepEqual(bindings.resolve({ n: { of: 'dut', member: 'portNum', plus: 255 } }), { n: portNum + 255 });
  });
});
