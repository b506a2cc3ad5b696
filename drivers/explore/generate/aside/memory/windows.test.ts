import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WcStatus } from '../../../../sim/cq/completions';
import { soundParts, type Parts } from '../../../../sim/device/device';
import type { SendRequest } from '../../../../sim/qp/work-request';
import { isFound } from '../../../fixtures/alone';
import { bindOverAndOver, bindTwice } from './windows';

type BindMw = NonNullable<SendRequest['bindMw']>;
type Mr = Parameters<typeof soundParts.MemoryTable.prototype.deregister>[0];

/** A device that binds otherwise. */
function binding(change: (bindMw: BindMw, isSignaled: boolean) => BindMw | undefined): () => Partial<Parts> {
  return () => ({
    Transmitter: class extends soundParts.Transmitter {
      protected override performLocally(wr: SendRequest): WcStatus {
        if (wr.bindMw === undefined) return super.performLocally(wr);
        const bindMw = change(wr.bindMw, wr.sendFlags.includes('IBV_SEND_SIGNALED') || this.qp.init.sqSigAll);
        return bindMw === undefined ? 'IBV_WC_SUCCESS' : super.performLocally({ ...wr, bindMw });
      }
    },
  });
}

describe('windows that are bound over and over', () => {
  it('open what the last binding says', async () => {
    const places = new WeakMap<object, Pick<BindMw, 'addr'>>();
    const atFirst = binding((bindMw) => {
      const { addr } = places.get(bindMw.mw) ?? bindMw;
      places.set(bindMw.mw, { addr });
      return { ...bindMw, addr };
    });
    assert.ok(await isFound(atFirst, bindOverAndOver, 60));
  });

  it('are bound without a CQE as well', async () => {
    const lazy = binding((bindMw, isSignaled) => (isSignaled ? bindMw : undefined));
    assert.ok(await isFound(lazy, bindOverAndOver, 20));
  });

  it('hold their region as long as one is left', async () => {
    const hasty = (): Partial<Parts> => ({
      MemoryTable: class extends soundParts.MemoryTable {
        readonly #free = new Set<Mr>();

        override deallocateWindow(
          window: Parameters<typeof soundParts.MemoryTable.prototype.deallocateWindow>[0],
        ): void {
          if (window.binding !== undefined) this.#free.add(window.binding.mr);
          super.deallocateWindow(window);
        }

        override deregister(mr: Mr): void {
          if (this.#free.has(mr)) this.mrs.delete(mr.key);
          else super.deregister(mr);
        }
      },
    });
    assert.ok(await isFound(hasty, bindOverAndOver, 100));
  });

  it('leave a region that could not be deregistered as it is', async () => {
    const hasty = (): Partial<Parts> => ({
      MemoryTable: class extends soundParts.MemoryTable {
        override deregister(mr: Mr): void {
          this.mrs.delete(mr.key);
          try {
            super.deregister(mr);
          } finally {
            this.mrs.delete(mr.key);
          }
        }
      },
    });
    assert.ok(await isFound(hasty, bindOverAndOver, 60));
  });
});

describe('a window that is bound a second time', () => {
  it('opens no more than the second binding says', async () => {
    const lengths = new WeakMap<object, number>();
    const wide = binding((bindMw) => {
      const length = Math.max(bindMw.length, lengths.get(bindMw.mw) ?? 0);
      lengths.set(bindMw.mw, length);
      return { ...bindMw, length };
    });
    assert.ok(await isFound(wide, bindTwice, 100));
  });

  it('is closed to its old key', async () => {
    const lenient = (): Partial<Parts> => ({
      MemoryTable: class extends soundParts.MemoryTable {
        override boundWindow(...[qp, rkey = 0]: Parameters<typeof soundParts.MemoryTable.prototype.boundWindow>) {
          const window = this.windows.get(rkey >>> 8);
          return window?.isBoundFor(qp) ? window : undefined;
        }
      },
    });
    assert.ok(await isFound(lenient, bindTwice, 60));
  });
});
