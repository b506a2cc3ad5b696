import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Cqe } from '../../sim/cq/cq';
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

const reasons = (buffers: HeldBuffers, epoch: number, ...at: bigint[]) =>
  at.map((addr) => buffers.reasonAt(addr, epoch));

const cqeOf = (qpNum: number): Cqe => ({ queue: 'send', wc: { qpNum } }) as Cqe;

const sgList = [{ addr: 16n, length: 2, lkey: 1 }];

it('memory that an unheard answer is for may hold anything', () => {
  const buffers = new HeldBuffers();
  buffers.forget([{ addr: 16n, length: 2 }]);
  const held = 'held-buffer';
  assert.deepEqual(reasons(buffers, 1, 15n, 16n, 17n, 18n), [undefined, held, held, undefined]);
});

it('an answer may not be there until a CQE says so, or all has happened', () => {
  const buffers = new HeldBuffers();
  const [other, own, later] = [cqeOf(8), cqeOf(7), cqeOf(7)];
  buffers.awaitAnswer(7, { sgList }, 1);
  for (const cqe of [other, own, later]) buffers.tell(cqe);
  assert.deepEqual(reasons(buffers, 1, 16n, 18n), ['pending-answer', undefined]);
  assert.deepEqual(reasons(buffers, 2, 16n), [undefined]);
  buffers.release(other);
  assert.deepEqual(reasons(buffers, 1, 16n), ['pending-answer']);
  buffers.release(own);
  assert.deepEqual(reasons(buffers, 1, 16n), [undefined]);
});

it('what is copied before its answer is there is not known from then on', () => {
  const buffers = new HeldBuffers();
  buffers.awaitAnswer(7, { sgList }, 1);
  buffers.copy(16n, [{ addr: 64n, length: 1 }], 1);
  assert.deepEqual(reasons(buffers, 2, 16n, 64n, 65n), [undefined, 'held-buffer', undefined]);
});
