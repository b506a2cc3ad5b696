import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RecvWr } from '../../../contract';
import { soundParts, type Parts } from '../../../sim/device/device';
import { isFound } from '../../fixtures/alone';
import { flushWhatWaits, reachHighLimit, receiveTooShort } from './waits';

describe('what waits for a receive', () => {
  it('is flushed as what stands behind it', async () => {
    const forgetful = (): Partial<Parts> => ({
      Requester: class extends soundParts.Requester {
        override takeAll(): ReturnType<typeof soundParts.Requester.prototype.takeAll> {
          const current = this.inProgress?.wr;
          return super.takeAll().filter((wr) => wr !== current);
        }
      },
    });
    assert.ok(await isFound(forgetful, flushWhatWaits, 5));
  });
});

describe('a receive of an SRQ that was too short', () => {
  it('takes no other message', async () => {
    const thrifty = (): Partial<Parts> => ({
      Srq: class extends soundParts.Srq {
        #kept: RecvWr | undefined;

        override take(): RecvWr | undefined {
          const wr = super.take();
          const isShort = wr?.sgList.every(({ length }) => length < 32) === true;
          if (wr === undefined || !isShort || wr === this.#kept) return wr;
          this.#kept = wr;
          this.wrs.unshift(wr);
          return wr;
        }
      },
    });
    assert.ok(await isFound(thrifty, receiveTooShort, 20));
  });
});

describe('the limit of an SRQ', () => {
  it('may be more than a byte holds', async () => {
    const narrow = (): Partial<Parts> => ({
      Srq: class extends soundParts.Srq {
        override take(): RecvWr | undefined {
          const { limit } = this;
          this.limit = limit & 0xff;
          const wr = super.take();
          if (this.limit > 0) this.limit = limit;
          return wr;
        }
      },
    });
    assert.ok(await isFound(narrow, reachHighLimit, 5));
  });
});
