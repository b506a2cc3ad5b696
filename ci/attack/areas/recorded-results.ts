import assert from 'node:assert/strict';
import { usage } from '../expect';
import type { Scratch } from '../scratch';
import type { Area, Try } from '../try';

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
  reproduce: ['reproduce', 'sent', 'Two CQEs after one request add one event', '--any', '--out', 'written'],
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
      const steering = reader === 'reproduce' ? /\u001b/ : /<script>alert|\u001b/;
      assert.doesNotMatch(scratch.read('written'), steering, 'what is written has a script of the device');
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

/** What is not a run of this verbspec. */
const wrong: Readonly<Record<string, (verdicts: Json) => Json>> = {
  'another version of the schema': (verdicts) => ({ ...verdicts, schemaVersion: 99 }),
  'no rules': ({ rules, ...verdicts }) => ({ ...verdicts, never: rules }),
  'rules that are no list': (verdicts) => ({ ...verdicts, rules: {} }),
  'a verdict that there is not': (verdicts) => ({
    ...verdicts,
    rules: (verdicts.rules as Json[]).map((rule) => ({ ...rule, verdict: 'owned\u001b[31m' })),
  }),
  'a time that is not a number': (verdicts) => ({ ...verdicts, durationMs: 'soon' }),
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

/** A baseline that listed all rules. */
const earlierBaseline = {
  schemaVersion: 1,
  driver: 'sim',
  dut: { provider: 'sim' },
  recorded: { suite: '0.1.0' },
  capabilities: [],
  rules: { 'ibv_poll_cq.fifo': { verdict: 'conforms', pass: 1 } },
};

/** Runs that others have recorded, and changed. */
export const recordedResults: Area = {
  area: 'recorded-results',
  tries: [
    ...Object.keys(changes).flatMap((change) => Object.keys(readers).map((reader) => tryChange(change, reader))),
    ...Object.keys(wrong).map(tryWrong),
    {
      name: 'gate: a baseline of an earlier version',
      args: ['gate', 'earlier', '--baseline', 'base.json'],
      prepare: (scratch) => {
        scratch.run('earlier');
        scratch.write('base.json', JSON.stringify(earlierBaseline));
      },
      expect: usage(/base\.json is a baseline of schema version 1, .*--update/),
    },
    {
      name: 'gate: a run that is named twice',
      args: ['gate', 'sent', 'sent', '--baseline', 'base.json'],
      prepare: (scratch) => {
        sendRun(scratch, (verdicts) => verdicts);
      },
      expect: usage(/sent/),
    },
  ],
};
