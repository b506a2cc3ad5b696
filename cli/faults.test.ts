import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { createDriver } from '../drivers/sim';
import { faults, type Fault } from '../drivers/sim/faults';
import type { JudgedScenario } from '../reports/judge';
import { judgedScenarios, pathOf } from './judge-run';
import { featurePaths, featureRules } from './registry';

const rulesWithScenarios = featureRules().filter(({ scenarios }) => scenarios.length > 0);

/** Runs the scenarios of the rules that a fault breaks; the others say nothing of it. */
async function failuresUnder(name: string, { rules }: Fault): Promise<readonly JudgedScenario[]> {
  const broken = rulesWithScenarios.filter(({ ids }) => ids.some((id) => rules.includes(id)));
  if (broken.length === 0) return []; // without a path Cucumber runs all features
  const driver = await createDriver({ fault: name, progress: () => undefined });
  const scenarios = await judgedScenarios(driver, broken.map(pathOf));
  return scenarios.filter(({ verdict }) => verdict === 'fail');
}

describe('the features on the simulator', () => {
  const failures = new Map<string, readonly JudgedScenario[]>();

  before(async () => {
    for (const [name, fault] of Object.entries(faults)) failures.set(name, await failuresUnder(name, fault));
  });

  it('pass without a fault', async () => {
    const scenarios = await judgedScenarios(await createDriver({ progress: () => undefined }), featurePaths());
    const others = scenarios.filter(({ verdict }) => verdict !== 'pass');
    assert.deepEqual(
      others.map(({ recorded, verdict, detail }) => `${recorded.uri}:${recorded.line} ${verdict}: ${detail ?? ''}`),
      [],
    );
    assert.equal(scenarios.length, rulesWithScenarios.flatMap((rule) => rule.scenarios).length);
  });

  for (const [name, { rules }] of Object.entries(faults)) {
    it(`fail in ${rules.join(', ')} under the fault ${name}`, () => {
      const violated = new Set(failures.get(name)?.flatMap(({ clauseIds }) => clauseIds));
      for (const rule of rules) assert.ok(violated.has(rule), `${rule}; failed: ${[...violated].join(', ')}`);
    });
  }

  for (const { ids, uri, title, scenarios } of rulesWithScenarios) {
    const own = Object.keys(faults).filter((name) => faults[name]?.rules.some((rule) => ids.includes(rule)));
    for (const { name: scenario, line } of scenarios) {
      it(`"${scenario}" can fail for its rule "${title}"`, () => {
        const failed = own.flatMap((name) => failures.get(name) ?? []).map(({ recorded }) => recorded);
        const fails = failed.some((recorded) => recorded.uri === uri && recorded.line === line);
        assert.ok(fails, `${uri}:${line}: none of the faults ${own.join(', ')} fails it`);
      });
    }
  }
});
