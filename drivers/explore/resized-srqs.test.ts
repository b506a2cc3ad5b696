import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RecvWr, SrqAttr } from '../contract';
import { programVersion, type Op, type Program } from '../programs/program';
import { runProgram } from '../programs/run-program';
import { SimBackend } from '../sim/backend';
import { soundParts, type Parts } from '../sim/device/device';
import { demand, postUpTo } from '../sim/refusal';
import { Explorer } from './explorer';

const srq = { of: 'srq' };
const query: Op = { call: 'ibv_query_srq', args: { srq } };

const resize = (maxWr: number, srqLimit = 0): Op => ({
  call: 'ibv_modify_srq',
  args: { srq, srqAttr: { maxWr, srqLimit }, srqAttrMask: ['IBV_SRQ_MAX_WR', 'IBV_SRQ_LIMIT'] },
});

const post = (count: number): Op => ({
  call: 'ibv_post_srq_recv',
  args: { srq, wrs: Array.from({ length: count }, (_, at) => ({ wrId: `0x${at}`, sgList: [] })) },
});

/** An SRQ of 4 receives, and what becomes of it. */
const onSrq = (...ops: readonly Op[]): Program => ({
  version: programVersion,
  seed: 'srq',
  ops: [
    { call: 'ibv_open_device', args: { device: { of: 'dut', member: 'name' } }, as: 'ctx' },
    { call: 'ibv_alloc_pd', args: { context: { of: 'ctx' } }, as: 'pd' },
    {
      call: 'ibv_create_srq',
      args: { pd: { of: 'pd' }, srqInitAttr: { attr: { maxWr: 4, maxSge: 1, srqLimit: 0 } } },
      as: 'srq',
    },
    ...ops,
  ],
});

/** SRQs with room for so many receives more than they were asked for. */
const holding = (more: number): Partial<Parts> => ({
  Srq: class extends soundParts.Srq {
    #size = 4;

    override modify(attr: Partial<SrqAttr>): void {
      super.modify(attr);
      this.#size = attr.maxWr ?? this.#size;
    }

    override post(wrs: readonly RecvWr[]): void {
      const room = Math.max(this.#size + more - this.length, 0);
      postUpTo(wrs, room < wrs.length ? room : -1, (taken) => {
        super.post(taken);
      });
    }
  },
});

/** SRQs that do not change their size, and set their limit nevertheless or do not. */
const refusing = (setsLimit: boolean): Partial<Parts> => ({
  Srq: class extends soundParts.Srq {
    override modify(attr: Partial<SrqAttr>): void {
      if (setsLimit) super.modify(attr);
      demand(attr.maxWr === undefined, 'EINVAL');
    }
  },
});

async function kindOf(program: Program, own: Partial<Parts> = {}): Promise<string> {
  return (await new Explorer(new SimBackend({ ...soundParts, ...own })).examine(program)).kind;
}

describe('an SRQ whose size is changed', () => {
  const larger = onSrq(post(3), resize(8, 1), query, post(5));
  const overfull = onSrq(post(3), resize(8), post(7));

  it('takes as many receives as it was asked to hold, and more or not', async () => {
    for (const more of [0, 1, 2, 8]) {
      assert.deepEqual(
        [await kindOf(larger, holding(more)), await kindOf(overfull, holding(more))],
        ['sound', 'sound'],
      );
    }
    assert.deepEqual([await kindOf(larger, holding(-1)), await kindOf(overfull, holding(-1))], ['finding', 'finding']);
  });

  it('says so, and its limit', async () => {
    const { records } = await runProgram(new SimBackend(soundParts), larger);
    const told = records.find((record) => record?.verb === 'ibv_query_srq');
    assert.deepEqual(told?.outputs, { maxWr: 8, maxSge: 1, srqLimit: 1 });
  });

  it('may keep it, and then keeps its limit too', async () => {
    assert.deepEqual(
      [await kindOf(larger, refusing(false)), await kindOf(larger, refusing(true))],
      ['sound', 'finding'],
    );
  });
});
