import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callText, type StoredCall } from './call-text';
import type { Scope } from './c-text';

const names: Readonly<Record<string, string>> = { 'cq#3': 'recv_cq', 'channel#2': 'channel', 'qp#5': 'client' };
const scope: Scope = { nameOf: (handle) => names[handle] ?? handle, qpTypeOf: () => 'IBV_QPT_RC' };

const completion = {
  qpNum: 0x13,
  opcode: 'IBV_WC_RECV',
  wrId: '0x16',
  status: 'IBV_WC_SUCCESS',
  byteLen: 16,
  srcQp: 7,
};
const completionText =
  '{ .wr_id = 0x16, .status = IBV_WC_SUCCESS, .opcode = IBV_WC_RECV, .byte_len = 16, .qp_num = 0x13 }';
const poll: StoredCall = {
  verb: 'ibv_poll_cq',
  args: { numEntries: 2, cq: 'cq#3' },
  returned: 2,
  outputs: { wc: [completion, completion], overflowed: false },
};
const qpAttr = { qpState: 'IBV_QPS_RTS', sqPsn: 0, rnrRetry: 7 };
const create: StoredCall = {
  verb: 'ibv_create_cq',
  args: { context: 'context#1', cqe: 4, cqContext: '0x0', channel: null, compVector: 0 },
  returned: 'cq#3',
  outputs: { cqe: 7 },
};
const send = {
  wrId: '0x7',
  sgList: [{ addr: '0x1000', length: 16, lkey: 256 }],
  opcode: 'IBV_WR_RDMA_WRITE',
  sendFlags: ['IBV_SEND_SIGNALED', 'IBV_SEND_INLINE'],
  rdma: { remoteAddr: '0x2000', rkey: 512 },
};
const post: StoredCall = {
  verb: 'ibv_post_send',
  args: { qp: 'qp#5', wrs: [send] },
  returned: 22,
  errno: 'EINVAL',
  outputs: { badWr: 0 },
};

