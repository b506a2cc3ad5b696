import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { TraceStruct } from '../../drivers/contract';
import { soundParts } from '../../drivers/sim/device/device';
import { calledVerbs } from '../../drivers/sim/faults/systematic/triggers';
import type { Success } from '../../drivers/sim/return-values';
import { Simulator } from '../../drivers/sim/simulator';
import { Verbs } from '../../drivers/sim/verbs';
import type { VerbName } from '../../drivers/verbs';
import { judgedScenarios } from '../run/judge-run';

it('other objects are used by each verb, so that none can spoil unseen what it has nothing to do with', async () => {
  const called = new Set<string>();
  class Telling extends Verbs {
    override call(name: VerbName, args: TraceStruct): Success | Promise<Success> {
      called.add(name);
      return super.call(name, args);
    }
  }
  const driver = new Simulator({ parts: { ...soundParts, Verbs: Telling } });
  const rows = ['--tags', '@ibv_req_notify_cq.arms-cq', '--name', 'A request for any CQE outlives'];
  const scenarios = await judgedScenarios(driver, ['features/cq/ibv_req_notify_cq.feature'], undefined, rows);
  assert.ok(scenarios.length > 10);
  assert.deepEqual([...new Set(scenarios.map(({ verdict }) => verdict))], ['pass']);
  assert.deepEqual(
    calledVerbs()
      .map(({ c }) => c)
      .filter((verb) => !called.has(verb)),
    [],
  );
});
