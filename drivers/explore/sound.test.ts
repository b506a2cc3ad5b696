import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallOp, Program } from '../programs/program';
import { pathToSelf } from './generate/objects';
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

test('a program makes sense if no QP gets the number of its first packet after its way to IBV_QPS_RTS', async () => {
  const port = { pkeyIndex: { of: 'dut', member: 'pkeyIndex' }, portNum: { of: 'dut', member: 'portNum' }, qkey: 1 };
  const init = toState('IBV_QPS_INIT', port, 'IBV_QP_PKEY_INDEX', 'IBV_QP_PORT', 'IBV_QP_QKEY');
  const [rtr, numbered] = [toState('IBV_QPS_RTR'), toState('IBV_QPS_RTS', { sqPsn: 0 }, 'IBV_QP_SQ_PSN')];
  const [plain, drained] = [toState('IBV_QPS_RTS'), toState('IBV_QPS_SQD')];
  const isSensible = (...ways: Program['ops']): Promise<boolean> =>
    makesSense({ version: 1, seed: 'states', ops: [...device, init, rtr, ...ways] });
  assert.equal(await isSensible(numbered, drained, plain), true);
  assert.equal(await isSensible(numbered, drained, numbered), false);
  const masked: Program['ops'][number] = {
    call: 'ibv_modify_qp',
    args: { qp: { of: 'qp' }, attr: { qpState: 'IBV_QPS_RESET', qkey: 1 }, attrMask: ['IBV_QP_QKEY'] },
  };
  assert.equal(await isSensible(numbered, masked, drained), true);
  const told = toState('IBV_QPS_SQD', { enSqdAsyncNotify: true }, 'IBV_QP_EN_SQD_ASYNC_NOTIFY');
  assert.equal(await isSensible(numbered, told, drained), true);
  assert.equal(await isSensible(numbered, told, told), false);
});

test('a program makes sense if a QP is refused to go where no way leads, or without what it needs there', async () => {
  const attr = { pkeyIndex: { of: 'dut', member: 'pkeyIndex' }, portNum: { of: 'dut', member: 'portNum' }, qkey: 1 };
  const isSensible = (...mask: readonly string[]): Promise<boolean> =>
    makesSense({
      version: 1,
      seed: 'attributes',
      ops: [...device, toState('IBV_QPS_INIT', attr, ...mask), receive],
    });
  const receive: CallOp = { call: 'ibv_post_recv', args: { qp: { of: 'qp' }, wrs: [{ wrId: '0x1', sgList: [] }] } };
  assert.equal(await isSensible('IBV_QP_PKEY_INDEX', 'IBV_QP_PORT', 'IBV_QP_QKEY'), true);
  const inReset = 'a receive is posted in IBV_QPS_RESET';
  assert.equal(await isSensible('IBV_QP_PKEY_INDEX', 'IBV_QP_PORT'), false, inReset);
  assert.equal(await isSensible(), false, inReset);
  const ways = [toState('IBV_QPS_INIT', attr), toState('IBV_QPS_RTS'), toState('IBV_QPS_RESET')];
  assert.equal(await makesSense({ version: 1, seed: 'refused', ops: [...device, ...ways] }), true);
});

test('a program makes sense if it binds each window once, or again by another key after it has invalidated the one before', async () => {
  const port = { pkeyIndex: { of: 'dut', member: 'pkeyIndex' }, portNum: { of: 'dut', member: 'portNum' }, qkey: 1 };
  const init = toState('IBV_QPS_INIT', port, 'IBV_QP_PKEY_INDEX', 'IBV_QP_PORT', 'IBV_QP_QKEY');
  const ready = [init, toState('IBV_QPS_RTR'), toState('IBV_QPS_RTS', { sqPsn: 0 }, 'IBV_QP_SQ_PSN')];
  const memory: Program['ops'] = [
    { call: 'memory allocate', args: { length: 64 }, as: 'mem' },
    {
      call: 'ibv_reg_mr',
      args: {
        pd: { of: 'pd' },
        addr: { of: 'mem', member: 'addr' },
        length: 64,
        access: ['IBV_ACCESS_LOCAL_WRITE', 'IBV_ACCESS_MW_BIND'],
      },
      as: 'mr',
    },
    { call: 'ibv_alloc_mw', args: { pd: { of: 'pd' }, type: 'IBV_MW_TYPE_2' }, as: 'mw' },
  ];
  const posting = (wr: object): Program['ops'][number] => ({
    call: 'ibv_post_send',
    args: { qp: { of: 'qp' }, wrs: [{ wrId: '0x1', sgList: [], sendFlags: [], ...wr }] },
  });
  const rkey = { of: 'mw', member: 'rkey', plus: 1 };
  const range = { mr: { of: 'mr' }, addr: { of: 'mr', member: 'addr' }, length: 16 };
  const bindMw = { mw: { of: 'mw' }, rkey, ...range, access: ['IBV_ACCESS_REMOTE_READ'] };
  const bind = posting({ opcode: 'IBV_WR_BIND_MW', bindMw });
  const invalidate = posting({ opcode: 'IBV_WR_LOCAL_INV', invalidateRkey: rkey });
  const isSensible = (...work: Program['ops']): Promise<boolean> =>
    makesSense({ version: 1, seed: 'windows', ops: [...device, ...memory, ...ready, ...work] });
  assert.equal(await isSensible(bind, invalidate), true);
  assert.equal(await isSensible(invalidate), false);
  assert.equal(await isSensible(bind, invalidate, bind), false);
  const again = posting({ opcode: 'IBV_WR_BIND_MW', bindMw: { ...bindMw, rkey: { ...rkey, plus: 2 } } });
  assert.equal(await isSensible(bind, invalidate, again), true);
  assert.equal(await isSensible(bind, again), false);
});

