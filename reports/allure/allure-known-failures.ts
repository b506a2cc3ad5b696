import { TestStepResultStatus as Status, type Envelope } from '@cucumber/messages';
import { KnownDeviation, subjectText, dataText, type Comparison } from '../../drivers/contract';
import type { JudgedScenario } from '../judge/judged-run';
import { comparisonOfStep } from '../judge/recorded-failure';

/**
 * A message as it were if a scenario did not go on after what is known of the device: the step has failed, and the hook that
 * says so at the end has not.
 *
 * @param scenarios - by the id of their attempt
 */
export function asItFailed(envelope: Envelope, scenarios: ReadonlyMap<string, JudgedScenario>): Envelope {
  const { testStepFinished } = envelope;
  if (testStepFinished === undefined) return envelope;
  const { testCaseStartedId, testStepId, testStepResult: result } = testStepFinished;
  const { duration } = result;
  if (result.exception?.type === KnownDeviation.name)
    return { testStepFinished: { ...testStepFinished, testStepResult: { duration, status: Status.PASSED } } };
  const attachments = scenarios.get(testCaseStartedId)?.outcome.attempt?.attachments ?? [];
  const failed = result.status === Status.PASSED ? comparisonOfStep(attachments, testStepId) : undefined;
  if (failed === undefined) return envelope;
  const message = messageOf(failed);
  const exception = { type: 'RuleViolated', message };
  const testStepResult = { duration, status: Status.FAILED, message, exception };
  return { testStepFinished: { ...testStepFinished, testStepResult } };
}

function messageOf(failed: Comparison): string {
  return `${subjectText(failed)}; expected ${dataText(failed.expected)}, observed ${dataText(failed.observed)}`;
}
