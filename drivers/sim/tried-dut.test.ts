import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { capabilities } from '../contract';
import { triedDut } from '.';
import { SimBackend } from './backend';
import { soundParts, type Parts } from './device/device';
import { simulatedDut } from './device/dut';
import { Refusal } from './refusal';
import { Simulator } from './simulator';

class NoSrqDevice extends soundParts.Device {
  override createSrq(): never {
    throw new Refusal('EOPNOTSUPP');
  }
}

async function triedOf(parts: Parts) {
  const told: string[] = [];
  const dut = await triedDut(new SimBackend(parts), (line) => told.push(line));
  assert.deepEqual(told, []);
  return dut;
}

describe('a simulator that is tried', () => {
  it('has every capability if it is sound, as it says of itself untried', async () => {
    assert.deepEqual((await triedOf(soundParts)).capabilities, capabilities);
    assert.deepEqual(await triedOf(soundParts), simulatedDut);
  });

  it('lacks what its parts lack, on both devices of its network', async () => {
    const parts = { ...soundParts, Device: NoSrqDevice };
    const dut = await triedOf(parts);
    const lacks = capabilities.filter((name) => !dut.capabilities.includes(name));
    assert.deepEqual(lacks, ['srq', 'last-wqe-event']);
    const { nodes } = new Simulator({ parts, dut });
    assert.deepEqual(
      Object.values(nodes).map((node) => node.dut.capabilities),
      [dut.capabilities, dut.capabilities],
    );
  });
});
