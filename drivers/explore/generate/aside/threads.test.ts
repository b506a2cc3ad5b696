import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { soundParts, type Parts } from '../../../sim/device/device';
import type { SendRequest } from '../../../sim/qp/work-request';
import { isFound } from '../../fixtures/alone';
import { doTheSameAtOnce } from './threads';

type Wrs = Parameters<typeof soundParts.Qp.prototype.postRecv>[0];
type Polled = ReturnType<typeof soundParts.Cq.prototype.poll>;

describe('two threads that do the same at once', () => {
  it('have all of their sends done', async () => {
    const racing = (): Partial<Parts> => ({
      Qp: class extends soundParts.Qp {
        #postedAt = -1;

        override postSend(wrs: readonly SendRequest[]): void {
          const { nowUs } = this.device.clock;
          super.postSend(this.#postedAt === nowUs && wrs.length === 1 ? [] : wrs);
          this.#postedAt = nowUs;
        }
      },
    });
    assert.ok(await isFound(racing, doTheSameAtOnce, 30));
  });

  it('have all of their receives used', async () => {
    const racing = (): Partial<Parts> => ({
      Qp: class extends soundParts.Qp {
        #postedAt = -1;

        override postRecv(wrs: Wrs): void {
          const { nowUs } = this.device.clock;
          super.postRecv(this.#postedAt === nowUs ? wrs.slice(1) : wrs);
          this.#postedAt = nowUs;
        }
      },
    });
    assert.ok(await isFound(racing, doTheSameAtOnce, 30));
  });

  it('have each CQE once', async () => {
    const racing = (): Partial<Parts> => ({
      Cq: class extends soundParts.Cq {
        #polled: { readonly at: number; readonly cqes: Polled } | undefined;

        override poll(count: number): Polled {
          const at = this.context.device.clock.nowUs;
          if (this.#polled?.at === at && this.#polled.cqes.length === count) return this.#polled.cqes;
          const cqes = super.poll(count);
          this.#polled = { at, cqes };
          return cqes;
        }
      },
    });
    assert.ok(await isFound(racing, doTheSameAtOnce, 30));
  });
});
