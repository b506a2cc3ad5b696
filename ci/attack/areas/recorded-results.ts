import assert from 'node:assert/strict';
import { refused, usage } from '../expect';
import type { Scratch } from '../scratch';
import type { Area, Expectation, Try } from '../try';

type Json = Record<string, unknown>;

const hostile = 'evil\u001b[31m\u001b]0;x\u0007\u202e ::add-mask::x ##[error]y </script><script>alert(1)</script> `|';

/** Commands that read the results of a run which somebody else has sent. */
const readers: Readonly<Record<string, readonly string[]>> = {
  compare: ['compare', 'sent', '--all'],
  'compare as Markdown': ['compare', 'sent', '--format', 'markdown', '--out', 'written'],
  'compare as HTML': ['compare', 'sent', '--format', 'html', '--out', 'written'],
  'compare as JSON': ['compare', 'sent', '--format', 'json'],
  gate: [
    'gate',
    'sent',
    '--selected',
    '--any-dut',
    '--baseline',
    'base.json',
    '--junit',
    'written',
    '--ktap',
    'written.ktap',
  ],
  'gate for GitHub': [
    'gate',
    'sent',
    '--selected',
    '--any-dut',
    '--baseline',
    'base.json',
    '--github',
    '--markdown',
    'written',
  ],
  report: ['report', 'sent'],
  'spec-book': ['spec-book', 'sent'],
  rules: ['rules', '--run', 'sent'],
};

/** What somebody may have made of verdicts.json, and still the schema holds. */
const changes: Readonly<Record<string, (verdicts: Json) => Json>> = {
  'a hostile device': (verdicts) => ({
    ...verdicts,
    dut: { ...(verdicts.dut as Json), hcaId: hostile, provider: hostile },
  }),
  'hostile details': (verdicts) => ({
    ...verdicts,
    rules: (verdicts.rules as Json[]).map((rule) => ({
      ...rule,
      verdict: 'violates',
      title: hostile,
      scenarios: (rule.scenarios as Json[]).map((scenario) => ({
        ...scenario,
        verdict: 'fail',
        detail: `${'word '.repeat(20)}${hostile}`,
      })),
    })),
  }),
  'a detail of 40 MB': (verdicts) => ({
    ...verdicts,
    rules: (verdicts.rules as Json[]).map((rule) => ({
      ...rule,
      verdict: 'violates',
      scenarios: (rule.scenarios as Json[]).map((scenario) => ({
        ...scenario,
        verdict: 'fail',
        detail: 'x'.repeat(20_000_000),
      })),
    })),
  }),
};

function tryChange(change: string, reader: string): Try {
  return {
    name: `${reader}: ${change}`,
    args: readers[reader] ?? [],
    prepare: (scratch) => {
      sendRun(scratch, changes[change] ?? ((verdicts) => verdicts));
    },
    expect: { code: [0, 1, 2, 3] },
    changes: ['out', 'written', 'written.ktap'],
    afterwards: ({ scratch }) => {
      if (!scratch.has('written')) return;
      assert.doesNotMatch(scratch.read('written'), /<script>alert|\u001b/, 'the page has a script of the device');
    },
    ...(reader === 'spec-book' && { needs: ['mandoc'] }),
    memoryMaxMiB: 1500,
    quick: change === 'hostile details' && ['compare', 'gate for GitHub'].includes(reader),
  };
}

function sendRun(scratch: Scratch, change: (verdicts: Json) => Json): void {
  scratch.run('earlier');
  scratch.baseline('base.json', 'earlier');
  scratch.changedRun('sent', (text) => JSON.stringify(change(JSON.parse(text) as Json)));
}

/** What is no run of this verbspec. */
const wrong: Readonly<Record<string, (verdicts: Json) => Json>> = {
  'another version of the schema': (verdicts) => ({ ...verdicts, schemaVersion: 99 }),
  'no rules': ({ rules, ...verdicts }) => ({ ...verdicts, never: rules }),
  'rules that are no list': (verdicts) => ({ ...verdicts, rules: {} }),
  'a verdict that there is not': (verdicts) => ({
    ...verdicts,
    rules: (verdicts.rules as Json[]).map((rule) => ({ ...rule, verdict: 'owned\u001b[31m' })),
  }),
  'a time that is no number': (verdicts) => ({ ...verdicts, durationMs: 'soon' }),
  'another suite': (verdicts) => ({ ...verdicts, suite: { version: hostile, commit: 'x' } }),
};

