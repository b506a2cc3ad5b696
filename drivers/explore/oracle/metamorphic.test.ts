import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runProgram } from '../../programs/run-program';
import type { Execute } from '../explorer';
import { Explorer } from '../explorer';
import { SimBackend } from '../../sim/backend';
import { soundParts } from '../../sim/device/device';
import { fail, onQp, poll, post, settle } from '../fixtures/failed-qp';
import { digestOf, firstDifference } from './metamorphic';

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
