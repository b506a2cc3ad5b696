import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TraceStruct } from '../../contract';
import type { ProgramRecord } from '../../programs/program';
import { Guide } from '../model/guide';
import { Ledger } from '../model/looseness';
import { differenceOf } from './compare';
import { usual } from './inclusion';

const attrMask = [
  'IBV_QP_STATE',
  'IBV_QP_TIMEOUT',
  'IBV_QP_PKEY_INDEX',
  'IBV_QP_ACCESS_FLAGS',
  'IBV_QP_MAX_QP_RD_ATOMIC',
];
const set = {
  timeout: 14,
  pkeyIndex: 3,
  maxRdAtomic: 1,
  qpAccessFlags: ['IBV_ACCESS_REMOTE_READ'],
} as const;
const modified: ProgramRecord = {
  verb: 'ibv_modify_qp',
  args: { qp: 'qp#1', attr: { ...set, retryCnt: 7 }, attrMask },
  returned: 0,
  errno: 0,
  outputs: {},
};

const cap = { maxSendWr: 4, maxRecvWr: 4, maxSendSge: 1, maxRecvSge: 1, maxInlineData: 0 };

const asked = (attr: TraceStruct, mask: readonly string[] = attrMask, qpType = 'IBV_QPT_RC'): ProgramRecord => ({
  verb: 'ibv_query_qp',
  args: { qp: 'qp#1', attrMask: mask },
  returned: 0,
  errno: 0,
  outputs: { attr: { qpState: 'IBV_QPS_RTS', sqDraining: false, ...attr }, initAttr: { qpType, sqSigAll: false, cap } },
});

const made = (srq: string | null): ProgramRecord => ({
  verb: 'ibv_create_qp',
  args: { qpInitAttr: { srq } },
  returned: 'qp#1',
  errno: 0,
  outputs: {},
});

/** Of what a device says after it was modified so, from what the model says. */
function differenceOfQp(
  attr: TraceStruct,
  model: ProgramRecord,
  mask = attrMask,
  qpType = 'IBV_QPT_RC',
  srq: string | null = null,
) {
  const device = asked({ ...set, ...attr }, mask, qpType);
  const records = [made(srq), modified, device];
  const observation = { calls: [], records, capabilities: [], excused: new Set<string>(), countsWaits: true };
  const guide = new Guide(observation, usual, new Ledger());
  guide.at = 2;
  return differenceOf(guide, device, model);
}

describe('what ibv_query_qp() says', () => {
  const model = asked({ timeout: 14, pkeyIndex: 0, maxRdAtomic: 1, qpAccessFlags: [] });

  it('is what the device was asked for, whatever numbers the model has', () => {
    assert.equal(differenceOfQp({}, model), undefined);
    assert.deepEqual(differenceOfQp({ pkeyIndex: 0 }, model), { what: 'attr.pkeyIndex', expected: 3, observed: 0 });
    assert.deepEqual(differenceOfQp({ timeout: 0 }, model), { what: 'attr.timeout', expected: 14, observed: 0 });
  });

  it('may be more responder resources, and not fewer', () => {
    assert.equal(differenceOfQp({ maxRdAtomic: 2 }, model), undefined);
    assert.equal(differenceOfQp({ maxRdAtomic: 0 }, model)?.what, 'attr.maxRdAtomic');
  });

  it('has the sizes that were asked for, in both structs', () => {
    const small = { ...cap, maxSendWr: 3 };
    const asks = [...attrMask, 'IBV_QP_CAP'];
    assert.equal(differenceOfQp({ cap }, model, asks), undefined);
    assert.equal(differenceOfQp({ cap: { ...cap, maxSendWr: 5 } }, model, asks), undefined);
    assert.equal(differenceOfQp({ cap: small }, model, asks)?.what, 'attr.cap.maxSendWr');
    assert.equal(differenceOfQp({ cap: small }, model), undefined);
  });

  it('has the rights of the peer, and others as it likes', () => {
    const more = ['IBV_ACCESS_REMOTE_READ', 'IBV_ACCESS_LOCAL_WRITE'];
    assert.equal(differenceOfQp({ qpAccessFlags: more }, model), undefined);
    assert.equal(differenceOfQp({ qpAccessFlags: [] }, model)?.what, 'attr.qpAccessFlags');
  });

  it('has sizes as large as those that were asked for, of receives perhaps those of an SRQ', () => {
    const withSizes = (sizes: object): ProgramRecord => {
      const { initAttr, attr } = model.outputs;
      return {
        ...model,
        outputs: { attr: attr ?? null, initAttr: { ...(initAttr as TraceStruct), cap: { ...cap, ...sizes } } },
      };
    };
    const ofSrq = (sizes: object) => differenceOfQp({}, withSizes(sizes), attrMask, 'IBV_QPT_RC', 'srq#1');
    assert.equal(ofSrq({ maxRecvWr: 9 }), undefined);
    assert.equal(ofSrq({ maxSendWr: 5 })?.what, 'initAttr.cap.maxSendWr');
    for (const size of ['maxRecvWr', 'maxRecvSge', 'maxSendWr'])
      assert.equal(differenceOfQp({}, withSizes({ [size]: 5 }))?.what, `initAttr.cap.${size}`);
  });

  it('counts where it was asked for, and where the model has it', () => {
    assert.equal(differenceOfQp({ timeout: 0 }, model, ['IBV_QP_STATE']), undefined);
    assert.equal(differenceOfQp({ timeout: 0 }, asked({ maxRdAtomic: 1 })), undefined);
  });

  it('has the state, and no drain that goes on where nothing is on its way', () => {
    assert.equal(differenceOfQp({ qpState: 'IBV_QPS_ERR' }, model)?.what, 'attr.qpState');
    const drained = asked({ qpState: 'IBV_QPS_SQD' });
    const draining = asked({ qpState: 'IBV_QPS_SQD', sqDraining: true });
    const sqd = { qpState: 'IBV_QPS_SQD', sqDraining: true };
    assert.equal(differenceOfQp(sqd, drained)?.what, 'attr.sqDraining');
    assert.equal(differenceOfQp(sqd, draining), undefined);
    assert.equal(differenceOfQp({ ...sqd, sqDraining: false }, draining), undefined);
  });

  it('may be IBV_QPS_SQE of a QP without a connection whose send has failed', () => {
    const failed = { qpState: 'IBV_QPS_ERR' };
    const sqe = { qpState: 'IBV_QPS_SQE' };
    assert.equal(differenceOfQp(sqe, asked(failed))?.what, 'attr.qpState');
    const ofUd = asked(failed, attrMask, 'IBV_QPT_UD');
    assert.equal(differenceOfQp(sqe, ofUd, attrMask, 'IBV_QPT_UD'), undefined);
    assert.equal(differenceOfQp(sqe, ofUd)?.what, 'initAttr.qpType');
  });
});