test('a program makes sense if it moves the link down and up in turn, where a context can tell and no QP has a path', async () => {
  const [down, up] = [{ port: 'down' } as const, { port: 'up' } as const];
  const query: CallOp = {
    call: 'ibv_query_port',
    args: { context: { of: 'ctx' }, portNum: { of: 'dut', member: 'portNum' } },
  };
  const [open = assert.fail(), ...objects] = device;
  const otherQuery = { ...query, args: { ...query.args, context: { of: 'other' } } };
  const close: Program['ops'][number] = { call: 'ibv_close_device', args: { context: { of: 'ctx' } } };
  const again: Program['ops'][number] = { ...open, as: 'other' };
  const destroy: Program['ops'][number] = { call: 'ibv_destroy_qp', args: { qp: { of: 'qp' } } };
  const attr = { pkeyIndex: { of: 'dut', member: 'pkeyIndex' }, portNum: { of: 'dut', member: 'portNum' }, qkey: 1 };
  const init = toState('IBV_QPS_INIT', attr, 'IBV_QP_PKEY_INDEX', 'IBV_QP_PORT', 'IBV_QP_QKEY');
  const connected = [open, ...objects, init, toState('IBV_QPS_RTR')];
  const handle: CallOp = { call: 'ibv_create_ah', args: { pd: { of: 'pd' }, attr: pathToSelf } };
  const thereAndBack = [down, query, up, query];
  const isSensible = (...ops: Program['ops']): Promise<boolean> => makesSense({ version: 1, seed: 'link', ops });
  const ways: readonly (readonly [boolean, string, Program['ops']])[] = [
    [true, 'there and back', [open, ...thereAndBack, ...thereAndBack]],
    [true, 'a link that stays down', [open, down, query]],
    [true, 'a QP without a path', [open, ...objects, init, ...thereAndBack]],
    [true, 'a QP that was reset', [...connected, toState('IBV_QPS_RESET'), ...thereAndBack]],
    [true, 'a QP that was destroyed', [...connected, destroy, ...thereAndBack]],
    [true, 'a QP that was destroyed in a thread', [...connected, { par: [[destroy], [query]] }, ...thereAndBack]],
    [true, 'a path that a QP was refused', [open, ...objects, toState('IBV_QPS_RTR'), ...thereAndBack]],
    [true, 'another context', [open, again, close, ...thereAndBack.map((op) => (op === query ? otherQuery : op))]],
    [false, 'down twice', [open, down, query, down, query]],
    [false, 'up at first', [open, up, query]],
    [false, 'up twice', [open, ...thereAndBack, up, query]],
    [false, 'a QP with a path', [...connected, ...thereAndBack]],
    [false, 'a path that a QP gets meanwhile', [open, ...objects, init, down, query, toState('IBV_QPS_RTR')]],
    [true, 'an address handle', [open, ...objects, ...thereAndBack, handle]],
    [false, 'an address handle that is made meanwhile', [open, ...objects, down, query, handle, up, query]],
    [false, 'no context yet', [down, open, query]],
    [false, 'no context any more', [open, close, down, again, otherQuery]],
    [false, 'nothing after it', [open, down, query, up]],
    [false, 'a settle after it', [open, down, { settle: true }, query]],
    [false, 'no call between two moves', [open, down, up, query]],
  ];
  for (const [expected, what, ops] of ways) assert.equal(await isSensible(...ops), expected, what);
});

