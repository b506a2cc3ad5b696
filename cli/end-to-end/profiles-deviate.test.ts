import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Envelope } from '@cucumber/messages';
import { loadClauses } from '../../catalog/clauses';
import type { ListedDeviation } from '../../catalog/deviations';
import { createDriver } from '../../drivers/sim';
import { profiles } from '../../drivers/sim/lawful/profiles';
import { judgeRun } from '../../reports/judge/judge';
import type { JudgedRun } from '../../reports/judge/judged-run';
import { exitCode } from '../../reports/judge/verdicts';
import { knownDeviations } from '../inputs/deviations';
import { featureRules } from '../inputs/features';
import { execute, prepare } from '../run/execute';
import { pathOf } from '../run/judge-run';
import { knownOf } from '../run/known';

const clauses = loadClauses();
const listed = knownDeviations(clauses);
const rules = featureRules();

/** Runs the rules of these entries on the simulator of a profile, with the list and without an entry of it. */
async function runLike(profile: string, deviations: readonly ListedDeviation[], variant?: string): Promise<JudgedRun> {
  const driver = await createDriver({
    progress: () => undefined,
    profile,
    ...(variant !== undefined && { variant }),
  });
  const own = entriesOf(profile).map(({ rule }) => rule);
  const paths = rules.filter(({ ids }) => ids.some((id) => own.includes(id))).map(pathOf);
  const envelopes: Envelope[] = [];
  const conditions = { driver: 'sim', dut: driver.dut };
  const hear = (envelope: Envelope): unknown => envelopes.push(envelope);
  await execute(driver, await prepare(paths), hear, knownOf(deviations, conditions));
  const info = { suite: { version: '0', commit: '0' }, ...conditions };
  return judgeRun({ envelopes, info, clauses, deviations });
}

function entriesOf(profile: string): ListedDeviation[] {
  return listed.filter(({ when }) => when.provider === profiles[profile]?.provider);
}

function exitCodeOf({ verdicts, problems }: JudgedRun): number {
  return exitCode(verdicts, problems);
}

for (const profile of Object.keys(profiles).filter((name) => entriesOf(name).length > 0)) {
  describe(`the profile ${profile}`, () => {
    it('shows each of its entries', async () => {
      const judged = await runLike(profile, listed);
      assert.deepEqual(
        judged.reckonings.map(({ deviation, state }) => [deviation.rule, deviation.scenario, state]),
        entriesOf(profile).map(({ rule, scenario }) => [rule, scenario, 'shown']),
      );
      assert.equal(exitCodeOf(judged), 0);
    });

    it('fails by each rule of which an entry is missing', async () => {
      const own = new Set(entriesOf(profile));
      const judged = await runLike(
        profile,
        listed.filter((entry) => !own.has(entry)),
      );
      const violated = judged.scenarios
        .filter(({ verdict }) => verdict === 'fail')
        .map(({ recorded }) => recorded.name);
      assert.deepEqual(violated.sort(), [...own].map(({ scenario }) => scenario).sort());
      assert.equal(exitCodeOf(judged), 1);
    });
  });
}

describe('an entry that shows only sometimes', () => {
  const sometimes = listed.filter(({ showsOnlyIf, when }) => showsOnlyIf !== undefined && when.provider === 'bnxt_re');

  it('is no surprise where it does not show, and is reported', async () => {
    const judged = await runLike('bnxt_re', listed, 'qp-numbers-are-small');
    const absent = judged.reckonings.filter(({ state }) => state === 'not-this-time');
    assert.deepEqual(
      absent.map(({ deviation }) => deviation),
      sometimes,
    );
    const told = judged.verdicts.deviations?.filter(({ state }) => state === 'not-this-time') ?? [];
    assert.equal(told.length, 3);
    for (const { detail } of told) assert.match(detail, /^it did not show this time; it does only if the number of/);
    assert.equal(exitCodeOf(judged), 0);
  });

  it('is a surprise without that condition', async () => {
    const strict = listed.map((entry): ListedDeviation => {
      const { showsOnlyIf, ...others } = entry;
      return showsOnlyIf === undefined ? entry : others;
    });
    const judged = await runLike('bnxt_re', strict, 'qp-numbers-are-small');
    assert.equal(judged.scenarios.filter(({ verdict }) => verdict === 'surprise').length, 3);
    assert.equal(exitCodeOf(judged), 1);
  });
});
