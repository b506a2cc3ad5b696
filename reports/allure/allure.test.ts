import { Status, type TestResult, type TestResultContainer } from 'allure-js-commons';
import { parseEnvInfo } from 'allure-js-commons/sdk/reporter';
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { causesOf } from '../diagnosis/causes';
import { writeAllureResults } from './allure';
import { deviation } from '../fixtures/deviation';
import { info, judgeMessages, recordOutcomes } from '../fixtures/record-outcomes';
import { judgeRun } from '../judge/judge';
import type { JudgedRun } from '../judge/judged-run';

const deviations = [
  deviation({
    rule: 'ibv_req_notify_cq.one-shot',
    scenario: 'A structure differs',
    symptom: { subject: '*', observed: { wr_id: '0x7', status: 'IBV_WC_SUCCESS' } },
    reason: 'rxe completes what it should flush',
  }),
  deviation({
    rule: 'ibv_req_notify_cq.signature',
    scenario: 'An unmarked scenario',
    symptom: 'crash',
    reason: 'rxe used to crash here',
  }),
];

const folder = mkdtempSync(join(tmpdir(), 'verbspec-allure-'));
let messages = '';
let judged: JudgedRun;
let results: TestResult[];

before(() => {
  writeFileSync(join(folder, 'of-an-earlier-run-result.json'), '{}');
  messages = recordOutcomes();
  judged = judgeMessages(messages, deviations);
  results = write(judged);
});

after(() => {
  rmSync(folder, { recursive: true });
});

function write(run: JudgedRun): TestResult[] {
  writeAllureResults(run, folder);
  return readAll<TestResult>('-result.json');
}

function readAll<T>(suffix: string): T[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(suffix));
  return files.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as T);
}

function resultOf(name: string): TestResult {
  const result = results.find((candidate) => candidate.name === name);
  assert.ok(result, name);
  return result;
}

function labelsOf(result: TestResult, name: string): string[] {
  return result.labels.filter((label) => label.name === name).map((label) => label.value);
}

function attachment(result: TestResult, name: string): string {
  const found = result.attachments.find((candidate) => candidate.name === name);
  assert.ok(found, name);
  return readFileSync(join(folder, found.source), 'utf8');
}

const statuses: readonly [name: string, status: string, message: RegExp][] = [
  [
    'An assertion fails',
    'failed',
    /^Failed rule: One request adds at most one completion event; expected 2; observed 1$/,
  ],
  ['A verb refuses', 'failed', /^Failed rule: Success is reported as 0; .*EINVAL/],
  ['The host crashes', 'failed', /^Crash: the driver process died of SIGSEGV in ibv_post_send/],
  ['A verb hangs', 'failed', /^Hang: ibv_destroy_cq did not return/],
  ['The kernel panics', 'failed', /^Kernel panic: the kernel of the DUT oopsed/],
  ['The host crashes in a Before hook', 'failed', /^Crash: /],
  ['The kernel panics after an assertion failed', 'failed', /^Kernel panic: /],
  ['An unmarked scenario', 'failed', /^Surprise: the known deviation did not show: rxe used to crash here/],
  ['A structure differs', 'skipped', /^Known deviation: rxe completes what it should flush; expected /],
  ['On the CQ of an SRQ', 'skipped', /^Not applicable: the device has no shared receive queues/],
  ['A verb refuses what is given', 'broken', /^Blocked: ibv_create_cq\(\) was refused/],
  ['The clean-up is refused', 'broken', /^Blocked: ibv_destroy_cq\(\) was refused/],
  ['The harness fails', 'broken', /^Broken harness: the host does not answer/],
  ['The step has a bug', 'broken', /^Broken harness: TypeError: /],
  ['Pending', 'broken', /^Broken harness: the step is pending/],
  ['Undefined', 'broken', /^Broken harness: no step definition matches/],
  ['Ambiguous', 'broken', /^Broken harness: several step definitions match/],
  ['Skipped without a reason', 'broken', /^Broken harness: skipped without a reason/],
  ['A Before hook throws', 'broken', /^Broken harness: Error: cannot begin/],
  ['An After hook throws', 'broken', /^Broken harness: Error: cannot end/],
];

describe('the status of a result', () => {
  for (const [name, status, message] of statuses) {
    test(`${name}: ${status}`, () => {
      const result = resultOf(name);
      assert.equal(result.status, status);
      assert.match(result.statusDetails.message ?? '', message);
    });
  }

  test('a pass needs no words', () => {
    assert.equal(resultOf('It passes').status, 'passed');
    assert.equal(resultOf('It passes').statusDetails.message, undefined);
  });

  test('one category takes each result that did not pass', () => {
    assertOneCategoryEach(results);
  });
});

