import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AccessFlag } from '../../../../contract';
import type { WcStatus } from '../../../../sim/cq/completions';
import { soundParts, type Parts } from '../../../../sim/device/device';
import type { Mr } from '../../../../sim/mr/memory';
import type { Pd } from '../../../../sim/pd/pd';
import type { SendRequest } from '../../../../sim/qp/work-request';
import { isFound } from '../../../fixtures/alone';
import { closeAndOpen, endTheWindow } from './reopen';

describe('memory that was used by a key', () => {
  it('is closed with it, to whoever has used it', async () => {
    const caching = (): Partial<Parts> => ({
      MemoryTable: class extends soundParts.MemoryTable {
        readonly #used = new Map<number, Mr>();

        override local(...args: Parameters<typeof soundParts.MemoryTable.prototype.local>): Uint8Array | undefined {
          const [, { lkey, addr, length }] = args;
          const mr = this.mrs.get(lkey);
          if (mr !== undefined) this.#used.set(lkey, mr);
          return mr === undefined ? this.#used.get(lkey)?.slice(addr, length) : super.local(...args);
        }
      },
    });
    assert.ok(await isFound(caching, closeAndOpen, 40));
  });

  it('is open for what the next key allows, no more', async () => {
    const caching = (): Partial<Parts> => ({
      MemoryTable: class extends soundParts.MemoryTable {
        readonly #rights = new Map<bigint, AccessFlag[]>();

        override register(pd: Pd, addr: bigint, length: number, access: readonly AccessFlag[]): Mr {
          return super.register(pd, addr, length, this.#rights.get(addr) ?? access);
        }

        override deregister(mr: Mr): void {
          super.deregister(mr);
          this.#rights.set(mr.addr, [...mr.access]);
        }
      },
    });
    assert.ok(await isFound(caching, closeAndOpen, 40));
  });
});

describe('a window', () => {
  it('closes what it has opened when it ends', async () => {
    const lazy = (): Partial<Parts> => ({
      MemoryTable: class extends soundParts.MemoryTable {
        override deallocateWindow(): void {
          // it stays as it is
        }
      },
    });
    assert.ok(await isFound(lazy, endTheWindow, 20));
  });

  it('for reads alone is bound to memory that nobody may write', async () => {
    const strict = (): Partial<Parts> => ({
      Transmitter: class extends soundParts.Transmitter {
        protected override performLocally(wr: SendRequest): WcStatus {
          const isWritable = wr.bindMw?.mr.access.has('IBV_ACCESS_LOCAL_WRITE') ?? true;
          return isWritable ? super.performLocally(wr) : 'IBV_WC_MW_BIND_ERR';
        }
      },
    });
    assert.ok(await isFound(strict, endTheWindow, 20));
  });
});
