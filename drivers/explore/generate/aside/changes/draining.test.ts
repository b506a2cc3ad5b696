import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TraceStruct } from '../../../../contract';
import { soundParts, type Parts } from '../../../../sim/device/device';
import type { SendRequest } from '../../../../sim/qp/work-request';
import { isFound } from '../../../fixtures/alone';
import { drainInAnyWay } from './draining';

type QpAttr = Parameters<typeof soundParts.Qp.prototype.modify>[0];

type Requester = InstanceType<Parts['Requester']>;

/** A device that does more when a QP goes from IBV_QPS_SQD to another state. */
const leaving =
  (to: string, act: (qp: InstanceType<Parts['Qp']>, requester: Requester) => void) => (): Partial<Parts> => ({
    Qp: class extends soundParts.Qp {
      override modify(attr: QpAttr): void {
        if (this.state === 'IBV_QPS_SQD' && attr.qpState === to) act(this, this.requester);
        super.modify(attr);
      }
    },
  });

describe('a send queue that is drained', () => {
  it('has what was posted meanwhile done when the QP goes on', async () => {
    const dropping = leaving('IBV_QPS_RTS', (_, requester) => {
      requester.takeAll();
    });
    assert.ok(await isFound(dropping, drainInAnyWay, 30));
  });

  it('has it flushed when the QP fails', async () => {
    const dropping = leaving('IBV_QPS_ERR', (_, requester) => {
      requester.takeAll();
    });
    assert.ok(await isFound(dropping, drainInAnyWay, 30));
  });

  it('tells that it was drained in that state alone', async () => {
    const telling = leaving('IBV_QPS_ERR', (qp) => {
      qp.raise('IBV_EVENT_SQ_DRAINED');
    });
    assert.ok(await isFound(telling, drainInAnyWay, 30));
  });

  it('is draining while something is under way, not while something waits', async () => {
    const counting = (): Partial<Parts> => ({
      Qp: class extends soundParts.Qp {
        override query(): TraceStruct {
          const told = super.query();
          return { ...told, sqDraining: this.state === 'IBV_QPS_SQD' && this.requester.hasSends };
        }
      },
    });
    assert.ok(await isFound(counting, drainInAnyWay, 40));
  });

  it('does nothing of what is posted meanwhile before the QP goes on', async () => {
    const going = (): Partial<Parts> => ({
      Qp: class extends soundParts.Qp {
        override postSend(wrs: readonly SendRequest[]): void {
          super.postSend(wrs);
          if (this.state !== 'IBV_QPS_SQD') return;
          super.modify({ qpState: 'IBV_QPS_RTS' });
        }
      },
    });
    assert.ok(await isFound(going, drainInAnyWay, 30));
  });
});
