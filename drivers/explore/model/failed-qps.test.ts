import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { QpAttr } from '../../contract';
import type { Program } from '../../programs/program';
import { SimBackend } from '../../sim/backend';
import { soundParts, type Parts } from '../../sim/device/device';
import { partsOf, variants } from '../../sim/lawful';
import type { WcStatus } from '../../sim/cq/completions';
import type { SendRequest } from '../../sim/qp/work-request';
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

/** Fails by itself: there is no memory of that key. */
const failing = {
  wrId: '0x19',
  sgList: [{ addr: '0x1000', length: 8, lkey: 0 }],
  opcode: 'IBV_WR_SEND',
  sendFlags: ['IBV_SEND_SIGNALED'],
};
const good = (wrId: string, ...sendFlags: readonly string[]): object => ({
  ...failing,
  wrId,
  sgList: [],
  sendFlags,
});
const send = (...wrs: readonly object[]): object => ({ call: 'ibv_post_send', args: { qp: { of: 'qp' }, wrs } });

const hearingLate = partsOf([variants['failing-qps-flush-what-they-have-not-heard-of'] ?? assert.fail()]);

/** Flushes all that it has done before, of which it makes no CQE when it is done. */
const forgetting: Parts = {
  ...soundParts,
  Qp: class extends soundParts.Qp {
    readonly #heard: SendRequest[] = [];

    override completeSend(wr: SendRequest, status: WcStatus, byteLen?: number): void {
      if (status === 'IBV_WC_SUCCESS') {
        this.#heard.push(wr);
        return;
      }
      for (const one of this.#heard.splice(0)) super.completeSend(one, 'IBV_WC_WR_FLUSH_ERR');
      super.completeSend(wr, status, byteLen);
    }
  },
  Requester: class extends soundParts.Requester {
    protected override makesCqe(): boolean {
      return true;
    }
  },
};

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

  it('may flush many sends that its peer has had', async () => {
    const wrIds = ['0x11', '0x12', '0x13', '0x14', '0x15', '0x16', '0x17'];
    const sends = send(...wrIds.map((wrId) => good(wrId, 'IBV_SEND_SIGNALED')), failing);
    const program = onQp(16, post('ibv_post_recv', ...wrIds), sends, settle, poll);
    assert.equal(await kindOf(program, forgetting), 'sound');
  });

  it('may flush sends that its peer has had, and has heard of those before one of which it has heard', async () => {
    const sends = send(good('0x11', 'IBV_SEND_SIGNALED'), good('0x12'), failing);
    const program = onQp(16, post('ibv_post_recv', '0x1', '0x2', '0x3'), sends, settle, poll);
    assert.deepEqual([await kindOf(program), await kindOf(program, hearingLate)], ['sound', 'sound']);
    const heard = onQp(
      16,
      post('ibv_post_recv', '0x1', '0x2'),
      send(good('0x11')),
      settle,
      send(failing),
      settle,
      poll,
    );
    assert.deepEqual([await kindOf(heard), await kindOf(heard, forgetting)], ['sound', 'finding']);
    const answered = onQp(16, post('ibv_post_recv', '0x1'), send(good('0x11'), good('0x12')), settle, poll);
    assert.deepEqual([await kindOf(answered), await kindOf(answered, forgetting)], ['sound', 'finding']);
  });
});