it('what ibv_query_srq() says is the limit, and sizes as large as those of the model', () => {
  const said = (outputs: TraceStruct): ProgramRecord => ({
    verb: 'ibv_query_srq',
    args: { srq: 'srq#1' },
    returned: 0,
    errno: 0,
    outputs: { maxWr: 64, maxSge: 2, srqLimit: 0, ...outputs },
  });
  const observation = { calls: [], records: [], capabilities: [], excused: new Set<string>(), countsWaits: true };
  const differenceOfSrq = (outputs: TraceStruct) =>
    differenceOf(new Guide(observation, usual, new Ledger()), said(outputs), said({}))?.what;
  assert.deepEqual([{ maxWr: 127 }, { maxWr: 63 }, { maxSge: 1 }, { srqLimit: 1 }].map(differenceOfSrq), [
    undefined,
    'maxWr',
    'maxSge',
    'srqLimit',
  ]);
});

describe('the PSNs of a QP', () => {
  const psns = ['IBV_QP_RQ_PSN', 'IBV_QP_SQ_PSN'];
  const told = asked({ rqPsn: 5, sqPsn: 7 }, psns);
  const swapped = asked({ rqPsn: 7, sqPsn: 5 }, psns);
  const record = (verb: ProgramRecord['verb'], args: TraceStruct): ProgramRecord => ({ ...modified, verb, args });
  const setTo = (attr: TraceStruct): ProgramRecord =>
    record('ibv_modify_qp', { qp: 'qp#1', attr: { rqPsn: 5, sqPsn: 7, ...attr }, attrMask: ['IBV_QP_STATE', ...psns] });
  const send = record('ibv_post_send', { qp: 'qp#2', wrs: [] });

  function differenceAfter(...before: readonly ProgramRecord[]) {
    const records = [made(null), ...before, swapped];
    const observation = { calls: [], records, capabilities: [], excused: new Set<string>(), countsWaits: true };
    const guide = new Guide(observation, usual, new Ledger());
    guide.at = records.length - 1;
    return differenceOf(guide, swapped, told);
  }

  it('are those that were set, until there are packets', () => {
    const expected = { what: 'attr.rqPsn', expected: 5, observed: 7 };
    assert.deepEqual(differenceAfter(setTo({})), expected);
    assert.deepEqual(differenceAfter(send, setTo({})), expected);
    assert.equal(differenceAfter(setTo({}), send), undefined);
    const reset = record('ibv_modify_qp', {
      qp: 'qp#1',
      attr: { qpState: 'IBV_QPS_RESET' },
      attrMask: ['IBV_QP_STATE'],
    });
    assert.equal(differenceAfter(setTo({}), reset), undefined);
  });
});