function assertOneCategoryEach(of: readonly TestResult[]): void {
  const [categories] = readAll<{ name: string; messageRegex: string; matchedStatuses: string[] }[]>('categories.json');
  for (const { status, statusDetails } of of.filter((result) => result.status !== Status.PASSED)) {
    const matching = categories?.filter(
      ({ messageRegex, matchedStatuses }) =>
        matchedStatuses.includes(status ?? '') && new RegExp(`^${messageRegex}$`).test(statusDetails.message ?? ''),
    );
    assert.equal(matching?.length, 1, statusDetails.message);
  }
}

describe('a result', () => {
  test('is there for each scenario, in a clean folder', () => {
    assert.equal(results.length, judged.scenarios.length);
  });

  test('is not a retry of another one', () => {
    for (const key of ['historyId', 'testCaseId', 'fullName'] as const) {
      assert.equal(new Set(results.map((result) => result[key])).size, results.length, key);
    }
  });

  test('has a history of its own for each driver, and the same one in the next run', () => {
    const { recording } = judged;
    const ids = (driver: string): (string | undefined)[] =>
      write(judgeRun({ ...recording, info: { ...info, driver } })).map((result) => result.historyId);
    const soft = new Set(ids('soft-roce'));
    assert.deepEqual(soft, new Set(results.map((result) => result.historyId)));
    assert.ok(ids('hca').every((id) => !soft.has(id)));
    results = write(judged);
  });

  test('stands under family, page and rule, with the clause as tag', () => {
    const result = resultOf('An assertion fails');
    assert.deepEqual(labelsOf(result, 'epic'), ['Completion queues']);
    assert.deepEqual(labelsOf(result, 'feature'), ['ibv_req_notify_cq(3)']);
    assert.deepEqual(labelsOf(result, 'story'), ['One request adds at most one completion event']);
    assert.deepEqual(labelsOf(result, 'tag'), ['ibv_req_notify_cq.one-shot']);
    assert.deepEqual(labelsOf(result, 'severity'), ['critical']);
    assert.deepEqual(labelsOf(resultOf('On the CQ of an SRQ'), 'severity'), ['minor']);
    assert.deepEqual(labelsOf(result, 'host'), []);
  });

  test('shows the rule in words with expected and observed in a line, and page, section and step beside it', () => {
    const { message, trace } = resultOf('An assertion fails').statusDetails;
    assert.equal(message, 'Failed rule: One request adds at most one completion event; expected 2; observed 1');
    assert.equal(
      trace?.split('\n\nstart ms')[0],
      [
        'Failed rule: One request adds at most one completion event\n',
        'ibv_req_notify_cq(3), NOTES [ibv_req_notify_cq.one-shot]\n',
        'Step:     Then the channel delivers 2 events',
        'Checked:  events of the channel within 5000 ms',
        'Expected: 2',
        'Observed: 1',
      ].join('\n'),
    );
  });

  test('links the man page, and the evidence of a known deviation', () => {
    const manPage = 'https://man7.org/linux/man-pages/man3/ibv_req_notify_cq.3.html';
    const urls = (name: string): string[] => resultOf(name).links.map((link) => link.url);
    assert.deepEqual(urls('It passes'), [manPage]);
    assert.deepEqual(urls('A structure differs'), [manPage, 'https://example.org/1']);
  });

  test('has the times of its messages', () => {
    const span = (name?: string, start?: number, stop?: number): string => `${name}: ${start} to ${stop}`;
    assert.deepEqual(
      results.map(({ name, start, stop }) => span(name, start, stop)).sort(),
      judged.scenarios
        .map(({ recorded, outcome: { attempt } }) => span(recorded.name, attempt?.startMs, attempt?.stopMs))
        .sort(),
    );
  });
});

describe('a deviation that is expired or unused', () => {
  const rule = 'ibv_req_notify_cq.signature';

  test('has a result of its own, in a category of its own', () => {
    const expired = deviation({ rule, scenario: 'An unmarked scenario', expires: '2020-01-31' });
    const unused = { ...deviation({ rule, scenario: 'No such scenario' }), listedAt: 'mine.json:7' };
    const run = judgeMessages(messages, [expired, unused]);
    const own = write(run).filter((result) => result.name?.includes('deviation of'));
    assert.equal(write(run).length, run.scenarios.length + 2);
    assert.deepEqual(own.map(({ name, status }) => [name, status]).sort(), [
      [`Expired deviation of ${rule}: An unmarked scenario`, 'failed'],
      [`Unused deviation of ${rule}: No such scenario`, 'failed'],
    ]);
    assert.match(own.map(({ statusDetails }) => statusDetails.message).join('\n'), /^Listed: {3}mine\.json:7$/m);
    assert.equal(new Set(own.map(({ historyId }) => historyId)).size, 2);
    assertOneCategoryEach(own);
  });

  after(() => {
    results = write(judged);
  });
});

