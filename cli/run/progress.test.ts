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

it('what fails as the list of deviations says is not told', () => {
  const lines: string[] = [];
  const stream = { write: (text: string) => lines.push(text) } as unknown as NodeJS.WriteStream;
  const progress = new Progress(stream);
  const known = JSON.stringify(failing('a', 'EBUSY')).replaceAll('"type":"Error"', '"type":"KnownDeviation"');
  for (const envelope of JSON.parse(known) as readonly Envelope[]) progress.follow(envelope);
  assert.deepEqual(lines, []);
});

it('the time that is left is printed once there is something to tell it from', () => {
  const lines: string[] = [];
  const stream = { isTTY: true, columns: 80, write: (text: string) => lines.push(text) };
  let now = 0;
  const progress = new Progress(stream as unknown as NodeJS.WriteStream, undefined, () => now);
  const scenarios = ['a', 'b', 'c', 'd'].map((name) => failing(name));
  const [pickles, runs] = [scenarios.map((all) => all.slice(0, 2)), scenarios.map((all) => all.slice(2))];
  for (const envelope of pickles.flat()) progress.follow(envelope);
  for (const run of runs) {
    for (const envelope of run) {
      progress.follow(envelope);
      now += 1000;
    }
  }
  const counts = lines.filter((line) => line.includes(' of ')).map((line) => line.trim());
  assert.deepEqual(counts, [
    '0 of 4 scenarios  a',
    '1 of 4 scenarios',
    '1 of 4 scenarios  b',
    '2 of 4 scenarios, about 3 s left',
    '2 of 4 scenarios, about 4 s left  c',
    '3 of 4 scenarios, about 2 s left',
    '3 of 4 scenarios, about 2 s left  d',
    '4 of 4 scenarios',
  ]);
});