test('a program makes sense if no thread asks for an event, without waiting, as another begins', async () => {
  const mode = (...flags: readonly string[]): CallOp => ({
    call: 'fcntl',
    args: { source: { of: 'ctx' }, cmd: 'F_SETFL', flags },
  });
  const get: CallOp = { call: 'ibv_get_async_event', args: { context: { of: 'ctx' } } };
  const other: CallOp = { call: 'ibv_query_device', args: { context: { of: 'ctx' } } };
  const settle = { settle: true } as const;
  const isSensible = (...ops: Program['ops']): Promise<boolean> =>
    makesSense({ version: 1, seed: 'gets', ops: [...device, ...ops] });
  assert.equal(await isSensible(mode('O_NONBLOCK'), { par: [[get], [other]] }), false);
  assert.equal(await isSensible(mode('O_NONBLOCK'), { par: [[get], [settle, other]] }), true);
  assert.equal(await isSensible(mode('O_NONBLOCK'), { par: [[other], [settle, get]] }), true);
  assert.equal(await isSensible(mode('O_NONBLOCK'), mode(), { par: [[get], [other]] }), true);
});

test('a program makes sense if it uses nothing of a context that it has closed', async () => {
  const channel: CallOp = { call: 'ibv_create_comp_channel', args: { context: { of: 'ctx' } }, as: 'ch' };
  const destroy: CallOp = { call: 'ibv_destroy_comp_channel', args: { channel: { of: 'ch' } } };
  const close: CallOp = { call: 'ibv_close_device', args: { context: { of: 'ctx' } } };
  const isSensible = (...ops: Program['ops']): Promise<boolean> =>
    makesSense({ version: 1, seed: 'closed', ops: [...device.slice(0, 1), channel, ...ops] });
  assert.equal(await isSensible(destroy, close), true);
  assert.equal(await isSensible(close, destroy), false);
});

test('a program makes sense if it posts no list without a request', async () => {
  const srq: CallOp = {
    call: 'ibv_create_srq',
    args: { pd: { of: 'pd' }, srqInitAttr: { attr: { maxWr: 4, maxSge: 1, srqLimit: 0 } } },
    as: 'srq',
  };
  const post = (...wrs: readonly object[]): CallOp => ({
    call: 'ibv_post_srq_recv',
    args: { srq: { of: 'srq' }, wrs: wrs as [] },
  });
  const isSensible = (...ops: Program['ops']): Promise<boolean> =>
    makesSense({ version: 1, seed: 'lists', ops: [...device, srq, ...ops] });
  assert.equal(await isSensible(post({ wrId: '0x1', sgList: [] })), true);
  assert.equal(await isSensible(post()), false);
});

test('a program makes sense if it reads nothing of what comes before the payload of a datagram', async () => {
  const port = { pkeyIndex: { of: 'dut', member: 'pkeyIndex' }, portNum: { of: 'dut', member: 'portNum' }, qkey: 1 };
  const ready = [
    toState('IBV_QPS_INIT', port, 'IBV_QP_PKEY_INDEX', 'IBV_QP_PORT', 'IBV_QP_QKEY'),
    toState('IBV_QPS_RTR'),
    toState('IBV_QPS_RTS', { sqPsn: 0 }, 'IBV_QP_SQ_PSN'),
  ];
  const addr = { of: 'mem', member: 'addr' };
  const access = ['IBV_ACCESS_LOCAL_WRITE'];
  const sgList = [{ addr, length: 64, lkey: { of: 'mr', member: 'lkey' } }];
  const ud = { ah: { of: 'ah' }, remoteQpn: { of: 'qp', member: 'qpNum' }, remoteQkey: 1 };
  const send = { wrId: '0x2', sgList: [], opcode: 'IBV_WR_SEND', sendFlags: ['IBV_SEND_SIGNALED'], ud };
  const sent: Program['ops'] = [
    { call: 'memory allocate', args: { length: 64 }, as: 'mem' },
    { call: 'ibv_reg_mr', args: { pd: { of: 'pd' }, addr, length: 64, access }, as: 'mr' },
    { call: 'ibv_create_ah', args: { pd: { of: 'pd' }, attr: pathToSelf }, as: 'ah' },
    { call: 'ibv_post_recv', args: { qp: { of: 'qp' }, wrs: [{ wrId: '0x1', sgList }] } },
    { call: 'ibv_post_send', args: { qp: { of: 'qp' }, wrs: [send] } },
    { settle: true },
  ];
  const isSensible = (plus: number, length: number): Promise<boolean> => {
    const read: CallOp = { call: 'memory read', args: { addr: { ...addr, plus }, length } };
    return makesSense({ version: 1, seed: 'headers', ops: [...device, ...ready, ...sent, read] });
  };
  assert.equal(await isSensible(40, 24), true);
  assert.equal(await isSensible(39, 25), false);
});
