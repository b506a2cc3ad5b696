import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Program } from '../programs/program';
import { makesSense } from './sound';

const device: Program['ops'] = [
  { call: 'ibv_open_device', args: { device: { of: 'dut', member: 'name' } }, as: 'ctx' },
  { call: 'ibv_alloc_pd', args: { context: { of: 'ctx' } }, as: 'pd' },
  {
    call: 'ibv_create_cq',
    args: { context: { of: 'ctx' }, cqe: 4, cqContext: '0x0', channel: null, compVector: 0 },
    as: 'cq',
  },
  {
    call: 'ibv_create_qp',
    args: {
      pd: { of: 'pd' },
      qpInitAttr: {
        sendCq: { of: 'cq' },
        recvCq: { of: 'cq' },
        srq: null,
        cap: { maxSendWr: 4, maxRecvWr: 4, maxSendSge: 1, maxRecvSge: 1, maxInlineData: 0 },
        qpType: 'IBV_QPT_UD',
        sqSigAll: false,
      },
    },
    as: 'qp',
  },
];

const toState = (qpState: string, attr: object = {}, ...mask: readonly string[]): Program['ops'][number] => ({
  call: 'ibv_modify_qp',
  args: { qp: { of: 'qp' }, attr: { qpState, ...attr }, attrMask: ['IBV_QP_STATE', ...mask] },
});

test('a program makes sense if its QPs get the number of their first packet on the way to IBV_QPS_RTS, and only there', async () => {
  const port = { pkeyIndex: { of: 'dut', member: 'pkeyIndex' }, portNum: { of: 'dut', member: 'portNum' }, qkey: 1 };
  const init = toState('IBV_QPS_INIT', port, 'IBV_QP_PKEY_INDEX', 'IBV_QP_PORT', 'IBV_QP_QKEY');
  const [rtr, numbered] = [toState('IBV_QPS_RTR'), toState('IBV_QPS_RTS', { sqPsn: 0 }, 'IBV_QP_SQ_PSN')];
  const [plain, drained] = [toState('IBV_QPS_RTS'), toState('IBV_QPS_SQD')];
  const isSensible = (...ways: Program['ops']): Promise<boolean> =>
    makesSense({ version: 1, seed: 'states', ops: [...device, init, rtr, ...ways] });
  assert.equal(await isSensible(numbered, drained, plain), true);
  assert.equal(await isSensible(plain), false);
  assert.equal(await isSensible(numbered, drained, numbered), false);
});
