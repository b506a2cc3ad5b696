import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countedTrials, failsAtRate, runsAgain, type Trial } from './trials';

/** Fails and passes in this order, and then over again. */
function inOrder(failures: readonly boolean[]): { readonly trial: Trial; readonly runs: () => number } {
  let runs = 0;
  return { trial: () => Promise.resolve(failures[runs++ % failures.length] ?? false), runs: () => runs };
}

test('a program that always fails, or never, takes one run', async () => {
  for (const fails of [true, false]) {
    const { trial, runs } = inOrder([fails]);
    assert.equal(await failsAtRate(1, trial), fails);
    assert.equal(runs(), 1);
  }
});

test('one that fails in some of its runs is told from one that does not fail', async () => {
  assert.equal(await failsAtRate(0.3, inOrder([false, false, false, true]).trial), true);
  const never = inOrder([false]);
  assert.equal(await failsAtRate(0.3, never.trial), false);
  assert.ok(never.runs() > 5, 'some runs without a failure say nothing of one that fails in three of ten');
});

test('one that fails far more rarely counts as one that does not', async () => {
  assert.equal(await failsAtRate(0.9, inOrder([false, false, true]).trial), false);
});

test('a rare failure is looked for until it is seen twice, or twenty runs are over', async () => {
  assert.deepEqual(await runsAgain(inOrder([false, true]).trial), { runs: 4, failed: 2 });
  assert.deepEqual(await runsAgain(inOrder([false]).trial), { runs: 20, failed: 0 });
  assert.deepEqual(await countedTrials(inOrder([true, false]).trial), { runs: 10, failed: 5 });
});
