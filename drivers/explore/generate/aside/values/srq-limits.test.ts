import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RecvWr, SrqAttr } from '../../../../contract';
import { soundParts } from '../../../../sim/device/device';
import { isFound } from '../../../fixtures/alone';
import { moveTheLimit } from './srq-limits';

type Srq = typeof soundParts.Srq;

const found = (of: Srq): Promise<boolean> => isFound(() => ({ Srq: of }), moveTheLimit, 30);

/** A device that sets another limit than it is asked for, which may depend on the one before. */
const setting = (otherwise: (asked: number, before: number) => number): Srq =>
  class extends soundParts.Srq {
    override modify({ srqLimit, ...others }: Partial<SrqAttr>): void {
      super.modify({ ...others, ...(srqLimit !== undefined && { srqLimit: otherwise(srqLimit, this.limit) }) });
    }
  };

const wrongLimits: readonly (readonly [string, (asked: number, before: number) => number])[] = [
  ['a limit of 0 disarms', (asked, before) => (asked === 0 ? before : asked)],
  ['a limit takes the place of a lower one', (asked, before) => (before > 0 && asked > before ? before : asked)],
  ['a limit takes the place of a higher one', (asked, before) => (asked > 0 && before > asked ? before : asked)],
  ['the lowest limit is one', (asked) => (asked === 1 ? 0 : asked)],
];

describe('of an SRQ', () => {
  for (const [name, otherwise] of wrongLimits)
    it(name, async () => {
      assert.ok(await found(setting(otherwise)));
    });

  it('a limit of as many as there are is reached by the next one taken', async () => {
    const isLate = class extends soundParts.Srq {
      #first = false;

      override modify(attr: Partial<SrqAttr>): void {
        super.modify(attr);
        this.#first = this.limit === this.length;
      }

      protected override reachLimit(): void {
        if (!this.#first) super.reachLimit();
        this.#first = false;
      }
    };
    assert.ok(await found(isLate));
  });

  it('a limit is there again after its event', async () => {
    const isOnce = class extends soundParts.Srq {
      #events = 0;

      protected override reachLimit(): void {
        this.#events += 1;
        if (this.#events < 3) super.reachLimit();
        else this.limit = 0;
      }
    };
    assert.ok(await found(isOnce));
  });

  it('receives that come leave the limit as it is', async () => {
    const forgets = class extends soundParts.Srq {
      override post(wrs: readonly RecvWr[]): void {
        super.post(wrs);
        this.limit = 0;
      }
    };
    assert.ok(await found(forgets));
  });

  it('receives that come do not arm the limit again that was reached', async () => {
    const arms = class extends soundParts.Srq {
      #reached = 0;

      protected override reachLimit(): void {
        this.#reached = this.limit;
        super.reachLimit();
      }

      override post(wrs: readonly RecvWr[]): void {
        super.post(wrs);
        if (this.limit === 0) this.limit = this.#reached;
      }
    };
    assert.ok(await found(arms));
  });

  it('a limit that was reached is reported as 0', async () => {
    const tells = class extends soundParts.Srq {
      #last = 0;

      override modify(attr: Partial<SrqAttr>): void {
        super.modify(attr);
        this.#last = this.limit;
      }

      override get armedLimit(): number {
        return this.#last;
      }
    };
    assert.ok(await found(tells));
  });
});
