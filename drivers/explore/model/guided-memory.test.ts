import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { programOf } from '../../programs/check-program';
import { soundParts, type Parts } from '../../sim/device/device';
import { SimBackend } from '../../sim/backend';
import { Explorer } from '../explorer';

const program = programOf(readFileSync(join(__dirname, '../fixtures/empty-messages.json'), 'utf8'));

/** Memory of which only those keys are looked at that a byte goes by. */
const withUncheckedMemory: Parts = {
  ...soundParts,
  Responder: class extends soundParts.Responder {
    override receive(message: Parameters<InstanceType<typeof soundParts.Responder>['receive']>[0]) {
      const { first } = this.qp.receives;
      const isEmpty = message.payload.length + message.grh.length === 0;
      if (isEmpty && first !== undefined) Object.assign(first, { sgList: [] });
      return super.receive(message);
    }
  },
  MemoryTable: class extends soundParts.MemoryTable {
    override remote(...args: Parameters<InstanceType<typeof soundParts.MemoryTable>['remote']>) {
      return super.remote(...args) ?? (args[3] === 0 ? new Uint8Array() : undefined);
    }
  },
};

test('a device may look at memory that no byte of a message comes into, or not', async () => {
  for (const parts of [soundParts, withUncheckedMemory])
    assert.equal((await new Explorer(new SimBackend(parts)).examine(program)).kind, 'sound');
});