describe('the evidence', () => {
  test('is the trace, to be read and to be processed, and the kernel log', () => {
    const result = resultOf('An assertion fails');
    assert.deepEqual(
      result.attachments.map(({ name, type }) => [name, type]),
      [
        ['Verb trace', 'text/plain'],
        ['trace.json', 'application/json'],
        ['Kernel log', 'text/plain'],
      ],
    );
    assert.match(attachment(result, 'Verb trace'), /1\.500 +3 {2}ibv_req_notify_cq\(recv_cq, 0\) = 22 EINVAL\n/);
    assert.equal((JSON.parse(attachment(result, 'trace.json')) as unknown[]).length, 3);
    assert.equal(attachment(result, 'Kernel log'), '[    7.1] rdma_rxe: loaded\n');
    assert.match(result.statusDetails.trace ?? '', /^start ms {2}took µs {2}call\n/m);
    assert.ok(results.every(({ statusDetails }) => !statusDetails.message?.includes('\n')));
  });

  test('the failing step has its status too', () => {
    const step = (name: string): string | undefined => resultOf(name).steps.at(-1)?.status;
    assert.equal(step('A verb hangs'), 'failed');
    assert.equal(step('A structure differs'), 'failed');
    assert.equal(step('The harness fails'), 'broken');
    assert.equal(step('Undefined'), 'broken');
    assert.equal(step('On the CQ of an SRQ'), 'skipped');
  });

  test('steps of a Background of a Rule keep their keyword', () => {
    assert.equal(resultOf('A verb refuses').steps[1]?.name, 'Given a device that works');
  });

  test('the device under test is the environment', () => {
    const environment = parseEnvInfo(readFileSync(join(folder, 'environment.properties'), 'utf8'));
    assert.deepEqual(Object.keys(environment).slice(0, 5), ['Driver', 'Device', 'Provider', 'Kernel', 'rdma-core']);
    assert.equal(environment['Node GUID'], '5054:00ff:fe12:3456');
    assert.equal(environment['Port active MTU'], '1024');
    assert.equal(environment.Suite, 'verbspec 0.1.0 (1234567)');
  });
});

describe('text of a device', () => {
  test('is handed over as text alone', () => {
    const containers = readAll<TestResultContainer>('-container.json');
    const executables = [...results, ...containers.flatMap(({ befores, afters }) => [...befores, ...afters])];
    for (const executable of executables) {
      assert.equal(executable.descriptionHtml, undefined);
      assert.doesNotMatch(executable.description ?? '', /(?<!\\)[<>&]/);
    }
    const types = results.flatMap(({ attachments, steps }) => [
      ...attachments,
      ...steps.flatMap((step) => step.attachments),
    ]);
    assert.deepEqual(new Set(types.map(({ type }) => type)), new Set(['text/plain', 'application/json', 'text/csv']));
    const extensions = new Set(types.map(({ source }) => source.slice(source.lastIndexOf('.'))));
    assert.deepEqual(extensions, new Set(['.txt', '.json', '.csv']));
  });
});

describe('a run that was killed', () => {
  test('has all its results, and they end with the run', () => {
    const lines = messages.split('\n');
    const hang = lines.findIndex((line) => line.includes('ibv_destroy_cq did not return'));
    const run = judgeMessages(lines.slice(0, hang).join('\n'));
    const cut = write(run);
    assert.equal(cut.length, run.scenarios.length);
    const within = cut.find(({ name }) => name === 'A verb hangs');
    assert.equal(within?.status, 'broken');
    assert.equal(within.steps.at(-1)?.status, 'broken');
    const never = cut.find(({ name }) => name === 'Always');
    assert.equal(never?.status, 'broken');
    for (const result of [within, never]) assert.equal(result.stop, run.run.stopMs);
    results = write(judged);
  });
});

describe('what failures look like', () => {
  let categories: readonly { readonly name: string; readonly messageRegex: string }[];

  before(() => {
    writeAllureResults(judged, folder, { causes: causesOf(judged, undefined) });
    results = readAll<TestResult>('-result.json');
    [categories = []] = readAll<typeof categories>('categories.json');
  });

  after(() => {
    results = write(judged);
  });

  test('is a category of each cause, before those of the verdicts, and the end of a message', () => {
    const { causes } = causesOf(judged, undefined);
    const titles = [...new Set(causes.map(({ title }) => title))];
    for (const [index, title] of titles.entries()) {
      const category = categories[index];
      assert.equal(category?.name.toLowerCase(), title.toLowerCase());
      const own = new RegExp(`^(?:${category.messageRegex})$`);
      const sorted = results.filter(({ statusDetails }) => own.test(statusDetails.message ?? ''));
      const failed = causes.filter((cause) => cause.title === title).flatMap(({ scenarios }) => scenarios);
      assert.deepEqual(sorted.map(({ name }) => name).sort(), failed.map(({ name }) => name).sort(), title);
    }
    assert.equal(categories[titles.length]?.name, 'Kernel panic');
  });
});
