import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Envelope } from '@cucumber/messages';
import { parseMessages } from '../../reports/recording/messages';
import { Progress } from './progress';

/** The messages of a scenario in which steps or hooks failed with these words. */
function failing(name: string, ...reasons: string[]): readonly Envelope[] {
  const testCaseStartedId = `started ${name}`;
  const messages = [
    { pickle: { id: name, name } },
    { testCase: { id: name, pickleId: name, testSteps: [] } },
    { testCaseStarted: { id: testCaseStartedId, testCaseId: name } },
    ...reasons.map((message) => ({
      testStepFinished: {
        testCaseStartedId,
        testStepResult: { status: 'FAILED', exception: { type: 'Error', message } },
      },
    })),
    { testCaseFinished: { testCaseStartedId } },
  ];
  return parseMessages(messages.map((message) => JSON.stringify(message)).join('\n'));
}

it('a scenario that fails in two places is one line, and a reason that comes again and again is a line at last', () => {
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
