import type { Envelope } from '@cucumber/messages';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { featureRules } from '../../cli/inputs/features';
import { readRuns } from '../../cli/inputs/recorded-runs';
import type { ChosenScenario } from '../../cli/reproduce/recorded-scenario';
import { execute, prepare } from '../../cli/run/execute';
import { knownOf } from '../../cli/run/known';
import { loadClauses } from '../../catalog/clauses';
import type { ScenarioVerdict } from '../../catalog/verdict';
import { HarnessError, type Driver } from '../../drivers/contract';
import { judgeRun } from '../../reports/judge/judge';
import { scenariosOf, type Verdicts } from '../../reports/judge/verdicts';
import { parseMessages } from '../../reports/recording/messages';
import { readRun, type RecordedScenario } from '../../reports/recording/recorded-run';

/** The scenarios of a recorded run that deviate as listed. */
export function deviationsIn(folder: string): ChosenScenario[] {
  const [run] = readRuns([folder]);
  if (run === undefined) throw new HarnessError(`${folder} is not a run`);
  const { scenarios } = readRun(parseMessages(readFileSync(join(folder, 'messages.ndjson'), 'utf8')));
  return chosenOf(run.verdicts, scenarios, ['deviates']);
}

/** Where the scenarios of some rules stand: `features/cq/ibv_poll_cq.feature:17`. */
export function placesOf(rules: readonly string[]): string[] {
  return featureRules().flatMap(({ ids, uri, scenarios }) =>
    ids.some((id) => rules.includes(id)) ? scenarios.map(({ line }) => `${uri}:${line}`) : [],
  );
}

/**
 * Runs scenarios.
 *
 * @returns those that failed, or in which a call did not return
 */
export async function failuresOf(driver: Driver, paths: readonly string[]): Promise<ChosenScenario[]> {
  const envelopes: Envelope[] = [];
  const clauses = loadClauses();
  const info = { suite: { version: '0.0.0', commit: '0' }, driver: 'soft-roce', dut: driver.dut };
  const hear = (envelope: Envelope): number => envelopes.push(envelope);
  await execute(driver, await prepare([...paths]), hear, knownOf([], info));
  const { verdicts, run } = judgeRun({ envelopes, info, clauses, deviations: [] });
  return chosenOf(verdicts, run.scenarios, ['fail', 'hang']);
}

function chosenOf(
  verdicts: Verdicts,
  scenarios: readonly RecordedScenario[],
  wanted: readonly ScenarioVerdict[],
): ChosenScenario[] {
  return scenariosOf(verdicts).flatMap((entry) => {
    const recorded = scenarios.find(({ uri, line }) => uri === entry.uri && line === entry.line);
    return wanted.includes(entry.verdict) && recorded !== undefined ? [{ verdicts, entry, recorded }] : [];
  });
}
