import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { QpState } from '../../../../contract';
import { soundParts, type Parts } from '../../../../sim/device/device';
import { Refusal } from '../../../../sim/refusal';
import { isFound } from '../../../fixtures/alone';
import { goAnywhere } from './transitions';

type QpAttr = Parameters<typeof soundParts.Qp.prototype.modify>[0];

/** A device that does something else where a QP is asked for a state in another one. */
const asked =
  (from: QpState, to: QpState, otherwise: (take: (attr: QpAttr) => void, attr: QpAttr) => void) =>
  (): Partial<Parts> => ({
    Qp: class extends soundParts.Qp {
      override modify(attr: QpAttr): void {
        const take = (taken: QpAttr): void => {
          super.modify(taken);
        };
        if (this.state === from && attr.qpState === to) otherwise(take, attr);
        else take(attr);
      }
    },
  });

const refuses = (from: QpState, to: QpState) =>
  asked(from, to, () => {
    throw new Refusal('EINVAL');
  });

const says = (from: QpState, to: QpState) => asked(from, to, () => undefined);

describe('a QP that is asked for any state in any state', () => {
  for (const [from, to] of [
    ['IBV_QPS_INIT', 'IBV_QPS_ERR'],
    ['IBV_QPS_INIT', 'IBV_QPS_INIT'],
    ['IBV_QPS_RTR', 'IBV_QPS_RESET'],
    ['IBV_QPS_SQD', 'IBV_QPS_RESET'],
    ['IBV_QPS_SQD', 'IBV_QPS_RTS'],
    ['IBV_QPS_ERR', 'IBV_QPS_RESET'],
  ] as const)
    it(`goes from ${from} to ${to}`, async () => {
      assert.ok(await isFound(refuses(from, to), goAnywhere, 40));
    });

  for (const [from, to] of [
    ['IBV_QPS_SQD', 'IBV_QPS_RTR'],
    ['IBV_QPS_INIT', 'IBV_QPS_RTS'],
    ['IBV_QPS_RESET', 'IBV_QPS_RTR'],
    ['IBV_QPS_RTS', 'IBV_QPS_INIT'],
  ] as const)
    it(`is refused to go from ${from} to ${to}`, async () => {
      assert.ok(await isFound(says(from, to), goAnywhere, 40));
    });

  it('needs each attribute of the change', async () => {
    const needsNoPsn = asked('IBV_QPS_RTR', 'IBV_QPS_RTS', (take, attr) => {
      take({ sqPsn: 0, ...attr });
    });
    assert.ok(await isFound(needsNoPsn, goAnywhere, 200));
  });

  it('takes what its peer sends while its send queue is drained', async () => {
    const deaf = (): Partial<Parts> => ({
      Responder: class extends soundParts.Responder {
        override get isDeaf(): boolean {
          return super.isDeaf || this.qp.state === 'IBV_QPS_SQD';
        }
      },
    });
    assert.ok(await isFound(deaf, goAnywhere, 40));
  });

  it('has in each life the rights of that life', async () => {
    const lives = new WeakMap<object, number>();
    const keeping = (): Partial<Parts> => ({
      Qp: class extends soundParts.Qp {
        override modify(attr: QpAttr): void {
          const life = (lives.get(this) ?? 0) + (attr.qpState === 'IBV_QPS_RESET' ? 1 : 0);
          lives.set(this, life);
          super.modify(life > 1 && attr.qpState === 'IBV_QPS_INIT' ? { ...attr, qpAccessFlags: [] } : attr);
        }
      },
    });
    assert.ok(await isFound(keeping, goAnywhere, 60));
  });

  it('tells of attributes that were changed while its send queue was drained', async () => {
    const forgetting = asked('IBV_QPS_SQD', 'IBV_QPS_SQD', (take, { qpState }) => {
      take({ ...(qpState && { qpState }) });
    });
    assert.ok(await isFound(forgetting, goAnywhere, 200));
  });
});
