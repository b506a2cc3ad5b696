import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { capabilities, UsageError } from '../../drivers/contract';
import { capabilityResult } from '../allure/allure-capabilities';
import { compareCapabilities, parseExpectedCapabilities, tellExpected } from './expected-capabilities';
import { info, judgeMessages } from '../fixtures/record-outcomes';
import { judgeRun } from './judge';
import type { JudgedRun } from './judged-run';
import { renderSummary } from '../summary/summary';
import { assertValid, exitCode } from './verdicts';

const parse = (record: unknown): readonly string[] => parseExpectedCapabilities(JSON.stringify(record), 'FILE');

describe('a file of expected capabilities', () => {
  it('is the verdicts of an earlier run, or a list', () => {
    assert.deepEqual(parse({ schemaVersion: 1, ...info }), ['srq']);
    assert.deepEqual(parse({ capabilities: ['ud', 'srq', 'ud'] }), ['srq', 'ud']);
    assert.deepEqual(parse({ capabilities: [] }), []);
  });

  it('is refused when it says nothing of capabilities', () => {
    for (const record of [{}, [], null, 7, { dut: {} }, { capabilities: 'srq' }, { dut: { capabilities: {} } }]) {
      assert.throws(() => parse(record), like(/^FILE lists no capabilities; name the verdicts\.json/));
    }
    assert.throws(() => parseExpectedCapabilities('{', 'FILE'), like(/^FILE is not valid JSON: /));
  });

  it('is refused with the list of capabilities when it names another', () => {
    const all = capabilities.join(', ');
    assert.throws(() => parse({ capabilities: ['srq', 'teleport', 3] }), like(/"teleport", 3; /, new RegExp(all)));
  });
});

function like(...parts: RegExp[]): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof UsageError);
    for (const part of parts) assert.match(error.message, part);
    return true;
  };
}

/** A run on a device that has `srq` alone. */
function judgedAgainst(...expectedCapabilities: (typeof capabilities)[number][]): JudgedRun {
  return judgeRun({ ...judgeMessages('').recording, expectedCapabilities });
}

describe('a device that lacks an expected capability', () => {
  const judged = judgedAgainst('uc', 'ud');

  it('fails the run', () => {
    assert.deepEqual(judged.verdicts.expectedCapabilities, {
      expected: ['uc', 'ud'],
      missing: ['uc', 'ud'],
      added: ['srq'],
    });
    assertValid(judged.verdicts);
    assert.equal(exitCode(judged.verdicts), 1);
  });

  it('is reported in the summary', () => {
    const summary = renderSummary(judged, { color: false });
    assert.match(summary, /^Capabilities\n {2}missing: uc, which was expected\n {2}missing: ud, .*\n {2}new: srq$/m);
  });

  it('has a failed result in the report', () => {
    const result = capabilityResult(judged);
    assert.equal(result?.status, 'failed');
    assert.equal(result.statusDetails.message, 'Missing capability: uc, ud\nExpected: uc, ud\nNew: srq');
  });

  it('is reported with the scenarios that do not apply for that', () => {
    const words = 'the device lacks ud; the device lacks srq; the pages of rdma-core promise it from 65 on';
    const findings = [{ verdict: 'not-applicable' as const, where: '', words }];
    const outcome = tellExpected({ verdict: 'not-applicable', findings, attempt: undefined }, ['ud', 'uc']);
    assert.equal(
      outcome.findings[0]?.words,
      'the device lacks ud, and was expected to have it; the device lacks srq; the pages of rdma-core promise it from 65 on',
    );
  });
});

describe('a device that has what is expected', () => {
  it('fails nothing, and what is new is mentioned', () => {
    const judged = judgedAgainst();
    assert.deepEqual(judged.verdicts.expectedCapabilities, { expected: [], missing: [], added: ['srq'] });
    assert.match(renderSummary(judged, { color: false }), /^Capabilities\n {2}new: srq$/m);
    assert.equal(capabilityResult(judged)?.status, 'passed');
  });

  it('needs no words', () => {
    const judged = judgedAgainst('srq');
    assert.doesNotMatch(renderSummary(judged, { color: false }), /Capabilities/);
    assert.equal(exitCode(judged.verdicts), 3, 'for there is no scenario');
  });

  it('is not looked at unless the user asks for that, or the device could not be asked', () => {
    const judged = judgeMessages('');
    assert.ok(!('expectedCapabilities' in judged.verdicts));
    assert.equal(capabilityResult(judged), undefined);
    assert.equal(compareCapabilities(['srq'], {}), undefined);
  });
});
