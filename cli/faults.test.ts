import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { createDriver } from '../drivers/sim';
import { faults } from '../drivers/sim/faults';
import type { JudgedScenario } from '../reports/judge';
import { judgedScenarios } from './fixtures/judge-run';
import { featurePaths, featureRules } from './registry';

async function scenariosUnder(fault?: string): Promise<readonly JudgedScenario[]> {
  const driver = await createDriver({ ...(fault !== undefined && { fault }), progress: () => undefined });
  return judgedScenarios(driver, featurePaths());
}

describe('the features on the simulator', () => {
  const failed = new Map<string, readonly JudgedScenario[]>();
  let sound: readonly JudgedScenario[] = [];

  before(async () => {
    sound = await scenariosUnder();
    for (const fault of Object.keys(faults)) {
      failed.set(
        fault,
        (await scenariosUnder(fault)).filter(({ verdict }) => verdict === 'fail'),
      );
    }
  });

  it('pass without a fault', () => {
    assert.deepEqual([...new Set(sound.map(({ verdict }) => verdict))], ['pass']);
  });

  for (const [name, { rules }] of Object.entries(faults)) {
    it(`fail in ${rules.join(', ')} under the fault ${name}`, () => {
      const violated = new Set(failed.get(name)?.flatMap(({ clauseIds }) => clauseIds));
      for (const rule of rules) assert.ok(violated.has(rule), `${rule}; failed: ${[...violated].join(', ')}`);
    });
  }

  for (const { ids, title, scenarios } of featureRules()) {
    for (const scenario of scenarios) {
      it(`"${scenario.name}" can fail for its rule "${title}"`, () => {
        const own = Object.keys(faults).filter((name) => faults[name]?.rules.some((rule) => ids.includes(rule)));
        const killers = own.filter((name) => failed.get(name)?.some(({ recorded }) => recorded.line === scenario.line));
        assert.notDeepEqual(killers, [], `none of the faults ${own.join(', ')} fails it`);
      });
    }
  }
});
