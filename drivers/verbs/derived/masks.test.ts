import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countingOf, maskOf } from './masks';
import { qpAttrBits } from '../qp';
import { srqAttrBits } from '../srq';

describe('an attribute mask', () => {
  it('has a bit for each member that is present, each once', () => {
    const attr = { qpState: 'IBV_QPS_INIT', altPortNum: 1, altTimeout: 2 } as const;
    assert.deepEqual(maskOf(qpAttrBits, attr), ['IBV_QP_STATE', 'IBV_QP_ALT_PATH']);
  });

  it('lets the members count whose bit it has', () => {
    const attr = { maxWr: 1, maxSge: 2, srqLimit: 3 };
    assert.deepEqual(countingOf(srqAttrBits, attr, ['IBV_SRQ_LIMIT', '64']), { srqLimit: 3 });
  });
});
