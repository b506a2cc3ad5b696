import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NotExecuted } from '../../drivers/explore/explorer';
import type { Op, Program } from '../../drivers/programs/program';
import type { WholeBackend, WholeRequest } from '../../drivers/programs/whole';
import { executing } from './device';

const settle: Op = { settle: true };
const program: Program = { version: 1, seed: '1', ops: [settle, { par: [[settle], [settle, settle]] }] };

/** What the host of a device is asked for when it executes the program. */
async function requestOn(driver: string): Promise<WholeRequest> {
  const requests: WholeRequest[] = [];
  const backend: Partial<WholeBackend> = {
    begin: () => Promise.resolve(),
    end: () => Promise.resolve([]),
    executeWhole: (request) => {
      requests.push(request);
      return Promise.resolve([{ records: [], cleanup: [], kept: {}, isLate: false, hangs: false }]);
    },
  };
  const { execute } = executing(driver, backend as WholeBackend, 50, { progress: () => undefined });
  await execute?.(program);
  return requests[0] ?? assert.fail();
}

test('a program has time for each of its settles, and 20 s for its calls', async () => {
  const { deadlineMs, quietMs } = await requestOn('hca');
  assert.deepEqual([deadlineMs, quietMs], [20_000 + 4 * 50, 50]);
  assert.equal((await requestOn('soft-roce')).deadlineMs, 20_000 + 4 * 2000);
});

test('a program whose time is up once is run again, and nothing is said of the device if it is not up then', async () => {
  for (const [late, expected] of [
    [[true, true], 'records'],
    [[true, false], 'doubt'],
    [[false], 'records'],
  ] as const) {
    let runs = 0;
    const backend: Partial<WholeBackend> = {
      begin: () => Promise.resolve(),
      end: () => Promise.resolve([]),
      executeWhole: () =>
        Promise.resolve([{ records: [], cleanup: [], kept: {}, isLate: late[runs++] === true, hangs: false }]),
    };
    const { execute = () => assert.fail() } = executing('hca', backend as WholeBackend, 50, {
      progress: () => undefined,
    });
    const outcome = await execute(program).then(
      () => 'records',
      (error: unknown) => (error instanceof NotExecuted && error.once?.length === 0 ? 'doubt' : 'error'),
    );
    assert.deepEqual([outcome, runs], [expected, late.length]);
  }
});
