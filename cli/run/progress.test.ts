import assert from 'node:assert/strict';
import { it } from 'node:test';
import { TestStepResultStatus, type Envelope } from '@cucumber/messages';
import { Progress } from './progress';

const at = { seconds: 0, nanos: 0 };

/** The messages of a scenario in which steps or hooks failed with these words. */
function failing(name: string, ...reasons: string[]): Envelope[] {
  const duration = at;
  const finished = reasons.map((message, index): Envelope => {
    const testStepResult = {
      duration,
      status: TestStepResultStatus.FAILED,
      exception: { type: 'VerbsError', message },
    };
    return {
      testStepFinished: { testCaseStartedId: `started ${name}`, testStepId: `${index}`, timestamp: at, testStepResult },
    };
  });
  return [
    { pickle: { id: name, name, uri: '', language: 'en', astNodeIds: [], tags: [], steps: [] } },
    { testCase: { id: name, pickleId: name, testSteps: [] } },
    { testCaseStarted: { attempt: 0, id: `started ${name}`, testCaseId: name, timestamp: at } },
    ...finished,
    { testCaseFinished: { testCaseStartedId: `started ${name}`, timestamp: at, willBeRetried: false } },
  ];
}

it('a scenario that fails in two places is one line, and a reason that comes again and again is told once', () => {
  const lines: string[] = [];
  const stream = { write: (text: string) => lines.push(text) } as unknown as NodeJS.WriteStream;
  const progress = new Progress(stream);
  const scenarios = ['a', 'b', 'c', 'd', 'e'].flatMap((name) => failing(name, 'EBUSY', 'EBUSY'));
  for (const envelope of [...scenarios, ...failing('f', 'EINVAL')]) progress.follow(envelope);
  assert.deepEqual(lines, [
    ...['a', 'b', 'c'].map((name) => `  did not pass: ${name}\n`),
    '  and others did not pass for the same reason: EBUSY\n',
    '  did not pass: f\n',
  ]);
});
