import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { SendRequest } from '../../sim/qp/work-request';
import { HeldBuffers } from './held-buffers';
import { UnheardAnswers } from './unheard-answers';

const qp = { qpNum: 7 };
const wr = (wrId: bigint): SendRequest => ({ wrId, sgList: [], opcode: 'IBV_WR_SEND', sendFlags: [] });

it('of the sends of a QP, those behind the last whose CQE was taken may be unheard of', () => {
  const answers = new UnheardAnswers();
  for (const [wrId, hasCqe] of [
    [1n, true],
    [2n, false],
    [3n, true],
    [4n, false],
  ] as const)
    answers.see(qp, 1, { wr: wr(wrId), hasCqe });
  const unheard = (epoch: number, untaken: number): bigint[] =>
    answers.of(qp, epoch, untaken).map((send) => send.wr.wrId);
  assert.deepEqual([unheard(1, 0), unheard(1, 1), unheard(1, 2)], [[4n], [2n, 3n, 4n], [1n, 2n, 3n, 4n]]);
  assert.deepEqual(unheard(2, 2), []);
  assert.deepEqual([...answers.most], [[7, 4]]);
});

it('memory that an unheard answer is for may hold anything', () => {
  const buffers = new HeldBuffers();
  buffers.forget([{ addr: 16n, length: 2 }]);
  assert.deepEqual(
    [15n, 16n, 17n, 18n].map((at) => buffers.has(at)),
    [false, true, true, false],
  );
});
