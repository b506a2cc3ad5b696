import { Stage, Status, type TestResult } from 'allure-js-commons';
import { createTestResult } from 'allure-js-commons/sdk/reporter';
import { randomUUID } from 'node:crypto';
import { deviationLink, md5 } from './allure-metadata';
import { stateInWords } from '../judge/deviation-entries';
import { listHeadings } from '../evidence/explain';
import type { JudgedRun } from '../judge/judged-run';
import type { Reckoning } from '../judge/match-deviations';
import { oneLine } from '../../catalog/plain-text';

const suite = 'List of known deviations';

/** Results for the deviations that fail a run though no scenario may: the report must not be green where the gate is not. */
export function listResults({ reckonings, recording, run }: JudgedRun): TestResult[] {
  return reckonings.flatMap((reckoning) =>
    reckoning.state === 'expired' || reckoning.state === 'unused'
      ? [resultOf(reckoning, reckoning.state, recording.info.driver, run.stopMs)]
      : [],
  );
}

function resultOf(reckoning: Reckoning, state: keyof typeof listHeadings, driver: string, stopMs: number): TestResult {
  const { rule, scenario, when, reason, listedAt } = reckoning.deviation;
  const name = `${listHeadings[state]} of ${rule}${scenario === undefined ? '' : `: ${scenario}`}`;
  const fullName = [suite, rule, scenario ?? '', JSON.stringify(when)].join('#');
  const message = [
    `${listHeadings[state]}: ${stateInWords(reckoning)}`,
    `Reason:   ${oneLine(reason)}`,
    ...(listedAt === undefined ? [] : [`Listed:   ${listedAt}`]),
  ].join('\n\n');
  return {
    ...createTestResult(randomUUID()),
    name,
    fullName,
    testCaseId: md5(fullName),
    historyId: md5(`${driver}#${fullName}`),
    titlePath: [suite],
    status: Status.FAILED,
    stage: Stage.FINISHED,
    statusDetails: { message },
    start: stopMs,
    stop: stopMs,
    labels: [
      { name: 'epic', value: suite },
      { name: 'feature', value: listHeadings[state] },
      { name: 'story', value: rule },
      { name: 'parentSuite', value: driver },
      { name: 'suite', value: suite },
      { name: 'subSuite', value: listHeadings[state] },
      { name: 'severity', value: 'normal' },
      { name: 'framework', value: 'verbspec' },
      { name: 'tag', value: rule },
    ],
    links: [deviationLink(reckoning)],
  };
}
