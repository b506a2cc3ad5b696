import { TestStepResultStatus } from '@cucumber/messages';
import { mediaTypes, UsageError } from '../../drivers/contract';
import { oneLine } from '../../catalog/plain-text';
import { dutName } from '../../reports/evidence/dut-name';
import { legendOf, stepOf, traceOf, type RecordedTrace } from '../../reports/evidence/recorded-trace';
import { comparisonOfStep } from '../../reports/judge/recorded-failure';
import { outcomeOf, type Finding } from '../../reports/judge/outcome';
import type { RecordedAttempt } from '../../reports/recording/recorded-run';
import { programText } from './c/program-text';
import { checksFor, watched, type RecordedFailure } from './checks';
import { withLinks } from './links';
import { operationsOf, UnknownCall, type StepCall } from './operations';
import type { LocalPort, Op } from './program';
import { placeOf, type ChosenScenario } from './recorded-scenario';
import { referenceRun } from './reference';

/**
 * The program for a scenario.
 *
 * @param any - whether it may have nothing to compare
 * @throws UsageError if the trace cannot be used, or does not show what failed
 */
export async function reproducer(chosen: ChosenScenario, any: boolean): Promise<string> {
  const { recorded, entry, verdicts } = chosen;
  const place = oneLine(placeOf(entry));
  const { attempt, findings } = outcomeOf(recorded);
  const [finding] = findings;
  const trace = traceOf(attempt);
  if (attempt === undefined || trace.calls.length === 0)
    throw new UsageError(`the run has no trace of ${place}, or a damaged one`, 'run it again');
  const failure = failureOf(attempt, finding);
  const local = localOf(chosen);
  refuseOwnEvents(trace, place);
  const ops = withLinks(operations(callsOf(attempt, trace, failure, place), local, place));
  refuseUntoldMoves(chosen, ops, failure);
  const reference = await referenceRun(ops);
  const isLost = ['crash', 'hang', 'panic'].includes(entry.verdict);
  const checks = finding === undefined ? [] : checksFor(ops, reference, failure, local);
  if (checks.length === 0 && finding !== undefined && !isLost && !any) throw unseen(place, finding);
  return programText({
    ops: watched(ops, checks),
    checks,
    answers: reference.answers,
    nameOf: trace.scope.nameOf,
    local,
    about: aboutText(chosen, finding, verdicts.redacted === true),
    hangs: entry.verdict === 'hang',
  });
}

/** What neither a call of the verbs nor the link of the port brings about: the test itself gave the port another table. */
const ofPort = /^IBV_EVENT_(?:LID_|PKEY_|SM_|CLIENT_|GID_)/;

/** @throws UsageError where the scenario did more to the device than call verbs */
function refuseOwnEvents({ calls }: RecordedTrace, place: string): void {
  const types = calls.map(({ outputs }) => outputs.eventType);
  const type = types.find((one) => typeof one === 'string' && ofPort.test(one));
  if (typeof type !== 'string') return;
  throw new UsageError(
    `no call of ${place} raises ${oneLine(type)}: the scenario changed the port itself`,
    'see its trace',
  );
}

/** @throws UsageError where the scenario moved the link of the port, and no event in the step that failed says how */
function refuseUntoldMoves({ recorded, entry }: ChosenScenario, ops: readonly Op[], { step }: RecordedFailure): void {
  const tags = [...(recorded.place?.scenario.tags ?? []), ...(recorded.place?.rule?.tags ?? [])];
  if (!tags.some(({ name }) => name === '@needs.port-control')) return;
  if (ops.some((op) => op.link !== undefined && op.step === step)) return;
  throw new UsageError(`${oneLine(placeOf(entry))} moves the link of the port, which no call of libibverbs does`);
}

function unseen(place: string, { words }: Finding): UsageError {
  const what = oneLine(words);
  return new UsageError(
    `the calls of ${place} show nothing that a sound device does otherwise: ${what}`,
    'see its trace',
  );
}

/** The step in which the scenario failed, of which there may be others in the same words, and what it compared. */
function failureOf({ steps, attachments }: RecordedAttempt, finding: Finding | undefined): RecordedFailure {
  const own = steps.filter(({ kind }) => kind === 'given' || kind === 'step');
  const step = own.findIndex(
    ({ title, result, testStepId }) =>
      title === finding?.where &&
      (result?.status === TestStepResultStatus.FAILED || comparisonOfStep(attachments, testStepId) !== undefined),
  );
  return { step: step < 0 ? undefined : step, comparison: finding?.comparison };
}

/** The calls up to the end of the step that failed, those of the clean-up too where nothing failed before. */
function callsOf(attempt: RecordedAttempt, trace: RecordedTrace, failure: RecordedFailure, place: string): StepCall[] {
  const legend = legendOf(attempt);
  if (legend === undefined)
    throw new UsageError(`the trace of ${place} does not say which step made which call`, 'run it again');
  const calls = trace.calls.map((call, index): StepCall => {
    const title = trace.steps[index];
    return { call, step: stepOf(index, legend.steps), ...(title !== undefined && { title }) };
  });
  const { step } = failure;
  if (step !== undefined) return calls.filter((call) => (call.step ?? 0) <= step);
  const cleanUp = traceOf(attempt, mediaTypes.cleanUpTrace).calls;
  return [...calls, ...cleanUp.map((call): StepCall => ({ call, title: 'What is left' }))];
}

function operations(calls: readonly StepCall[], local: LocalPort, place: string): Op[] {
  try {
    return operationsOf(calls, local);
  } catch (error) {
    if (!(error instanceof UnknownCall)) throw error;
    throw new UsageError(
      `the trace of ${place} has a call that is not known: ${oneLine(error.message)}`,
      'run it again',
    );
  }
}

function localOf({ verdicts: { dut } }: ChosenScenario): LocalPort {
  const { portNum = 1, gidIndex = 0, gid = '' } = dut.port ?? {};
  return { device: dut.hcaId ?? '', portNum, gidIndex, gid };
}

function aboutText(
  { verdicts, entry, recorded }: ChosenScenario,
  finding: Finding | undefined,
  redacted: boolean,
): string[] {
  const rule = recorded.place?.rule?.name;
  return [
    ...(rule === undefined ? [] : [rule]),
    `Scenario: ${entry.name}`,
    placeOf(entry),
    '',
    `Verdict on ${dutName(verdicts)}: ${entry.verdict}`,
    ...(finding === undefined ? [] : findingText(finding)),
    ...(entry.verdict === 'crash' ? ['The program ends by the signal.'] : []),
    ...(redacted ? ['Addresses and names are those of a redacted run.'] : []),
  ];
}

function findingText({ where, words, expected, observed }: Finding): string[] {
  return [
    `Step: ${where}`,
    words,
    ...(expected === undefined ? [] : [`Expected: ${expected}`]),
    ...(observed === undefined ? [] : [`Observed: ${observed}`]),
    "What is compared is what verbspec's reference, the simulator, answers to the same calls.",
  ];
}
