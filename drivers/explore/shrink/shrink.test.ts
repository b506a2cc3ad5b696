import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkedProgram } from '../../programs/check-program';
import { callsOf, isCall, type Program, type ProgramStruct } from '../../programs/program';
import { runProgram } from '../../programs/run-program';
import { SimBackend } from '../../sim/backend';
import { soundParts } from '../../sim/device/device';
import { shrink } from './shrink';

const of = (name: string, member?: string) => ({ of: name, ...(member !== undefined && { member }) });
const dut = (member: string) => of('dut', member);
const cap = { maxSendWr: 8, maxRecvWr: 8, maxSendSge: 1, maxRecvSge: 1, maxInlineData: 0 };

const makeQp = (as: string) => ({
  call: 'ibv_create_qp',
  args: {
    pd: of('pd'),
    qpInitAttr: { sendCq: of('cq'), recvCq: of('cq'), srq: null, cap, qpType: 'IBV_QPT_UC', sqSigAll: true },
  },
  as,
});

const modify = (qp: string, attr: object, attrMask: readonly string[]) => ({
  call: 'ibv_modify_qp',
  args: { qp: of(qp), attr, attrMask: ['IBV_QP_STATE', ...attrMask] },
});

const grh = { dgid: dut('gid'), sgidIndex: dut('gidIndex'), hopLimit: 1 };
const ahAttr = { grh, dlid: dut('lid'), isGlobal: true, portNum: dut('portNum') };

/** A QP is brought to IBV_QPS_RTS, with an attribute that its mask does not name. */
const connect = (qp: string, peer: string, timeout: number) => [
  modify(
    qp,
    { qpState: 'IBV_QPS_INIT', pkeyIndex: dut('pkeyIndex'), portNum: dut('portNum'), qpAccessFlags: [], timeout },
    ['IBV_QP_PKEY_INDEX', 'IBV_QP_PORT', 'IBV_QP_ACCESS_FLAGS'],
  ),
  modify(qp, { qpState: 'IBV_QPS_RTR', pathMtu: dut('mtu'), destQpNum: of(peer, 'qpNum'), rqPsn: 0, ahAttr }, [
    'IBV_QP_AV',
    'IBV_QP_PATH_MTU',
    'IBV_QP_DEST_QPN',
    'IBV_QP_RQ_PSN',
  ]),
  modify(qp, { qpState: 'IBV_QPS_RTS', sqPsn: 0 }, ['IBV_QP_SQ_PSN']),
];

const send = (qp: string, wrId: string) => ({
  call: 'ibv_post_send',
  args: { qp: of(qp), wrs: [{ wrId, sgList: [], opcode: 'IBV_WR_SEND', sendFlags: [] }] },
});

const program = checkedProgram({
  version: 1,
  seed: '1-1',
  ops: [
    { call: 'ibv_open_device', args: { device: dut('name') }, as: 'ctx' },
    { call: 'ibv_alloc_pd', args: { context: of('ctx') }, as: 'pd' },
    {
      call: 'ibv_create_cq',
      args: { context: of('ctx'), cqe: 8, cqContext: '0x0', channel: null, compVector: 0 },
      as: 'cq',
    },
    ...['one', 'other'].map(makeQp),
    ...connect('one', 'other', 7),
    ...connect('other', 'one', 9),
    { call: 'ibv_post_recv', args: { qp: of('other'), wrs: [{ wrId: '0x1', sgList: [] }] } },
    send('one', '0x2'),
    { settle: true },
    modify('one', { qpState: 'IBV_QPS_SQD' }, []),
    modify('one', { qpState: 'IBV_QPS_RTS' }, []),
    send('one', '0x3'),
    { settle: true },
    { call: 'ibv_poll_cq', args: { cq: of('cq'), numEntries: 4 } },
  ],
});

/** The same, where one QP is in IBV_QPS_INIT before there is the other one. */
const later = ((): Program => {
  const makes = program.ops.find((op) => isCall(op) && op.as === 'other');
  const toInit = program.ops.filter((op) => JSON.stringify(op).includes('IBV_QPS_INIT'));
  const [first, second] = toInit;
  const between = [first, makes, second].flatMap((op) => op ?? []);
  const others = program.ops.filter((op) => !between.includes(op));
  const made = others.findIndex((op) => isCall(op) && op.as === 'one') + 1;
  return { ...program, ops: [...others.slice(0, made), ...between, ...others.slice(made)] };
})();

/** How many completions are polled in a program of which no change of a QP is refused. */
async function polled(of: Program): Promise<number> {
  const { records } = await runProgram(new SimBackend(soundParts), of);
  if (records.some((record) => record?.verb === 'ibv_modify_qp' && record.returned !== 0)) return 0;
  return Number(records.find((record) => record?.verb === 'ibv_poll_cq')?.returned ?? 0);
}

const statesIn = (of: Program): unknown[] =>
  callsOf(of).flatMap(({ call, args }) => (call === 'ibv_modify_qp' ? (args.attr as ProgramStruct).qpState : []));

describe('a program that is made smaller', () => {
  it('has one QP in place of two whose attributes differ, and no attribute that no mask names', async () => {
    const small = await shrink(program, async (one) => (await polled(one)) === 2);
    assert.deepEqual(
      callsOf(small).map(({ call }) => call),
      [
        ...['ibv_open_device', 'ibv_alloc_pd', 'ibv_create_cq', 'ibv_create_qp'],
        ...['ibv_modify_qp', 'ibv_modify_qp', 'ibv_modify_qp', 'ibv_post_recv', 'ibv_post_send', 'ibv_poll_cq'],
      ],
    );
    assert.ok(!JSON.stringify(small).includes('timeout'), JSON.stringify(small));
  });

  it('has the one that it needs, also where that was made later', async () => {
    const isMade = (one: Program): boolean => callsOf(one).some(({ as }) => as === 'other');
    const small = await shrink(later, async (one) => isMade(one) && (await polled(one)) === 2);
    assert.equal(callsOf(small).filter(({ call }) => call === 'ibv_create_qp').length, 1);
  });

  it('comes to a state again that it left', async () => {
    const small = await shrink(
      program,
      async (one) => statesIn(one).includes('IBV_QPS_SQD') && (await polled(one)) === 3,
    );
    const way = ['IBV_QPS_INIT', 'IBV_QPS_RTR', 'IBV_QPS_RTS'];
    assert.deepEqual(statesIn(small), [...way, 'IBV_QPS_SQD', 'IBV_QPS_RTS']);
  });
});
