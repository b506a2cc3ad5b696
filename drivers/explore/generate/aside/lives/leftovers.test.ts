import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { soundParts, type Parts } from '../../../../sim/device/device';
import type { SendRequest } from '../../../../sim/qp/work-request';
import { isFound } from '../../../fixtures/alone';
import { leaveWorkBehind } from './leftovers';

type QpAttr = Parameters<typeof soundParts.Qp.prototype.modify>[0];

describe('work that is left behind by a reset', () => {
  it('is not reported in the next life', async () => {
    const remembering = (): Partial<Parts> => ({
      Qp: class extends soundParts.Qp {
        readonly #old: bigint[] = [];
        #open: bigint[] = [];

        override postSend(wrs: readonly SendRequest[]): void {
          this.#open.push(...wrs.map(({ wrId }) => wrId));
          super.postSend(wrs);
        }

        override modify(attr: QpAttr): void {
          super.modify(attr);
          if (attr.qpState !== 'IBV_QPS_RESET') return;
          this.#old.push(...this.#open);
          this.#open = [];
        }

        override completeSend(
          wr: SendRequest,
          ...rest: [Parameters<typeof soundParts.Qp.prototype.completeSend>[1]]
        ): void {
          this.#open = this.#open.filter((wrId) => wrId !== wr.wrId);
          super.completeSend({ ...wr, wrId: this.#old.shift() ?? wr.wrId }, ...rest);
        }
      },
    });
    assert.ok(await isFound(remembering, leaveWorkBehind, 30));
  });

  it('takes no place of the next life', async () => {
    const cramped = (): Partial<Parts> => ({
      Qp: class extends soundParts.Qp {
        #lost = 0;

        override modify(attr: QpAttr): void {
          if (attr.qpState === 'IBV_QPS_RESET') this.#lost += this.receives.length;
          super.modify(attr);
        }

        override firstWithoutPlace(
          ...[wrs, cap]: Parameters<typeof soundParts.Qp.prototype.firstWithoutPlace>
        ): number {
          return super.firstWithoutPlace(wrs, { ...cap, maxRecvWr: cap.maxRecvWr - this.#lost });
        }
      },
    });
    assert.ok(await isFound(cramped, leaveWorkBehind, 30));
  });

  it('is all that goes: completions of others in the same CQ stay', async () => {
    const sweeping = (): Partial<Parts> => ({
      Cq: class extends soundParts.Cq {
        sweep(qpNum: number): void {
          this.cqes.splice(0, this.cqes.length, ...this.cqes.filter(({ wc }) => wc.qpNum === qpNum));
        }
      },
      Qp: class extends soundParts.Qp {
        override modify(attr: QpAttr): void {
          super.modify(attr);
          const { recvCq } = this.init as { recvCq: { sweep?: (qpNum: number) => void } };
          if (attr.qpState === 'IBV_QPS_RESET') recvCq.sweep?.(this.qpNum);
        }
      },
    });
    assert.ok(await isFound(sweeping, leaveWorkBehind, 30));
  });
});

it('each request has its own flags, whatever was in its place before', async () => {
  const sticky = (): Partial<Parts> => ({
    Qp: class extends soundParts.Qp {
      readonly #solicited = new Set<number>();
      #posted = 0;
      #places = 1;

      override firstTooLarge(...[wrs, cap]: Parameters<typeof soundParts.Qp.prototype.firstTooLarge>): number {
        this.#places = cap.maxSendWr;
        return super.firstTooLarge(wrs, cap);
      }

      override postSend(wrs: readonly SendRequest[]): void {
        super.postSend(wrs.map((wr) => this.#asBefore(wr, this.#posted++ % this.#places)));
      }

      #asBefore(wr: SendRequest, place: number): SendRequest {
        const flag = 'IBV_SEND_SOLICITED';
        if (this.#solicited.has(place)) return { ...wr, sendFlags: [...wr.sendFlags, flag] };
        if (wr.sendFlags.includes(flag)) this.#solicited.add(place);
        return wr;
      }
    },
  });
  assert.ok(await isFound(sticky, leaveWorkBehind, 100));
});