function tryWrong(name: string): Try {
  return {
    name: `gate: ${name}`,
    args: ['gate', 'sent', '--baseline', 'base.json'],
    prepare: (scratch) => {
      sendRun(scratch, wrong[name] ?? ((verdicts) => verdicts));
    },
    expect: name === 'another suite' ? { code: [0, 1, 2] } : usage(/sent/),
  };
}

/** What may lie among the results of Allure. */
const results: Readonly<Record<string, readonly [(scratch: Scratch) => void, Expectation]>> = {
  'a link to a secret': [
    (scratch) => {
      scratch.link('sent/allure-results/x-attachment.txt', '../../secret');
    },
    { code: [2, 3] },
  ],
  'a result that is a link to a secret': [
    (scratch) => {
      scratch.link('sent/allure-results/x-result.json', '../../secret');
    },
    { code: [2, 3] },
  ],
  'a folder of results that is a link': [
    (scratch) => {
      scratch.write('elsewhere/x-attachment.txt', 'SECRET');
      scratch.link('sent/allure-results/elsewhere', '../../elsewhere');
    },
    { code: [2, 3] },
  ],
  'a FIFO': [
    (scratch) => {
      scratch.fifo('sent/allure-results/x-attachment.txt');
    },
    { code: [2, 3] },
  ],
  'a result that is a FIFO': [
    (scratch) => {
      scratch.fifo('sent/allure-results/x-result.json');
    },
    { code: [2, 3] },
  ],
  'a result that is a folder': [
    (scratch) => {
      scratch.folder('sent/allure-results/x-result.json');
    },
    { code: [2, 3] },
  ],
  'a result of null': [
    (scratch) => {
      scratch.write('sent/allure-results/x-result.json', 'null');
    },
    refused(/x-result/),
  ],
  'a result of a list': [
    (scratch) => {
      scratch.write('sent/allure-results/x-result.json', '[]');
    },
    refused(/x-result/),
  ],
  'a result without labels': [
    (scratch) => {
      scratch.write('sent/allure-results/x-result.json', '{}');
    },
    refused(/x-result/),
  ],
  'a result that is cut off': [
    (scratch) => {
      scratch.write('sent/allure-results/x-result.json', '{"na');
    },
    refused(/x-result/),
  ],
  'a result of many levels': [
    (scratch) => {
      scratch.write('sent/allure-results/x-result.json', '['.repeat(200_000) + ']'.repeat(200_000));
    },
    refused(/x-result/),
  ],
  'an attachment outside of them': [
    (scratch) => {
      const attachments = [{ name: 'x', type: 'text/plain', source: '../../secret' }];
      scratch.json('sent/allure-results/x-result.json', {
        uuid: 'x',
        name: 'x',
        labels: [],
        parameters: [],
        attachments,
      });
    },
    { code: [2, 3] },
  ],
  'a link in place of all': [
    (scratch) => {
      scratch.link('linked/allure-results', '/etc');
    },
    { code: [2, 3] },
  ],
};

function tryResult([name, [prepare, expect]]: readonly [
  string,
  readonly [(scratch: Scratch) => void, Expectation],
]): Try {
  return {
    name: `report: ${name}`,
    args: ['report', 'sent'],
    prepare: (scratch) => {
      scratch.run('sent');
      scratch.write('secret', 'SECRET');
      prepare(scratch);
    },
    expect,
    changes: ['out'],
    afterwards: ({ scratch }) => {
      if (!scratch.has('out')) return;
      for (const text of scratch.texts('out')) assert.doesNotMatch(text, /SECRET/, 'the report has the secret');
    },
    quick: name === 'a link to a secret' || name === 'a FIFO',
  };
}

/** Runs that others have recorded, and changed. */
export const recordedResults: Area = {
  area: 'recorded-results',
  tries: [
    ...Object.keys(changes).flatMap((change) => Object.keys(readers).map((reader) => tryChange(change, reader))),
    ...Object.keys(wrong).map(tryWrong),
    ...Object.entries(results).map(tryResult),
    {
      name: 'gate: a run that is named twice',
      args: ['gate', 'sent', 'sent', '--baseline', 'base.json'],
      prepare: (scratch) => {
        sendRun(scratch, (verdicts) => verdicts);
      },
      expect: usage(/sent/),
    },
    {
      name: 'report: a run that is named twice',
      args: ['report', 'sent', './sent'],
      prepare: (scratch) => {
        scratch.run('sent');
      },
      expect: usage(/sent/),
    },
  ],
};
