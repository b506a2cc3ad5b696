import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { programVersion, type CallOp, type Op, type Program, type ProgramRecord } from '../../programs/program';
import { behindTheLast } from '../generate/avoided';
import { resetQueueNeverDrains } from '../model/guided-qp';
import { refusedSendStays } from '../generate/avoided';
import { foreseen } from './foreseen';

const next: CallOp = { call: 'ibv_next_poll', args: {} };
const send: CallOp = { call: 'ibv_post_send', args: {} };
const poll: CallOp = { call: 'ibv_poll_cq', args: {} };

const record = ({ call }: CallOp, returned = 0, badWr: string | null = null): ProgramRecord => ({
  verb: call,
  args: {},
  returned,
  errno: returned,
  outputs: call === 'ibv_post_send' ? { badWr } : {},
});

/** Of how many operations and records is judged, for which clause they end. */
function judged(ops: readonly Op[], records: readonly ProgramRecord[], ...known: readonly string[]): unknown {
  const program: Program = { version: programVersion, seed: '1-0', ops };
  const found = foreseen({ program, records }, new Set(known));
  return [found.program.ops.length, found.records.length, found.endsFor];
}

describe('a program on a device of which it is known after what nothing can be foreseen', () => {
  const ops = [next, { settle: true as const }, next, poll];
  const records = [record(next), record(next, 2), record(poll)];

  it('is judged up to that call, of which is judged too', () => {
    assert.deepEqual(judged(ops, records, behindTheLast), [3, 2, behindTheLast]);
    assert.deepEqual(judged([send, poll], [record(send, 22), record(poll)], refusedSendStays), [
      1,
      1,
      refusedSendStays,
    ]);
  });

  const moved = (qpState: string, qp = 'one'): CallOp => ({
    call: 'ibv_modify_qp',
    args: { qp, attr: { qpState }, attrMask: ['IBV_QP_STATE'] },
  });
  const sends: CallOp = { call: 'ibv_post_send', args: { qp: 'one' } };
  const [reset, drain] = [moved('IBV_QPS_RESET'), moved('IBV_QPS_SQD')];
  const done = ({ call, args }: CallOp, returned: number | string = 0): ProgramRecord => ({
    ...record({ call, args }),
    args: args as ProgramRecord['args'],
    returned,
  });

  it('is judged up to IBV_QPS_SQD of a QP that has sent before it was reset', () => {
    const judgedOf = (...calls: readonly CallOp[]): unknown =>
      judged(
        calls,
        calls.map((call) => done(call)),
        resetQueueNeverDrains,
      );
    assert.deepEqual(judgedOf(sends, reset, drain, poll), [3, 3, resetQueueNeverDrains]);
    assert.deepEqual(judgedOf(reset, sends, drain, poll), [4, 4, undefined]);
    assert.deepEqual(judgedOf(sends, reset, moved('IBV_QPS_SQD', 'other'), poll), [4, 4, undefined]);
    const create: CallOp = { call: 'ibv_create_qp', args: {} };
    const [ops, records] = [
      [sends, reset, create, drain, poll],
      [done(sends), done(reset), done(create, 'one'), done(drain), done(poll)],
    ];
    assert.deepEqual(judged(ops, records, resetQueueNeverDrains), [5, 5, undefined]);
    assert.deepEqual(
      judged([sends, reset, drain], [done(sends), done(reset), done(drain, 22)], resetQueueNeverDrains),
      [3, 3, undefined],
    );
  });

  it('is judged as a whole where it is not known, or the call goes well, or says which request was refused', () => {
    assert.deepEqual(judged(ops, records), [4, 3, undefined]);
    assert.deepEqual(judged(ops, records, refusedSendStays), [4, 3, undefined]);
    assert.deepEqual(judged(ops, [record(next), record(next), record(poll)], behindTheLast), [4, 3, undefined]);
    assert.deepEqual(judged([send, poll], [record(send), record(poll)], refusedSendStays), [2, 2, undefined]);
    assert.deepEqual(judged([send, poll], [record(send, 22, '0'), record(poll)], refusedSendStays), [2, 2, undefined]);
  });

  it('is judged up to the threads of which one makes the call', () => {
    const threads = [poll, { par: [[poll], [next, poll]] }, poll];
    const made = [record(poll), record(poll), record(next, 2), record(poll), record(poll)];
    assert.deepEqual(judged(threads, made, behindTheLast), [1, 1, behindTheLast]);
  });
});
