import type { Envelope } from '@cucumber/messages';
import type { Driver } from '../../drivers/contract';
import { loadClauses } from '../../catalog/clauses';
import { judgeRun } from '../../reports/judge/judge';
import type { JudgedRun, JudgedScenario } from '../../reports/judge/judged-run';
import { execute, prepare } from './execute';
import type { FeatureRule } from '../inputs/features';

/**
 * Runs features on a driver and judges the run.
 *
 * @param onMessage - hears each message as it comes
 */
export async function judgedRun(
  driver: Driver,
  paths: readonly string[],
  order?: string,
  cucumberOptions: readonly string[] = [],
  onMessage?: (envelope: Envelope) => void,
): Promise<JudgedRun> {
  const envelopes: Envelope[] = [];
  await execute(driver, await prepare(paths, cucumberOptions, order), (envelope) => {
    envelopes.push(envelope);
    onMessage?.(envelope);
  });
  const info = { suite: { version: '0', commit: '0' }, driver: 'sim', dut: driver.dut };
  return judgeRun({ envelopes, info, clauses: loadClauses(), deviations: [] });
}

/** Runs features on a driver and judges their scenarios. */
export async function judgedScenarios(...args: Parameters<typeof judgedRun>): Promise<readonly JudgedScenario[]> {
  return (await judgedRun(...args)).scenarios;
}

/** The feature path with the lines of all scenarios of a rule. */
export function pathOf({ uri, scenarios }: FeatureRule): string {
  return [uri, ...scenarios.map(({ line }) => line)].join(':');
}
