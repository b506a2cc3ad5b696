import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NotifyRequest } from '../../../../sim/cq/cq';
import { soundParts, type Parts } from '../../../../sim/device/device';
import { isFound } from '../../../fixtures/alone';
import { makeAgain } from './reborn';

type Wrs = Parameters<typeof soundParts.Srq.prototype.post>[0];
describe('what is made after something was destroyed', () => {
  it('is not armed, though that was', async () => {
    const armed = (): Partial<Parts> => {
      let last: NotifyRequest | undefined;
      return {
        Cq: class extends soundParts.Cq {
          protected override request: NotifyRequest | undefined = last;

          override arm(solicitedOnly: number): void {
            super.arm(solicitedOnly);
            last = this.request;
          }
        },
      };
    };
    assert.ok(await isFound(armed, makeAgain, 30));
  });

  it('has no receives, though that had', async () => {
    const full = (): Partial<Parts> => {
      let left: Wrs = [];
      return {
        Srq: class extends soundParts.Srq {
          #isBegun = false;

          override post(wrs: Wrs): void {
            super.post(this.#isBegun ? wrs : [...left, ...wrs]);
            this.#isBegun = true;
            left = wrs.slice(-1);
          }
        },
      };
    };
    assert.ok(await isFound(full, makeAgain, 30));
  });
});
