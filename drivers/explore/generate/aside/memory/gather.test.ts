import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { soundParts, type Parts } from '../../../../sim/device/device';
import { isFound } from '../../../fixtures/alone';
import { gatherFromTwo } from './gather';

type Local = typeof soundParts.MemoryTable.prototype.local;

describe('lists of two regions', () => {
  it('are looked up by the key of each entry', async () => {
    const hasty = (): Partial<Parts> => ({
      Transmitter: class extends soundParts.Transmitter {
        override attempt(...[wr, ...others]: Parameters<typeof soundParts.Transmitter.prototype.attempt>): void {
          const [first] = wr.sgList;
          const sgList = wr.sgList.map((entry) => ({ ...entry, lkey: first?.lkey ?? entry.lkey }));
          super.attempt({ ...wr, sgList }, ...others);
        }
      },
    });
    assert.ok(await isFound(hasty, gatherFromTwo, 10));
  });

  it('do not go beyond the end of either', async () => {
    const generous = (): Partial<Parts> => ({
      MemoryTable: class extends soundParts.MemoryTable {
        override local(...[pd, sge, access]: Parameters<Local>): ReturnType<Local> {
          const bytes = super.local(pd, sge, access);
          if (bytes !== undefined || access !== undefined) return bytes;
          return super.local(pd, { ...sge, length: 1 }) && this.at(sge.addr, sge.length);
        }
      },
    });
    assert.ok(await isFound(generous, gatherFromTwo, 60));
  });
});
