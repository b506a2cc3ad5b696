import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TraceStruct } from '../../../../contract';
import { soundParts, type Parts } from '../../../../sim/device/device';
import { isFound } from '../../../fixtures/alone';
import { modifyOverAndOver } from './modifies';

type QpAttr = Parameters<typeof soundParts.Qp.prototype.modify>[0];

/** A device that takes so what a QP is modified by. */
const modifying = (taken: (attr: QpAttr, before: QpAttr, state: string) => QpAttr) => (): Partial<Parts> => ({
  Qp: class extends soundParts.Qp {
    override modify(attr: QpAttr): void {
      super.modify(taken(attr, this.attr, this.state));
    }
  },
});

describe('a QP that is modified over and over', () => {
  it('keeps in IBV_QPS_INIT what is left out on the way to itself', async () => {
    const forgetting = modifying((attr, _, state) =>
      state === 'IBV_QPS_INIT' && attr.qpState === state ? { qpAccessFlags: [], ...attr } : attr,
    );
    assert.ok(await isFound(forgetting, modifyOverAndOver, 60));
  });

  it('keeps its rights on the way through IBV_QPS_SQD', async () => {
    const first = new WeakMap<object, QpAttr['qpAccessFlags']>();
    const restoring = (): Partial<Parts> => ({
      Qp: class extends soundParts.Qp {
        override modify(attr: QpAttr): void {
          if (attr.qpState === 'IBV_QPS_INIT' && attr.qpAccessFlags) first.set(this, attr.qpAccessFlags);
          const { state } = this;
          super.modify(attr);
          const qpAccessFlags = first.get(this);
          if (state === 'IBV_QPS_SQD' && attr.qpState === 'IBV_QPS_RTS' && qpAccessFlags)
            super.modify({ qpAccessFlags });
        }
      },
    });
    assert.ok(await isFound(restoring, modifyOverAndOver, 60));
  });

  it('tells of the end of a drain only where that was asked for this time', async () => {
    const remembering = modifying((attr, before) =>
      attr.qpState === 'IBV_QPS_SQD' && before.enSqdAsyncNotify ? { ...attr, enSqdAsyncNotify: true } : attr,
    );
    assert.ok(await isFound(remembering, modifyOverAndOver, 60));
  });

  it('is draining as long as there is something to drain, no longer', async () => {
    const forEver = (): Partial<Parts> => ({
      Qp: class extends soundParts.Qp {
        #hasDrained = false;

        override query(): TraceStruct {
          const told = super.query();
          this.#hasDrained ||= told.sqDraining === true;
          return { ...told, sqDraining: this.#hasDrained };
        }
      },
    });
    assert.ok(await isFound(forEver, modifyOverAndOver, 60));
  });
});
