import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallOp, Op, ProgramRecord } from '../../programs/program';
import { runProgram } from '../../programs/run-program';
import type { Execute } from '../explorer';
import { Explorer } from '../explorer';
import { SimBackend } from '../../sim/backend';
import { soundParts } from '../../sim/device/device';
import { fail, onQp, poll, post, settle } from '../fixtures/failed-qp';
import { digestOf, firstDifference, leavesSome, relations, sharesReceives } from './metamorphic';

test('the order of failed CQEs across the queues of a QP is free, and which they are is not', async () => {
  const program = onQp(16, fail, post('ibv_post_send', '0x1'), post('ibv_post_recv', '0x2'), settle, poll);
  const { records } = await runProgram(new SimBackend(soundParts), program);
  const polled = records.at(-1) ?? assert.fail();
  const wcs = polled.outputs.wc as readonly object[];
  assert.equal(wcs.length, 2);
  const withWcs = (wc: readonly object[]) => [
    ...records.slice(0, -1),
    { ...polled, outputs: { ...polled.outputs, wc } },
  ];
  const digest = (wc: readonly object[]): string => digestOf(program, withWcs(wc) as typeof records);
  assert.equal(digest([...wcs].reverse()), digest(wcs));
  assert.notEqual(digest(wcs.slice(1)), digest(wcs));
});

test('a program that leaves CQEs of both queues in a CQ has no pair', async () => {
  let runs = 0;
  const execute: Execute = async (program) => {
    runs += 1;
    return (await runProgram(new SimBackend(soundParts), program)).records;
  };
  const pollTwo = { ...poll, args: { ...(poll as { args: object }).args, numEntries: 2 } };
  for (const [last, expected] of [
    [pollTwo, 1],
    [poll, 2],
  ] as const) {
    runs = 0;
    const program = onQp(16, fail, post('ibv_post_recv', '0x1', '0x2', '0x3'), settle, last);
    await new Explorer(new SimBackend(soundParts), { execute }).examine(program);
    assert.equal(runs, expected);
  }
});

test('a program that looks at some CQEs of both queues, and not at others, leaves some', () => {
  const cq = { of: 'cq' };
  const call = (name: string, args: object) => ({ call: name, args });
  const record = (verb: string, returned: number) => ({ verb, args: {}, returned, errno: 0, outputs: {} });
  const made = [call('ibv_create_qp', { qpInitAttr: { sendCq: cq, recvCq: cq } }), record('ibv_create_qp', 0)] as const;
  const polled = [call('ibv_poll_cq', { cq, numEntries: 4 }), record('ibv_poll_cq', 1)] as const;
  const begun = [call('ibv_start_poll', { cq }), record('ibv_start_poll', 0)] as const;
  const reads = ['struct ibv_cq_ex', 'ibv_wc_read_qp_num', 'ibv_wc_read_opcode'];
  const read = reads.map((name) => [call(name, { cq }), record(name, 0)] as const);
  const leaves = (...steps: readonly (readonly [object, object | undefined])[]): boolean => {
    const ops = [made, ...steps].map(([op]) => op) as Op[];
    const records = [made, ...steps].map(([, one]) => one) as ProgramRecord[];
    return leavesSome({ version: 1, seed: 'test', ops }, records);
  };
  assert.equal(leaves(begun, polled), true);
  assert.equal(leaves(begun, ...read, polled), false);
  assert.equal(leaves(begun, begun), false);
  const notCalled = [polled[0], undefined] as const;
  const one = [call('ibv_poll_cq', { cq, numEntries: 1 }), record('ibv_poll_cq', 1)] as const;
  assert.deepEqual([leaves(one), leaves(one, notCalled), leaves(one, polled)], [true, true, false]);
});

test('a program of which several QPs take receives from one SRQ has no pair', () => {
  const made = (srq: string | null): Op => ({
    call: 'ibv_create_qp',
    args: { qpInitAttr: { srq: srq === null ? null : { of: srq } } },
  });
  const shares = (...ops: readonly Op[]): boolean => sharesReceives({ version: 1, seed: 'test', ops });
  assert.equal(shares(made('srq1'), made('srq1')), true);
  assert.equal(shares(made('srq1'), made('srq2'), made(null), made(null)), false);
});

test('such a program is run in one way alone', async () => {
  const srq: Op = {
    call: 'ibv_create_srq',
    args: { pd: { of: 'pd' }, srqInitAttr: { attr: { maxWr: 4, maxSge: 1, srqLimit: 0 } } },
    as: 'srq',
  };
  const { ops, ...rest } = onQp(16, fail, settle, poll);
  const runsWith = async (users: number): Promise<number> => {
    let runs = 0;
    const execute: Execute = async (program) => {
      runs += 1;
      return (await runProgram(new SimBackend(soundParts), program)).records;
    };
    const usingSrq = (op: Op): readonly Op[] => {
      if (!('call' in op) || op.call !== 'ibv_create_qp') return [op];
      const qpInitAttr = { ...(op.args.qpInitAttr as object), srq: { of: 'srq' } };
      const made = { ...op, args: { ...op.args, qpInitAttr } };
      return [srq, made, { ...made, as: 'other' }].slice(0, 1 + users);
    };
    await new Explorer(new SimBackend(soundParts), { execute }).examine({ ...rest, ops: ops.flatMap(usingSrq) });
    return runs;
  };
  assert.deepEqual([await runsWith(1), await runsWith(2)], [2, 1]);
});

test('a program that overruns a CQ has no pair', async () => {
  const runsOf = async (cqe: number): Promise<number> => {
    let runs = 0;
    const execute: Execute = async (program) => {
      runs += 1;
      return (await runProgram(new SimBackend(soundParts), program)).records;
    };
    const program = onQp(cqe, fail, post('ibv_post_recv', '0x1', '0x2', '0x3'), settle, poll);
    const { kind } = await new Explorer(new SimBackend(soundParts), { execute }).examine(program);
    assert.equal(kind, 'sound');
    return runs;
  };
  assert.deepEqual([await runsOf(16), await runsOf(1)], [2, 1]);
});

test('tells of two outcomes the first line that only one has', () => {
  const what = 'outcome';
  assert.deepEqual(firstDifference('a\nb', 'a\nc\nb'), { what, expected: 'b', observed: 'c' });
  assert.deepEqual(firstDifference('a', 'a\nb'), { what, expected: null, observed: 'b' });
  assert.deepEqual(firstDifference('a\nb', 'a'), { what, expected: 'b', observed: null });
});

test('inline data whose key nobody looks at has no other place to come from', () => {
  const [relation = assert.fail()] = relations.filter(({ name }) => name.startsWith('inline data'));
  const send = (lkey: number | { readonly of: string; readonly member: string }, flag = 'IBV_SEND_INLINE') => ({
    sgList: [{ addr: { of: 'mr', member: 'addr' }, length: 8, lkey }],
    sendFlags: ['IBV_SEND_SIGNALED', flag],
  });
  const rewritten = (...wrs: readonly ReturnType<typeof send>[]) =>
    relation.rewrite?.({ call: 'ibv_post_send', args: { wrs } })?.map((op) => (op as CallOp).args.wrs);
  const [named, unnamed] = [send({ of: 'mr', member: 'lkey' }), send(0)];
  const plain = { ...named, sendFlags: ['IBV_SEND_SIGNALED'] };
  assert.deepEqual(rewritten(named, unnamed), [[plain, unnamed]]);
  assert.equal(rewritten(unnamed), undefined);
});
