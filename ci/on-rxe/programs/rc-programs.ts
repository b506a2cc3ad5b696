import type { Op, Program, ProgramStruct, ProgramValue, Reference } from '../../../drivers/programs/program';

const of = (name: string, member?: string, plus?: number): Reference => ({
  of: name,
  ...(member !== undefined && { member }),
  ...(plus !== undefined && { plus }),
});

const access = ['IBV_ACCESS_LOCAL_WRITE', 'IBV_ACCESS_REMOTE_WRITE', 'IBV_ACCESS_REMOTE_READ'];
const cap = { maxSendWr: 8, maxRecvWr: 8, maxSendSge: 1, maxRecvSge: 1, maxInlineData: 0 };
const init = { sendCq: of('scq'), recvCq: of('rcq'), srq: null, cap, qpType: 'IBV_QPT_RC', sqSigAll: true };
const grh = { dgid: of('dut', 'gid'), sgidIndex: of('dut', 'gidIndex'), hopLimit: 64, flowLabel: 0, trafficClass: 0 };
const ahAttr = { grh, dlid: of('dut', 'lid'), sl: 0, srcPathBits: 0, staticRate: 0, isGlobal: true, portNum: 1 };

const qpOp = (name: string): Op => ({ call: 'ibv_create_qp', args: { pd: of('pd'), qpInitAttr: init }, as: name });

const modify = (name: string, attr: ProgramStruct, mask: readonly string[]): Op => ({
  call: 'ibv_modify_qp',
  args: { qp: of(name), attr, attrMask: ['IBV_QP_STATE', ...mask.map((bit) => `IBV_QP_${bit}`)] },
});

const toInit = (name: string): Op =>
  modify(name, { qpState: 'IBV_QPS_INIT', pkeyIndex: 0, portNum: of('dut', 'portNum'), qpAccessFlags: access }, [
    'PKEY_INDEX',
    'PORT',
    'ACCESS_FLAGS',
  ]);

const toRtr = (name: string, peer: string): Op =>
  modify(
    name,
    {
      qpState: 'IBV_QPS_RTR',
      ahAttr,
      pathMtu: of('dut', 'mtu'),
      destQpNum: of(peer, 'qpNum'),
      rqPsn: 0,
      maxDestRdAtomic: 1,
      minRnrTimer: 12,
    },
    ['AV', 'PATH_MTU', 'DEST_QPN', 'RQ_PSN', 'MAX_DEST_RD_ATOMIC', 'MIN_RNR_TIMER'],
  );

const toRts = (name: string): Op =>
  modify(name, { qpState: 'IBV_QPS_RTS', timeout: 14, retryCnt: 7, rnrRetry: 7, sqPsn: 0, maxRdAtomic: 1 }, [
    'TIMEOUT',
    'RETRY_CNT',
    'RNR_RETRY',
    'SQ_PSN',
    'MAX_QP_RD_ATOMIC',
  ]);

const cqOp = (name: string, channel: Reference | null): Op => ({
  call: 'ibv_create_cq',
  args: { context: of('ctx'), cqe: 16, cqContext: '0x1', channel, compVector: 0 },
  as: name,
});

const sgList = (at: number): ProgramValue => [{ addr: of('mr', 'addr', at), length: 16, lkey: of('mr', 'lkey') }];

export const recv = (qp: string, wr: number): Op => ({
  call: 'ibv_post_recv',
  args: { qp: of(qp), wrs: [{ wrId: `0x${wr.toString(16)}`, sgList: sgList(64 * wr) }] },
});

export const send = (qp: string, wr: number): Op => ({
  call: 'ibv_post_send',
  args: {
    qp: of(qp),
    wrs: [
      {
        wrId: `0x${wr.toString(16)}`,
        sgList: sgList(2048 + 64 * wr),
        opcode: 'IBV_WR_SEND',
        sendFlags: ['IBV_SEND_SIGNALED'],
      },
    ],
  },
});

export const poll = (cq: string): Op => ({ call: 'ibv_poll_cq', args: { cq: of(cq), numEntries: 8 } });
export const settle: Op = { settle: true };
export const toError = (qp: string): Op => modify(qp, { qpState: 'IBV_QPS_ERR' }, []);

/** What most programs begin with: memory, two CQs, of which one has a channel, and two RC QPs that know each other. */
export const connected: readonly Op[] = [
  { call: 'ibv_open_device', args: { device: of('dut', 'name') }, as: 'ctx' },
  { call: 'ibv_alloc_pd', args: { context: of('ctx') }, as: 'pd' },
  { call: 'memory allocate', args: { length: 4096 }, as: 'mem' },
  { call: 'ibv_reg_mr', args: { pd: of('pd'), addr: of('mem', 'addr'), length: 4096, access }, as: 'mr' },
  { call: 'ibv_create_comp_channel', args: { context: of('ctx') }, as: 'ch' },
  cqOp('scq', null),
  cqOp('rcq', of('ch')),
  ...[qpOp('qp1'), qpOp('qp2'), toInit('qp1'), toInit('qp2')],
  ...[toRtr('qp1', 'qp2'), toRtr('qp2', 'qp1'), toRts('qp1'), toRts('qp2')],
];

const arm: Op = { call: 'ibv_req_notify_cq', args: { cq: of('rcq'), solicitedOnly: 0 } };
const takeEvent: Op = { call: 'ibv_get_cq_event', args: { channel: of('ch') }, as: 'event' };
const read: Op = { call: 'memory read', args: { addr: of('mem', 'addr', 64), length: 16 } };
const fill: Op = { call: 'memory write', args: { addr: of('mem', 'addr', 2048), bytes: 'a5'.repeat(512) } };
const destroy = (kind: 'qp' | 'cq', name: string): Op => ({
  call: `ibv_destroy_${kind}`,
  args: { [kind]: of(name) },
});

