import { TestStepResultStatus as Status, type TestStepFinished } from '@cucumber/messages';
import { comparedText, KnownDeviation, subjectText, type Comparison } from '../../drivers/contract';
import type { JudgedScenario } from '../judge/judged-run';
import { comparisonOfStep } from '../judge/recorded-failure';

/**
 * A message as it were if a scenario did not go on after what is known of the device: the step has failed, and the hook that
 * says so at the end has not.
 *
 * @param scenarios - by the id of their attempt
 */
export function asItFailed(
  envelope: { readonly testStepFinished?: TestStepFinished },
  scenarios: ReadonlyMap<string, JudgedScenario>,
): object {
  if (envelope.testStepFinished === undefined) return envelope;
  const { testCaseStartedId, testStepId, timestamp, testStepResult: result } = envelope.testStepFinished;
  const { duration } = result;
  const finished = (testStepResult: object): object => {
    return { testStepFinished: { testCaseStartedId, testStepId, timestamp, testStepResult } };
  };
  if (result.exception?.type === KnownDeviation.name) return finished({ duration, status: Status.PASSED });
  const attachments = scenarios.get(testCaseStartedId)?.outcome.attempt?.attachments ?? [];
  const failed = result.status === Status.PASSED ? comparisonOfStep(attachments, testStepId) : undefined;
  if (failed === undefined) return envelope;
  const message = messageOf(failed);
  return finished({ duration, status: Status.FAILED, message, exception: { type: 'RuleViolated', message } });
}

function messageOf(failed: Comparison): string {
  return `${subjectText(failed)}; expected ${comparedText(failed.expected)}, observed ${comparedText(failed.observed)}`;
}
