import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  AttachmentContentEncoding as Encoding,
  TestStepResultStatus as Status,
  type Envelope,
} from '@cucumber/messages';
import { mediaTypes } from '../../drivers/contract';
import { info, outcomeClauses, recordOutcomes } from '../fixtures/record-outcomes';
import { parseMessages } from '../recording/messages';
import { judgeRun } from '../judge/judge';
import { redactDut, redactEnvelope } from './redact-run';
import { Redactor } from './redactor';

const redactor = new Redactor(['node7']);
const dut = redactDut(info.dut, redactor);

/** An attachment as Cucumber records it. */
const attached = (body: string, mediaType: string, contentEncoding = Encoding.IDENTITY): Envelope =>
  recorded({ attachment: { body, mediaType, contentEncoding, fileName: 'node7' } });

function recorded(message: object): Envelope {
  const [envelope] = parseMessages(JSON.stringify(message));
  assert.ok(envelope);
  return envelope;
}

const bodyOf = (envelope: Envelope): string => redactEnvelope(envelope, redactor).attachment?.body ?? '';

describe('a redacted device', () => {
  it('has pseudonyms and is otherwise itself', () => {
    assert.deepEqual(dut, { ...info.dut, nodeGuid: 'guid-1', port: { ...info.dut.port, gid: 'gid-1' } });
  });

  it('keeps its versions, whatever they look like, and hides what a driver of its own reports', () => {
    const versions = { fwVer: '1.2.3.4', kernel: '6.1.0-node7', rdmaCore: '10.0.0.1', distribution: 'node7' };
    const module = { name: 'x', version: '1.2.3.4', parameters: { peer: '10.9.8.7', size: '16' } };
    const told = redactDut(
      { ...versions, modules: [module], more: { at: 'node7' } } as object,
      new Redactor(['node7']),
    );
    assert.deepEqual(told, {
      ...versions,
      modules: [{ ...module, parameters: { peer: 'ip-1', size: '16' } }],
      more: { at: 'host-1' },
    });
  });
});

describe('a redacted message', () => {
  it('has a trace that makes sense', () => {
    const call = (dgid: string, fwVer: string) => ({
      verb: 'ibv_modify_qp',
      args: { node7: { dgid, fwVer }, wrId: '0x5054000012345678' },
      outputs: { bytes: '4500000000000000000000000a000001ff' },
      startedAt: 123456.789,
      durationUs: 2 ** 53 - 1,
    });
    const text = JSON.stringify([call('0000:0000:0000:0000:0000:ffff:0a00:0001', '1.2.3.4')]);
    const [redacted] = JSON.parse(bodyOf(attached(text, mediaTypes.trace))) as unknown[];
    assert.deepEqual(redacted, {
      ...call('gid-1', '1.2.3.4'),
      outputs: { bytes: '450000000000000000000000<ip-1>ff' },
    });
  });

  it('has no address in text, in base64, or in a trace that is cut', () => {
    const log = 'rxe0: 10.0.0.1 on node7';
    assert.equal(bodyOf(attached(log, 'text/plain')), 'rxe0: ip-1 on host-1');
    const encoded = attached(Buffer.from(log).toString('base64'), 'text/plain', Encoding.BASE64);
    assert.equal(Buffer.from(bodyOf(encoded), 'base64').toString(), 'rxe0: ip-1 on host-1');
    assert.equal(bodyOf(attached('[{"dgid":"10.0.0.1', mediaTypes.trace)), '[{"dgid":"ip-1');
  });

  it('keeps a picture as it is', () => {
    const picture = Buffer.from([0xff, 0xfe, 0x80, 0x00]).toString('base64');
    assert.equal(bodyOf(attached(picture, 'image/png', Encoding.BASE64)), picture);
  });

  it('has no address in an error, and keeps its class', () => {
    const exception = { type: 'HarnessError', message: 'no 10.0.0.1', stackTrace: 'HarnessError: no 10.0.0.1' };
    const testStepResult = {
      status: Status.FAILED,
      message: 'no 10.0.0.1',
      duration: { seconds: 1, nanos: 2 },
      exception,
    };
    const timestamp = { seconds: 1, nanos: 2 };
    const finished = { testCaseStartedId: 'node7', testStepId: 'b', testStepResult, timestamp };
    const { testStepFinished } = redactEnvelope(recorded({ testStepFinished: finished }), redactor);
    assert.deepEqual(testStepFinished, {
      ...finished,
      testStepResult: {
        ...testStepResult,
        message: 'no ip-1',
        exception: { type: 'HarnessError', message: 'no ip-1', stackTrace: 'HarnessError: no ip-1' },
      },
    });
  });

  it('leaves what it was made of alone', () => {
    const envelope = attached('10.0.0.1', 'text/plain');
    bodyOf(envelope);
    assert.equal(envelope.attachment?.body, '10.0.0.1');
  });
});

describe('a redacted run', () => {
  it('has the verdicts of the run, and says that it is redacted', () => {
    const envelopes = parseMessages(recordOutcomes());
    const against = { clauses: outcomeClauses(), deviations: [] };
    const plain = judgeRun({ envelopes, info, ...against });
    const redacted = envelopes.map((envelope) => redactEnvelope(envelope, redactor));
    const judged = judgeRun({ envelopes: redacted, info: { ...info, dut, redacted: true }, ...against });
    assert.deepEqual(judged.verdicts, { ...plain.verdicts, dut, redacted: true });
    assert.deepEqual(judged.problems, plain.problems);
  });
});
