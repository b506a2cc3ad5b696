import { createHash, randomUUID } from 'node:crypto';
import { LabelName, Stage, Status, type TestResult } from 'allure-js-commons';
import type { Category } from 'allure-js-commons/sdk';
import type { JudgedRun } from '../judge/judged-run';

const heading = 'Missing capability';
const name = 'The device has the capabilities that are expected of it';

/** Sorts the result of {@link capabilityResult}. */
export const capabilityCategory: Category = {
  name: heading,
  messageRegex: `${heading}: [\\s\\S]*`,
  matchedStatuses: [Status.FAILED],
};

/**
 * A result of its own for the capabilities that are expected of the device: the scenarios that lack one do not apply,
 * and a report of nothing but those would look fine.
 */
export function capabilityResult({ verdicts, run }: JudgedRun): TestResult | undefined {
  const { driver, expectedCapabilities } = verdicts;
  if (expectedCapabilities === undefined) return undefined;
  const { expected, missing, added } = expectedCapabilities;
  const fullName = 'device#expected capabilities';
  const lines = [
    ...(missing.length > 0 ? [`${heading}: ${missing.join(', ')}`] : []),
    `Expected: ${expected.join(', ') || 'none'}`,
    ...(added.length > 0 ? [`New: ${added.join(', ')}`] : []),
  ];
  return {
    uuid: randomUUID(),
    name,
    fullName,
    testCaseId: md5(fullName),
    historyId: md5(`${driver}#${fullName}`),
    titlePath: ['Device', 'Capabilities'],
    status: missing.length > 0 ? Status.FAILED : Status.PASSED,
    stage: Stage.FINISHED,
    statusDetails: { message: lines.join('\n') },
    start: run.startMs,
    stop: run.startMs,
    steps: [],
    attachments: [],
    parameters: [],
    links: [],
    labels: [
      { name: LabelName.EPIC, value: 'Device' },
      { name: LabelName.FEATURE, value: 'Capabilities' },
      { name: LabelName.STORY, value: name },
      { name: LabelName.PARENT_SUITE, value: driver },
      { name: LabelName.SUITE, value: 'Device' },
      { name: LabelName.SEVERITY, value: 'critical' },
      { name: LabelName.FRAMEWORK, value: 'verbspec' },
    ],
  };
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
