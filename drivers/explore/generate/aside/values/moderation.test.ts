import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { soundParts, type Parts } from '../../../../sim/device/device';
import type { CqChange } from '../../../../sim/cq/cq';
import { isFound } from '../../../fixtures/alone';
import { gatherBesideOthers } from './moderation';

type Cq = InstanceType<typeof soundParts.Cq>;

const found = (parts: () => Partial<Parts>): Promise<boolean> => isFound(parts, gatherBesideOthers, 60);

/** CQs that can forget for which event they have gathered CQEs. */
class Forgetful extends soundParts.Cq {
  #gathers = false;
  #forgets = false;

  protected override gather(): void {
    this.#gathers = true;
    super.gather();
  }

  protected override fire(): void {
    const forgets = this.#forgets;
    this.#gathers = this.#forgets = false;
    if (!forgets) super.fire();
  }

  forgetEvent(): void {
    this.#forgets = this.#gathers;
  }
}

describe('of CQs on one channel, one that gathers CQEs', () => {
  it('makes its event although it is modified meanwhile', async () => {
    const parts = (): Partial<Parts> => ({
      Cq: class extends Forgetful {
        override modify(change: CqChange): void {
          super.modify(change);
          this.forgetEvent();
        }
      },
    });
    assert.ok(await found(parts));
  });

  it('makes its event although it is resized meanwhile', async () => {
    const parts = (): Partial<Parts> => ({
      Cq: class extends Forgetful {
        override resize(cqe: number): void {
          super.resize(cqe);
          this.forgetEvent();
        }
      },
    });
    assert.ok(await found(parts));
  });

  it('makes its event although another one is modified meanwhile', async () => {
    const parts = (): Partial<Parts> => {
      const all: Forgetful[] = [];
      return {
        Cq: class extends Forgetful {
          constructor(...args: ConstructorParameters<typeof soundParts.Cq>) {
            super(...args);
            all.push(this);
          }

          override modify(change: CqChange): void {
            super.modify(change);
            for (const other of all) if (other !== this) other.forgetEvent();
          }
        },
      };
    };
    assert.ok(await found(parts));
  });

  it('makes its own event, not that of the one that was armed last', async () => {
    const parts = (): Partial<Parts> => {
      const armed: Cq[] = [];
      return {
        Cq: class extends soundParts.Cq {
          override arm(solicitedOnly: number): void {
            super.arm(solicitedOnly);
            if (this.moderation.cqCount > 1) armed.push(this);
          }

          protected override fire(): void {
            this.spendRequest();
            this.channel?.add((this.moderation.cqCount > 1 ? armed.at(-1) : undefined) ?? this);
          }
        },
      };
    };
    assert.ok(await found(parts));
  });

  it('makes an event of fewer CQEs after its period', async () => {
    const parts = (): Partial<Parts> => ({
      Cq: class extends soundParts.Cq {
        #cqes = 0;

        protected override gather(): void {
          this.#cqes += 1;
          if (this.moderation.cqCount !== 5 || this.#cqes % 5 === 0) super.gather();
        }
      },
    });
    assert.ok(await found(parts));
  });

  it('makes one event of as many CQEs, and no other after its period', async () => {
    const parts = (): Partial<Parts> => ({
      Cq: class extends soundParts.Cq {
        protected override fire(): void {
          super.fire();
          const { clock, cqCount, cqPeriodUs } = this.moderation;
          if (cqCount === 3) clock.schedule(cqPeriodUs, () => this.channel?.add(this));
        }
      },
    });
    assert.ok(await found(parts));
  });

  it('gathers no more when that is taken back', async () => {
    const parts = (): Partial<Parts> => ({
      Cq: class extends soundParts.Cq {
        #wasModerated = false;

        override modify(change: CqChange): void {
          super.modify(change);
          this.#wasModerated ||= change.cqCount > 1;
        }

        protected override gather(): void {
          if (!this.#wasModerated || this.moderation.cqCount > 1) super.gather();
        }
      },
    });
    assert.ok(await found(parts));
  });
});
