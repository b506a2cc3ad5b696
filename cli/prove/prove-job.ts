import { PickleStepType, type Pickle } from '@cucumber/messages';
import { mediaTypes } from '../../drivers/contract';
import type { Parts } from '../../drivers/sim/device/device';
import { partsWith } from '../../drivers/sim/faults';
import type { Fault } from '../../drivers/sim/faults/fault';
import { Prover } from '../../drivers/sim/faults/prover';
import { tellingParts } from '../../drivers/sim/faults/touched';
import { textOf } from '../../reports/recording/attachment-text';
import type { JudgedRun, JudgedScenario } from '../../reports/judge/judged-run';
import type { ProvedScenario, SoundScenario } from '../../reports/proof/proof';
import { parseTrace } from '../../reports/evidence/trace-text';
import { judgedRun } from '../run/judge-run';

/** Runs features under a fault; the scenarios that did not pass. */
export async function runUnder(fault: Fault, paths: readonly string[], beat: () => void): Promise<ProvedScenario[]> {
  const { scenarios } = await judged(partsWith(fault), paths, beat);
  return scenarios.filter(({ verdict }) => verdict !== 'pass').map(asProved);
}

/** Runs features without a fault. */
export async function runSound(paths: readonly string[], beat: () => void): Promise<SoundScenario[]> {
  const touches = new Map<string, Set<string>>();
  let current = new Set<string>();
  const parts = tellingParts((touch) => current.add(touch));
  const run = await judged(parts, paths, (testCaseId) => {
    beat();
    touches.set(testCaseId, (current = new Set()));
  });
  const checks = checksByTestCase(run);
  return run.scenarios.map((scenario) => ({
    ...asProved(scenario),
    verbs: verbsOf(scenario),
    touches: [...(touches.get(scenario.recorded.testCaseId) ?? []), ...verbsOf(scenario)],
    checks: checks.get(scenario.recorded.testCaseId) ?? 0,
  }));
}

/** @param onScenario - called as each scenario begins */
function judged(parts: Parts, paths: readonly string[], onScenario: (testCaseId: string) => void): Promise<JudgedRun> {
  return judgedRun(new Prover(parts), paths, 'defined', [], ({ testCaseStarted }) => {
    if (testCaseStarted) onScenario(testCaseStarted.testCaseId);
  });
}

function asProved({ recorded, clauseIds, verdict, detail }: JudgedScenario): ProvedScenario {
  const { uri, line, name } = recorded;
  return { uri, line, name, clauseIds, verdict, ...(detail !== undefined && { detail }) };
}

function verbsOf({ outcome }: JudgedScenario): string[] {
  const traces = (outcome.attempt?.attachments ?? []).filter(({ mediaType }) => isTrace(mediaType));
  return [...new Set(traces.flatMap((trace) => (parseTrace(textOf(trace)) ?? []).map(({ verb }) => verb)))];
}

function isTrace(mediaType: string): boolean {
  return mediaType === mediaTypes.trace || mediaType === mediaTypes.cleanUpTrace;
}

function checksByTestCase({ recording }: JudgedRun): ReadonlyMap<string, number> {
  const pickles = new Map(recording.envelopes.flatMap(({ pickle }) => (pickle ? [[pickle.id, pickle]] : [])));
  return new Map(
    recording.envelopes.flatMap(({ testCase }) =>
      testCase ? [[testCase.id, checksOf(pickles.get(testCase.pickleId))]] : [],
    ),
  );
}

function checksOf(pickle: Pickle | undefined): number {
  return pickle?.steps.filter(({ type }) => type === PickleStepType.OUTCOME).length ?? 0;
}
