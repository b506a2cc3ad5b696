import assert from 'node:assert/strict';
import { cpus } from 'node:os';
import { it } from 'node:test';
import { argumentsOf, folderOf, plansOf } from './plan';

const twoEach = 2 * cpus().length;

/** `name: runs x arguments, load`. */
function told(...args: Parameters<typeof plansOf>): string[] {
  return plansOf(...args).map((plan) => `${plan.name}: ${plan.runs} x ${plan.args.join(' ')}, ${plan.load}`);
}

it('who names no driver soaks the simulator, and soft-RoCE under load', () => {
  assert.deepEqual(told({ runs: 20 }, []), [
    'sim: 50 x --driver sim, 0',
    `rxe 6.1: 20 x --driver soft-roce --kernel 6.1, ${twoEach}`,
  ]);
});

it('who names a driver soaks no other', () => {
  assert.deepEqual(told({ sim: 3, runs: 20 }, ['ibv_poll_cq']), ['sim: 3 x --driver sim ibv_poll_cq, 0']);
  assert.deepEqual(told({ driver: './mine.ts', runs: 4 }, ['-x', '3']), [
    `mine: 4 x --driver ./mine.ts -x 3, ${twoEach}`,
  ]);
  assert.deepEqual(told({ sim: 0, runs: 20 }, []), []);
});

it('each kernel has runs of its own, and folders', () => {
  const plans = plansOf({ softRoce: 2, kernel: ['6.1', '/boot/my kernel'], load: 0, runs: 20 }, []);
  assert.deepEqual(
    plans.map((plan) => [plan.name, plan.load, folderOf(plan, 2)]),
    [
      ['rxe 6.1', 0, 'rxe-6.1/run-2'],
      ['rxe my kernel', 0, 'rxe-my-kernel/run-2'],
    ],
  );
});

it('the runs of a kernel take turns with the clocks of its VM', () => {
  const [plan] = plansOf({ softRoce: 3, vmTime: ['virtual', 'wall'], runs: 20 }, ['ibv_poll_cq']);
  assert.ok(plan);
  assert.deepEqual(
    [1, 2, 3].map((run) => argumentsOf(plan, run).slice(4).join(' ')),
    ['ibv_poll_cq --vm-time virtual', 'ibv_poll_cq --vm-time wall', 'ibv_poll_cq --vm-time virtual'],
  );
});