const program = (seed: string, ...ops: readonly Op[]): Program => ({ version: 1, seed, ops: [...connected, ...ops] });

/** Programs whose records do not depend on how fast the device is. */
export const steadyPrograms: readonly Program[] = [
  program('send', fill, recv('qp2', 1), send('qp1', 3), settle, poll('scq'), poll('rcq'), read),
  program('event', arm, recv('qp2', 1), send('qp1', 3), settle, takeEvent, poll('rcq')),
  program('flush', recv('qp2', 1), recv('qp1', 2), toError('qp1'), toError('qp2'), settle, poll('rcq'), poll('scq')),
  program('refused', destroy('cq', 'rcq'), { call: 'ibv_dealloc_pd', args: { pd: of('pd') } }),
  program(
    'threads',
    recv('qp2', 1),
    {
      par: [
        [send('qp1', 3), settle, poll('scq')],
        [arm, settle, read],
      ],
    },
    settle,
    poll('rcq'),
  ),
  program(
    'unmade',
    {
      call: 'ibv_create_cq',
      args: { context: of('ctx'), cqe: 0, cqContext: '0x0', channel: null, compVector: 0 },
      as: 'no',
    },
    poll('no'),
    poll('rcq'),
  ),
];

/** A call that never returns, and two whose acknowledgements only the clean-up puts right. */
export const blockedPrograms: readonly Program[] = [
  program('no event', takeEvent, poll('rcq')),
  program(
    'no acknowledgement',
    ...[arm, recv('qp2', 1), send('qp1', 3), settle, takeEvent],
    ...[destroy('qp', 'qp1'), destroy('qp', 'qp2'), destroy('cq', 'rcq')],
  ),
  program(
    'too many acknowledgements',
    { call: 'ibv_ack_cq_events', args: { cq: { of: 'rcq' }, nevents: 2 } },
    ...[destroy('qp', 'qp1'), destroy('qp', 'qp2'), destroy('cq', 'rcq')],
  ),
];

const many = [1, 2, 3, 4];

/** Programs whose records depend on who runs when: they look at what may or may not have come yet. */
export const racingPrograms: readonly Program[] = [
  program('two senders', ...many.map((wr) => recv('qp2', wr)), ...many.map((wr) => recv('qp1', wr + 4)), {
    par: [
      [send('qp1', 9), poll('scq'), send('qp1', 10), poll('scq'), poll('rcq')],
      [send('qp2', 11), poll('rcq'), send('qp2', 12), poll('rcq'), poll('scq')],
    ],
  }),
  program(
    'error while sending',
    ...many.map((wr) => recv('qp2', wr)),
    ...many.map((wr) => send('qp1', wr + 8)),
    ...[toError('qp1'), poll('scq'), poll('rcq'), settle, poll('scq'), poll('rcq')],
  ),
  program('error beside sending', ...many.map((wr) => recv('qp2', wr)), {
    par: [many.map((wr) => send('qp1', wr + 8)), [toError('qp1')], [poll('scq'), poll('scq'), poll('scq')]],
  }),
  // rdma_rxe flushes what it finds when the QP changes its state: receives that are posted then stay there for ever.
  program('error beside receives', { par: [many.map((wr) => recv('qp2', wr)), [toError('qp2')]] }, settle, poll('rcq')),
  program('armed too late', recv('qp2', 1), send('qp1', 2), arm, settle, poll('rcq')),
];

const startPoll: Op = { call: 'ibv_start_poll', args: { cq: of('cq') } };

/** Opens a batch of an extended CQ, on the completion of a receive that was flushed. */
export const openingBatch: readonly Op[] = [
  { call: 'ibv_open_device', args: { device: of('dut', 'name') }, as: 'ctx' },
  { call: 'ibv_alloc_pd', args: { context: of('ctx') }, as: 'pd' },
  {
    call: 'ibv_create_cq_ex',
    args: {
      context: of('ctx'),
      cqAttr: { cqe: 4, cqContext: '0x0', channel: null, compVector: 0, wcFlags: [], compMask: [], flags: [] },
    },
    as: 'cq',
  },
  {
    call: 'ibv_create_qp',
    args: { pd: of('pd'), qpInitAttr: { ...init, sendCq: of('cq'), recvCq: of('cq') } },
    as: 'qp',
  },
  toInit('qp'),
  { call: 'ibv_post_recv', args: { qp: of('qp'), wrs: [{ wrId: '0x7', sgList: [] }] } },
  toError('qp'),
  settle,
  startPoll,
];

/** What only a program does whose batch is open, and another batch, for which there is nothing. */
export const readingBatch: readonly Op[] = [
  { call: 'struct ibv_cq_ex', args: { cq: of('cq') } },
  { call: 'ibv_end_poll', args: { cq: of('cq') } },
  startPoll,
];

const queryPort: Op = { call: 'ibv_query_port', args: { context: of('ctx'), portNum: of('dut', 'portNum') } };
const takeAsync: Op = { call: 'ibv_get_async_event', args: { context: of('ctx') } };

/** Takes the link of the port down and up. */
export const thereAndBack: Program = {
  version: 1,
  seed: 'link',
  ops: [
    { call: 'ibv_open_device', args: { device: of('dut', 'name') }, as: 'ctx' },
    ...[{ port: 'down' } as const, queryPort, takeAsync],
    ...[{ port: 'up' } as const, queryPort, takeAsync],
  ],
};
