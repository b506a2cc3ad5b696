import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { QpAttr } from '../../contract';
import type { Program } from '../../programs/program';
import { SimBackend } from '../../sim/backend';
import { soundParts, type Parts } from '../../sim/device/device';
import { Refusal } from '../../sim/refusal';
import { Explorer } from '../explorer';
import { changeAccess, fail, onQp, poll, post, settle } from '../fixtures/failed-qp';

/** QPs that refuse to be changed but in their state: only once they have failed, or always. */
const refusing = (isAlways: boolean): Parts => ({
  ...soundParts,
  Qp: class extends soundParts.Qp {
    override modify(attr: QpAttr): void {
      if (attr.qpState === undefined && (isAlways || this.state === 'IBV_QPS_ERR')) throw new Refusal('EINVAL');
      super.modify(attr);
    }
  },
});

async function kindOf(program: Program, parts: Parts = soundParts): Promise<string> {
  return (await new Explorer(new SimBackend(parts)).examine(program)).kind;
}

describe('a QP that has failed', () => {
  it('may refuse a change of its attributes, which one in IBV_QPS_RTS may not', async () => {
    const failed = onQp(16, fail, settle, changeAccess);
    assert.deepEqual([await kindOf(failed), await kindOf(failed, refusing(false))], ['sound', 'sound']);
    assert.equal(await kindOf(onQp(16, changeAccess), refusing(true)), 'finding');
  });

  it('is not accused where a send and a receive have one wr_id', async () => {
    const work = [post('ibv_post_send', '0x13', '0x15'), post('ibv_post_recv', '0x13')];
    assert.equal(await kindOf(onQp(16, fail, settle, ...work, settle, poll)), 'sound');
    const other = [post('ibv_post_recv', '0x13', '0x15'), settle, post('ibv_post_send', '0x13')];
    assert.equal(await kindOf(onQp(16, fail, settle, ...other, settle, poll)), 'sound');
  });
});
