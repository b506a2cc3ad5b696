import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkedProgram } from '../../programs/check-program';
import { runProgram } from '../../programs/run-program';
import { SimBackend } from '../../sim/backend';
import { soundParts } from '../../sim/device/device';
import { simulatedDut } from '../../sim/device/dut';
import { pathToSelf } from '../generate/objects';
import { verdictOf } from './inclusion';

const of = (name: string) => ({ of: name });

describe('a call that waits for what does not come', () => {
  const program = checkedProgram({
    version: 1,
    seed: 'test',
    ops: [
      { call: 'ibv_open_device', args: { device: { of: 'dut', member: 'name' } }, as: 'ctx' },
      { call: 'ibv_create_comp_channel', args: { context: of('ctx') }, as: 'ch' },
      { call: 'ibv_get_cq_event', args: { channel: of('ch') }, as: 'ev' },
    ],
  });

  async function verdictOfGet(change: object) {
    const { records } = await runProgram(new SimBackend(soundParts), program);
    const last = records.at(-1) ?? assert.fail();
    return verdictOf(program, { records: [...records.slice(0, -1), { ...last, ...change }] }, simulatedDut);
  }

  it('is right not to return', async () => {
    assert.equal((await verdictOfGet({})).kind, 'explained');
  });

  it('is wrong to return, also as the last one of a program', async () => {
    const verdict = await verdictOfGet({ blocked: undefined, returned: -1, errno: 11 });
    assert.deepEqual(verdict.kind === 'violation' && verdict.difference, {
      at: 2,
      verb: 'ibv_get_cq_event',
      what: 'returned',
      expected: 'nothing yet',
      observed: -1,
    });
  });
});

describe('a refusal of which no page says whether it may be', () => {
  const device = [
    { call: 'ibv_open_device', args: { device: { of: 'dut', member: 'name' } }, as: 'ctx' },
    { call: 'ibv_alloc_pd', args: { context: of('ctx') }, as: 'pd' },
  ];

  /** What is said of a program whose last call the device refuses. */
  async function kindOfRefusal(errno: number, ops: readonly object[]) {
    const program = checkedProgram({ version: 1, seed: 'test', ops: [...device, ...ops] });
    const { records } = await runProgram(new SimBackend(soundParts), program);
    const last = records.at(-1) ?? assert.fail();
    const refused = { ...last, returned: errno, errno };
    return (await verdictOf(program, { records: [...records.slice(0, -1), refused] }, simulatedDut)).kind;
  }

  it('is that of a PD which something uses, and of no other', async () => {
    const handle = { call: 'ibv_create_ah', args: { pd: of('pd'), attr: pathToSelf }, as: 'ah' };
    const dealloc = { call: 'ibv_dealloc_pd', args: { pd: of('pd') } };
    const destroy = { call: 'ibv_destroy_ah', args: { ah: of('ah') } };
    assert.equal(await kindOfRefusal(16, [handle, dealloc]), 'explained');
    assert.equal(await kindOfRefusal(16, [handle, destroy, dealloc]), 'violation');
    assert.equal(await kindOfRefusal(16, [dealloc]), 'violation');
  });

  it('is that of a second drain beside the first, and of none once all has settled', async () => {
    const caps = { maxSendWr: 4, maxRecvWr: 4, maxSendSge: 1, maxRecvSge: 1, maxInlineData: 0 };
    const cqAttr = { cqe: 4, cqContext: '0x0', channel: null, compVector: 0 };
    const init = { sendCq: of('cq'), recvCq: of('cq'), srq: null, cap: caps, qpType: 'IBV_QPT_UD', sqSigAll: true };
    const port = { pkeyIndex: { of: 'dut', member: 'pkeyIndex' }, portNum: { of: 'dut', member: 'portNum' }, qkey: 1 };
    const ofPort = ['IBV_QP_PKEY_INDEX', 'IBV_QP_PORT', 'IBV_QP_QKEY'];
    const to = (qpState: string, attr: object = {}, ...mask: readonly string[]) => ({
      call: 'ibv_modify_qp',
      args: { qp: of('qp'), attr: { qpState, ...attr }, attrMask: ['IBV_QP_STATE', ...mask] },
    });
    const drained = [
      { call: 'ibv_create_cq', args: { context: of('ctx'), ...cqAttr }, as: 'cq' },
      { call: 'ibv_create_qp', args: { pd: of('pd'), qpInitAttr: init }, as: 'qp' },
      to('IBV_QPS_INIT', port, ...ofPort),
      to('IBV_QPS_RTR'),
      to('IBV_QPS_RTS', { sqPsn: 0 }, 'IBV_QP_SQ_PSN'),
      to('IBV_QPS_SQD'),
    ];
    assert.equal(await kindOfRefusal(22, [...drained, to('IBV_QPS_SQD')]), 'explained');
    assert.equal(await kindOfRefusal(22, [...drained, { settle: true }, to('IBV_QPS_SQD')]), 'violation');
  });
});
