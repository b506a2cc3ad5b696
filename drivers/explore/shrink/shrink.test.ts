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
const cap = { maxSendWr: 64, maxRecvWr: 64, maxSendSge: 1, maxRecvSge: 1, maxInlineData: 0 };

const makeQp = (as: string) => ({
  call: 'ibv_create_qp',
  args: {
    pd: of('pd'),
    qpInitAttr: { sendCq: of('cq'), recvCq: of('cq'), srq: null, cap, qpType: 'IBV_QPT_UC', sqSigAll: true },
  },
  as,
});

/** The creation of a QP that completes in that CQ. */
const inCq = ({ args, ...rest }: ReturnType<typeof makeQp>, cq: string, srq: object | null = null) => ({
  ...rest,
  args: { ...args, qpInitAttr: { ...args.qpInitAttr, sendCq: of(cq), recvCq: of(cq), srq } },
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

const receive = { call: 'ibv_post_recv', args: { qp: of('one'), wrs: [{ wrId: '0x1', sgList: [] }] } };

const makeCq = (as: string) => ({
  call: 'ibv_create_cq',
  args: { context: of('ctx'), cqe: 8, cqContext: '0x0', channel: null, compVector: 0 },
  as,
});

const poll = (cq: string) => ({ call: 'ibv_poll_cq', args: { cq: of(cq), numEntries: 4 } });

/** Other operations than those from the first CQ on. */
const withOps = (...ops: object[]): Program =>
  checkedProgram({ ...program, ops: [...program.ops.slice(0, 2), ...ops] });

/** Two QPs, each of which has a completion in a CQ of its own. */
const apart = withOps(
  ...[makeCq('cq'), makeQp('one'), ...connect('one', 'one', 7), send('one', '0x2')],
  ...[makeCq('cq2'), inCq(makeQp('other'), 'cq2'), ...connect('other', 'other', 7), send('other', '0x3')],
  ...[{ settle: true }, poll('cq'), poll('cq2')],
);

/** Two QPs, one of which takes a receive of an SRQ. */
const shared = withOps(
  makeCq('cq'),
  {
    call: 'ibv_create_srq',
    args: { pd: of('pd'), srqInitAttr: { attr: { maxWr: 8, maxSge: 1, srqLimit: 0 } } },
    as: 'srq',
  },
  ...[makeQp('one'), inCq(makeQp('other'), 'cq', of('srq'))],
  ...[...connect('one', 'other', 7), ...connect('other', 'one', 9)],
  { call: 'ibv_post_srq_recv', args: { srq: of('srq'), wrs: [{ wrId: '0x1', sgList: [] }] } },
  ...[send('one', '0x2'), { settle: true }, poll('cq')],
);

/** A QP that writes to memory. */
const writing = withOps(
  ...[makeCq('cq'), { call: 'memory allocate', args: { length: 64 }, as: 'mem' }],
  { call: 'ibv_reg_mr', args: { pd: of('pd'), addr: of('mem', 'addr'), length: 64, access: [] }, as: 'mr' },
  ...[makeQp('one'), ...connect('one', 'one', 7)],
  {
    call: 'ibv_post_send',
    args: {
      qp: of('one'),
      wrs: [
        {
          wrId: '0x2',
          sgList: [],
          opcode: 'IBV_WR_RDMA_WRITE',
          sendFlags: [],
          rdma: { remoteAddr: of('mr', 'addr'), rkey: of('mr', 'rkey') },
        },
      ],
    },
  },
  ...[{ settle: true }, poll('cq')],
);

/** How many completions are polled in a program of which no change of a QP is refused. */
async function polled(of: Program): Promise<number> {
  const { records } = await runProgram(new SimBackend(soundParts), of);
  if (records.some((record) => record?.verb === 'ibv_modify_qp' && record.returned !== 0)) return 0;
  return Number(records.find((record) => record?.verb === 'ibv_poll_cq')?.returned ?? 0);
}

/** Whether a QP comes to send. */
const sends = (of: Program): boolean => statesIn(of).includes('IBV_QPS_RTS');

const sendsAlone = (of: Program): boolean => posts(of).every((call) => call === 'ibv_post_send');

const posts = (of: Program): string[] =>
  callsOf(of).flatMap(({ call }) => (call.startsWith('ibv_post_') ? [call] : []));

const statesIn = (of: Program): unknown[] =>
  callsOf(of).flatMap(({ call, args }) => (call === 'ibv_modify_qp' ? (args.attr as ProgramStruct).qpState : []));

describe('a program that is made smaller', () => {
  it('has one QP in place of two whose attributes differ, and no attribute that no mask names', async () => {
    const small = await shrink(program, async (one) => sends(one) && (await polled(one)) === 2);
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

  it('has its completions flushed where that is enough', async () => {
    const small = await shrink(program, async (one) => (await polled(one)) === 1);
    assert.deepEqual(statesIn(small), ['IBV_QPS_ERR']);
    assert.equal(callsOf(small).length, 7);
  });

  it('has one QP that completes in two CQs in place of two QPs', async () => {
    const pollsBoth = async (one: Program): Promise<boolean> => {
      const { records } = await runProgram(new SimBackend(soundParts), one);
      const polls = records.filter((record) => record?.verb === 'ibv_poll_cq');
      return (
        polls.length === 2 &&
        new Set(polls.map((poll) => poll?.args.cq)).size === 2 &&
        polls.every((poll) => poll?.returned === 1)
      );
    };
    const small = await shrink(apart, pollsBoth);
    const names = callsOf(small).map(({ call }) => call);
    assert.deepEqual(names.filter((name) => name === 'ibv_create_qp').length, 1, names.join(' '));
    assert.ok(names.includes('ibv_post_recv') && names.includes('ibv_post_send'), names.join(' '));
  });

  it('sends in place of receives where both are flushed', async () => {
    const small = await shrink(shared, (one) => Promise.resolve(posts(one).length === 2 && sendsAlone(one)));
    assert.deepEqual(posts(small), ['ibv_post_send', 'ibv_post_send']);
    assert.ok(JSON.stringify(small).includes('"0x1"'), JSON.stringify(small));
  });

  it('sends nothing from memory where that is enough', async () => {
    const small = await shrink(writing, async (one) => sends(one) && (await polled(one)) === 1);
    assert.ok(!JSON.stringify(small).includes('ibv_reg_mr'), JSON.stringify(small));
    assert.ok(JSON.stringify(small).includes('"maxSendWr":1,'), JSON.stringify(small));
  });

  it('writes nothing to nowhere where it has to write', async () => {
    const writes = (one: Program): boolean => JSON.stringify(one).includes('IBV_WR_RDMA_WRITE');
    const small = await shrink(writing, async (one) => sends(one) && writes(one) && (await polled(one)) === 1);
    assert.ok(!JSON.stringify(small).includes('ibv_reg_mr'), JSON.stringify(small));
  });

  it('has its threads one after another, the last one first if need be', async () => {
    const isAsked = (one: Program): boolean =>
      ['ibv_post_send ibv_post_recv', ''].includes(one.ops.every(isCall) ? posts(one).join(' ') : '');
    const both = withOps(makeCq('cq'), makeQp('one'), { par: [[receive], [send('one', '0x2')]] });
    assert.deepEqual(posts(await shrink(both, (one) => Promise.resolve(posts(one).length === 2 && isAsked(one)))), [
      'ibv_post_send',
      'ibv_post_recv',
    ]);
  });
});
