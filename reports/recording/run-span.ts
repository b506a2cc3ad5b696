import { TestStepResultStatus, type Envelope, type TestRunHookFinished, type Timestamp } from '@cucumber/messages';
import { epochMs } from './messages';
import { oneLine } from '../../catalog/plain-text';

/** Start and end of a run; for a run that was killed, the end is its last message that has a time. */
export function recordedSpan(envelopes: readonly Envelope[]): { startMs: number; stopMs: number } {
  const times = envelopes.flatMap((envelope) => {
    const timestamp = timestampOf(envelope);
    return timestamp ? [epochMs(timestamp)] : [];
  });
  const startMs = times[0] ?? 0;
  return { startMs, stopMs: times.reduce((latest, time) => Math.max(latest, time), startMs) };
}

/** What went wrong outside of all scenarios, one line each. */
export function runProblems(envelopes: readonly Envelope[]): string[] {
  const problems = envelopes.flatMap(({ parseError, testRunHookFinished }) => {
    if (parseError) return [`${parseError.source.uri ?? 'a feature'} cannot be parsed: ${oneLine(parseError.message)}`];
    return testRunHookFinished ? hookProblem(testRunHookFinished) : [];
  });
  const started = envelopes.some((envelope) => envelope.testRunStarted);
  const finished = envelopes.some((envelope) => envelope.testRunFinished);
  return started && !finished ? [...problems, 'the run was cut short: it has no end'] : problems;
}

function hookProblem({ result }: TestRunHookFinished): string[] {
  if (result.status !== TestStepResultStatus.FAILED) return [];
  const { type = 'Error', message = result.message ?? '' } = result.exception ?? {};
  return [`a hook around the run failed with ${type}: ${oneLine(message)}`];
}

function timestampOf(envelope: Envelope): Timestamp | undefined {
  const { testRunStarted, testRunFinished, testRunHookStarted, testRunHookFinished } = envelope;
  const { testCaseStarted, testCaseFinished, testStepStarted, testStepFinished, attachment } = envelope;
  return [
    testRunStarted,
    testRunFinished,
    testRunHookStarted,
    testRunHookFinished,
    testCaseStarted,
    testCaseFinished,
    testStepStarted,
    testStepFinished,
    attachment,
  ].find((message) => message?.timestamp !== undefined)?.timestamp;
}