describe('a call in C', () => {
  const calls: readonly (readonly [title: string, call: StoredCall, lines: readonly string[]])[] = [
    [
      'has the CQEs that it filled in below',
      poll,
      ['ibv_poll_cq(recv_cq, 2, wc) = 2', `wc[0] = ${completionText}`, `wc[1] = ${completionText}`],
    ],
    [
      'has a remark on what is no part of the API and says something',
      { ...poll, outputs: { wc: [], overflowed: true } },
      ['ibv_poll_cq(recv_cq, 2, wc) = 2 (overflowed)'],
    ],
    [
      'that never returned says so',
      { verb: 'ibv_poll_cq', args: poll.args, outputs: {} },
      ['ibv_poll_cq(recv_cq, 2, wc) never returned'],
    ],
    ['gives the object that it made', create, ['ibv_create_cq(context#1, 4, 0x0, NULL, 0) = recv_cq { .cqe = 7 }']],
    [
      'that refused gives NULL and errno',
      { ...create, returned: null, errno: 'ENOMEM', outputs: {} },
      ['ibv_create_cq(context#1, 4, 0x0, NULL, 0) = NULL ENOMEM'],
    ],
    [
      'has structs without the members that are 0',
      {
        verb: 'ibv_modify_qp',
        args: { qp: 'qp#5', attr: qpAttr, attrMask: ['IBV_QP_STATE', 'IBV_QP_RNR_RETRY'] },
        returned: 0,
        outputs: {},
      },
      ['ibv_modify_qp(client, { .qp_state = IBV_QPS_RTS, .rnr_retry = 7 }, IBV_QP_STATE | IBV_QP_RNR_RETRY) = 0'],
    ],
    [
      'has the work requests below, and which was refused',
      post,
      [
        'ibv_post_send(client, wr, bad_wr) = 22 EINVAL',
        'wr[0] = { .wr_id = 0x7, .sg_list = { { .addr = 0x1000, .length = 16, .lkey = 0x100 } }, ' +
          '.opcode = IBV_WR_RDMA_WRITE, .send_flags = IBV_SEND_SIGNALED | IBV_SEND_INLINE, ' +
          '.wr.rdma = { .remote_addr = 0x2000, .rkey = 0x200 } }',
        'bad_wr = &wr[0]',
      ],
    ],
    [
      'that refused none names none',
      { ...post, args: { qp: 'qp#5', wrs: [] }, outputs: { badWr: null } },
      ['ibv_post_send(client, wr, bad_wr) = 22 EINVAL'],
    ],
    [
      'has what it filled in as variables',
      {
        verb: 'ibv_get_cq_event',
        args: { channel: 'channel#2' },
        returned: 0,
        outputs: { cq: 'cq#3', cqContext: '0x9' },
      },
      ['ibv_get_cq_event(channel, cq, cq_context) = 0', 'cq = recv_cq, cq_context = 0x9'],
    ],
    [
      'has what it filled in as a struct',
      {
        verb: 'ibv_query_port',
        args: { context: 'context#1', portNum: 1 },
        returned: 0,
        outputs: { lid: 3, state: 'IBV_PORT_ACTIVE' },
      },
      ['ibv_query_port(context#1, 1, port_attr) = 0', 'port_attr = { .state = IBV_PORT_ACTIVE, .lid = 3 }'],
    ],
    [
      'has what it filled in where the function has it',
      {
        verb: 'ibv_query_qp',
        args: { qp: 'qp#1', attrMask: ['IBV_QP_STATE'] },
        returned: 0,
        outputs: { attr: { qpState: 'IBV_QPS_RTS' }, initAttr: { qpType: 'IBV_QPT_RC' } },
      },
      [
        'ibv_query_qp(qp#1, attr, IBV_QP_STATE, init_attr) = 0',
        'attr = { .qp_state = IBV_QPS_RTS }, init_attr = { .qp_type = IBV_QPT_RC }',
      ],
    ],
    [
      'has an object that it made in room of the caller as an argument',
      {
        verb: 'ibv_get_async_event',
        args: { context: 'context#1' },
        returned: 0,
        outputs: { event: 'event#9', eventType: 'IBV_EVENT_CQ_ERR', element: 'cq#3' },
      },
      ['ibv_get_async_event(context#1, event#9) = 0 { .event_type = IBV_EVENT_CQ_ERR, .element = recv_cq }'],
    ],
    [
      'that cannot refuse returns what it gives',
      { verb: 'ibv_wc_read_qp_num', args: { cq: 'cq#3' }, returned: 19, outputs: { value: 19 } },
      ['ibv_wc_read_qp_num(recv_cq) = 0x13'],
    ],
    [
      'that can has it in a remark',
      {
        verb: 'fcntl',
        args: { source: 'channel#2', cmd: 'F_GETFL' },
        returned: 2048,
        outputs: { flags: ['O_NONBLOCK'] },
      },
      ['fcntl(channel, F_GETFL) = 2048 (flags = O_NONBLOCK)'],
    ],
    [
      'of a void function has no result',
      { verb: 'ibv_ack_cq_events', args: { cq: 'cq#3', nevents: 1 }, returned: null, outputs: {} },
      ['ibv_ack_cq_events(recv_cq, 1)'],
    ],
    [
      'that is none is what a program reads',
      {
        verb: 'struct ibv_cq',
        args: { cq: 'cq#3' },
        returned: null,
        outputs: { cqe: 7, channel: 'channel#2', context: null },
      },
      ['*recv_cq = { .channel = channel, .cqe = 7 }'],
    ],
    [
      'that is none, and was never read, says so',
      { verb: 'struct ibv_cq', args: { cq: 'cq#3' }, outputs: {} },
      ['*recv_cq never read'],
    ],
    [
      'that gives a text has it in quotes',
      { verb: 'ibv_node_type_str', args: { nodeType: 'IBV_NODE_CA' }, returned: 'a CA', outputs: { address: '0x50' } },
      ['ibv_node_type_str(IBV_NODE_CA) = "a CA" (address = 0x50)'],
    ],
    [
      'that nothing describes has its names as they are',
      { verb: 'my_verb', args: { wrId: '0x1' }, returned: -1, errno: 'EIO', outputs: { a: 1 } },
      ['my_verb(wrId=0x1) = -1 EIO {a: 1}'],
    ],
  ];
  for (const [title, call, lines] of calls) {
    it(title, () => {
      const { call: head, below } = callText(call, scope);
      assert.deepEqual([head, ...below], lines);
    });
  }
});
