import type { Envelope } from '@cucumber/messages';
import { execute, prepare } from '../../cli/run/execute';
import { knownOf } from '../../cli/run/known';
import { knownDeviations } from '../../cli/inputs/deviations';
import { mediaTypes, type Driver } from '../../drivers/contract';
import { loadClauses } from '../../catalog/clauses';
import { failureOf } from '../../reports/diagnosis/failures';
import { differingIn } from '../../reports/diagnosis/members/differing';
import { judgeRun } from '../../reports/judge/judge';
import type { JudgedScenario } from '../../reports/judge/judged-run';
import type { Sound } from './judge-fault';

/**
 * Runs features on a driver and judges their scenarios.
 *
 * @param excused - whether known deviations of the device count as such
 */
export async function runFeatures(
  driver: Driver,
  paths: readonly string[],
  excused: boolean,
): Promise<readonly Sound[]> {
  const envelopes: Envelope[] = [];
  const clauses = loadClauses();
  const info = { suite: { version: '0', commit: '0' }, driver: 'soft-roce', dut: driver.dut };
  const deviations = excused ? knownDeviations(clauses) : [];
  const hear = (envelope: Envelope): number => envelopes.push(envelope);
  await execute(driver, await prepare(paths), hear, knownOf(deviations, info));
  return judgeRun({ envelopes, info, clauses, deviations }).scenarios.map(soundOf);
}

function soundOf(scenario: JudgedScenario): Sound {
  const { recorded, verdict, detail, clauseIds } = scenario;
  const { uri, line, name, attempts } = recorded;
  const traces = (attempts.at(-1)?.attachments ?? []).filter(({ mediaType }) => isTrace(mediaType));
  const calls = traces.flatMap(({ body }) => JSON.parse(body) as readonly { readonly verb: string }[]);
  const failure = failureOf(scenario);
  return {
    ...{ uri, line, name, clauseIds, verdict, detail },
    signature: failure?.signature,
    differing: differingIn(failure?.finding.comparison),
    calls: calls.map((call) => [call.verb, JSON.stringify(call)]),
  };
}

function isTrace(mediaType: string): boolean {
  return mediaType === mediaTypes.trace || mediaType === mediaTypes.cleanUpTrace;
}
