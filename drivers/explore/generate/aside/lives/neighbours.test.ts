import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Cq } from '../../../../sim/cq/cq';
import { soundParts, type Parts } from '../../../../sim/device/device';
import type { SendRequest } from '../../../../sim/qp/work-request';
import { isFound } from '../../../fixtures/alone';
import {
  endBeforeOthersTell,
  endBesideOthersOnTheChannel,
  failBesideOthers,
  followOnTheChannel,
  readTwoAtOnce,
} from './neighbours';

it('a QP that is destroyed takes the events of no other one with it', async () => {
  const hasty = (): Partial<Parts> => ({
    AsyncEvents: class extends soundParts.AsyncEvents {
      override forget(...args: Parameters<typeof soundParts.AsyncEvents.prototype.forget>): void {
        const [element] = args;
        const own = this.events.findIndex((event) => event.element === element);
        if (own >= 0) this.events = this.events.slice(0, own);
        super.forget(...args);
      }
    },
  });
  assert.ok(await isFound(hasty, endBeforeOthersTell, 20));
});

it('a send that fails takes no receive of the SRQ of its QP', async () => {
  const greedy = (): Partial<Parts> => ({
    Qp: class extends soundParts.Qp {
      override completeSend(
        wr: SendRequest,
        ...rest: [Parameters<typeof soundParts.Qp.prototype.completeSend>[1]]
      ): void {
        super.completeSend(wr, ...rest);
        const [status] = rest;
        if (status !== 'IBV_WC_SUCCESS' && status !== 'IBV_WC_WR_FLUSH_ERR') this.receives.take();
      }
    },
  });
  assert.ok(await isFound(greedy, failBesideOthers, 20));
});

it('a CQ has no event of one that was on its channel before', async () => {
  const keeping = (): Partial<Parts> => ({
    CompChannel: class extends soundParts.CompChannel {
      #left = 0;

      override forget(cq: Cq): void {
        this.#left += this.events.filter((event) => event === cq).length;
        super.forget(cq);
      }

      override bind(cq: Cq): void {
        super.bind(cq);
        for (; this.#left > 0; this.#left -= 1) this.add(cq);
      }
    },
  });
  assert.ok(await isFound(keeping, followOnTheChannel, 20));
});

it('a CQ that is destroyed leaves the events of others in its channel', async () => {
  const hasty = (): Partial<Parts> => ({
    CompChannel: class extends soundParts.CompChannel {
      override forget(cq: Cq): void {
        const own = this.events.indexOf(cq);
        if (own >= 0) this.events.splice(own);
        super.forget(cq);
      }
    },
  });
  assert.ok(await isFound(hasty, endBesideOthersOnTheChannel, 20));
});

it('batches of two CQs have a completion each', async () => {
  const sharing = (): Partial<Parts> => {
    let last: bigint | undefined;
    return {
      CqIterator: class extends soundParts.CqIterator {
        override start(): void {
          super.start();
          last = super.wrId;
        }

        override get wrId(): bigint {
          return last ?? super.wrId;
        }
      },
    };
  };
  assert.ok(await isFound(sharing, readTwoAtOnce, 20));
});
