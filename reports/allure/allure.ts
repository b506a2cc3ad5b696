import { TimeConversion, type Envelope, type Timestamp } from '@cucumber/messages';
import { EventEmitter } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { executorOf } from './allure-executor';
import type { AllureHistory } from './allure-history';
import { capabilityCategory, capabilityResult } from './allure-capabilities';
import { asItFailed } from './allure-known-failures';
import { categories, allureEnvironmentOf, causeCategories } from './allure-metadata';
import { AllureReporter } from './allure-reporter';
import { listResults } from './allure-list-results';
import { AllureWriter } from './allure-writer';
import type { Causes } from '../diagnosis/causes';
import type { JudgedRun, JudgedScenario } from '../judge/judged-run';

const callsShownMax = 20;

/** What the results say beside the run. */
export interface AllureBeside {
  readonly history?: AllureHistory;
  /** What its failures look like: a category each. */
  readonly causes?: Pick<Causes, 'causes'>;
}

/**
 * Writes the Allure results of a judged run, one for each scenario and each deviation to be fixed, into a clean folder,
 * and one for the capabilities of the device where some are expected.
 *
 * Times are those of the messages. A scenario that the run did not end, or not begin, ends with the run.
 */
export function writeAllureResults(
  judged: JudgedRun,
  resultsDir: string,
  { history, causes: { causes } = { causes: [] } }: AllureBeside = {},
): void {
  rmSync(resultsDir, { recursive: true, force: true });
  mkdirSync(resultsDir, { recursive: true });
  const { envelopes, info, clauses } = judged.recording;
  const scenarios = new Map(judged.scenarios.map((scenario) => [startedIdOf(scenario), scenario]));
  const eventBroadcaster = new EventEmitter();
  const writer = new AllureWriter(resultsDir);
  writer.writeExecutor(executorOf(judged, (history?.runs ?? 0) + 1));
  history?.copyTo(resultsDir);
  new AllureReporter(eventBroadcaster, {
    writer,
    info,
    clauses,
    environment: allureEnvironmentOf(judged),
    categories: [...causeCategories(causes), ...categories, capabilityCategory],
    causes,
    hooks: envelopes.flatMap(({ hook }) => hook ?? []),
    scenarios,
    callsShownMax,
    ...(judged.faults && { faults: judged.faults }),
  });
  for (const envelope of completedMessages(judged)) eventBroadcaster.emit('envelope', asItFailed(envelope, scenarios));
  const capabilities = capabilityResult(judged);
  if (capabilities !== undefined) writer.writeResult(capabilities);
  for (const result of listResults(judged)) writer.writeResult(result);
}

/** The id of the attempt that counts; one is made up for a scenario that never began. */
function startedIdOf({ outcome, recorded }: JudgedScenario): string {
  return outcome.attempt?.testCaseStartedId ?? `never-began-${recorded.testCaseId}`;
}

/** The messages of the attempts that count, with those added that a cut run lacks. */
function completedMessages({ recording, scenarios, run }: JudgedRun): object[] {
  const counting = new Set(scenarios.map(startedIdOf));
  const timestamp = TimeConversion.millisecondsSinceEpochToTimestamp(run.stopMs);
  const kept = recording.envelopes.filter((envelope) => {
    const id = attemptOf(envelope);
    return !envelope.testRunFinished && (id === undefined || counting.has(id));
  });
  const added = scenarios.flatMap((scenario) => missingMessages(scenario, timestamp));
  return [...kept, ...added, { testRunFinished: { success: false, timestamp } }];
}

function missingMessages(scenario: JudgedScenario, timestamp: Timestamp): object[] {
  const id = startedIdOf(scenario);
  const { attempt } = scenario.outcome;
  const started = { testCaseStarted: { id, testCaseId: scenario.recorded.testCaseId, attempt: 0, timestamp } };
  const finished = { testCaseFinished: { testCaseStartedId: id, timestamp, willBeRetried: false } };
  if (attempt === undefined) return [started, finished];
  return attempt.stopMs === undefined ? [finished] : [];
}

function attemptOf(envelope: Envelope): string | undefined {
  const { testCaseStarted, testCaseFinished, testStepStarted, testStepFinished, attachment } = envelope;
  const within = [testCaseFinished, testStepStarted, testStepFinished, attachment];
  return testCaseStarted?.id ?? within.find((message) => message !== undefined)?.testCaseStartedId;
}
