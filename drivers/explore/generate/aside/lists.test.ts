import assert from 'node:assert/strict';
import { it } from 'node:test';
import { soundParts, type Parts } from '../../../sim/device/device';
import { isFound } from '../../fixtures/alone';
import { refuseInTheMidst } from './lists';

type Wrs = Parameters<typeof soundParts.Qp.prototype.postRecv>[0];

/** A device that posts otherwise what stands before a receive that it refuses. */
const posting = (otherwise: (wrs: Wrs) => Wrs) => (): Partial<Parts> => ({
  Qp: class extends soundParts.Qp {
    #hasRefused = false;

    override firstWithoutPlace(...args: Parameters<typeof soundParts.Qp.prototype.firstWithoutPlace>): number {
      const place = super.firstWithoutPlace(...args);
      this.#hasRefused = place >= 0;
      return place;
    }

    override postRecv(wrs: Wrs): void {
      super.postRecv(this.#hasRefused ? otherwise(wrs) : wrs);
    }
  },
});

it('the start of a list that is refused later is posted', async () => {
  assert.ok(
    await isFound(
      posting(() => []),
      refuseInTheMidst,
      30,
    ),
  );
});

it('it is posted once', async () => {
  assert.ok(
    await isFound(
      posting((wrs) => [...wrs, ...wrs.slice(-1)]),
      refuseInTheMidst,
      30,
    ),
  );
});
