import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RecordedCall, RecordedTrace } from '../evidence/recorded-trace';
import type { CallGroup } from './call-groups';
import { diagramOf, type Diagram } from './diagram';
import { layOut } from './diagram-layout';

const names: Readonly<Record<string, string>> = { 'cq#3': 'recv_cq', 'channel#2': 'channel', 'qp#7': 'client' };
const scope: RecordedTrace['scope'] = { nameOf: (handle) => names[handle] ?? handle, qpTypeOf: () => 'IBV_QPT_RC' };

function call(startedAt: number, verb: string, more: Partial<RecordedCall>): RecordedCall {
  return { verb, args: {}, returned: 0, outputs: {}, startedAt, durationUs: 1, ...more };
}

const wc = { wrId: '0x7', status: 'IBV_WC_SUCCESS', opcode: 'IBV_WC_RECV', qpNum: 7 };
const cqArgs = { context: 'context#1', cqe: 4, cqContext: '0x0', channel: 'channel#2', compVector: 0 };
const create = call(100, 'ibv_create_cq', { args: cqArgs, returned: 'cq#3' });
const poll = (at: number, found: object[]): RecordedCall =>
  call(at, 'ibv_poll_cq', {
    args: { cq: 'cq#3', numEntries: 2 },
    returned: found.length,
    outputs: { wc: found as never },
  });
const wrs = [{ wrId: '0x1', sgList: [], opcode: 'IBV_WR_SEND', sendFlags: [] }];
const post = call(1100, 'ibv_post_send', { args: { qp: 'qp#7', wrs }, returned: 22, errno: 'EINVAL' });
const get = call(1200, 'ibv_get_cq_event', {
  args: { channel: 'channel#2' },
  outputs: { cq: 'cq#3', cqContext: '0x0' },
});
const hung: RecordedCall = {
  ...{ verb: 'ibv_destroy_cq', args: { cq: 'cq#3' }, outputs: {}, startedAt: 1300, durationUs: 0 },
};

function diagram(groups: readonly Partial<CallGroup>[], callsMax?: number): Diagram {
  const whole = groups.map((group) => ({ step: '', calls: [], findings: [], ...group }));
  return diagramOf(whole, { calls: [], scope, steps: [] }, callsMax);
}

describe('the sequence of a trace', () => {
  it('has a lane for the program, each object of its own kind, and the device', () => {
    const { lanes } = diagram([{ calls: [post, create, get] }]);
    assert.deepEqual(
      lanes.map(({ name, kind }) => [name, kind]),
      [
        ['program', ''],
        ['channel', 'completion channel'],
        ['recv_cq', 'CQ'],
        ['client', 'QP'],
        ['device', 'and other objects'],
      ],
    );
  });

  it('leads each call to its object, and what it gave back to the program', () => {
    const { rows } = diagram([
      { step: 'Given a CQ', calls: [create] },
      { step: 'Then it gains', calls: [poll(1000, [wc])], findings: ['expected 2, observed 1'] },
    ]);
    assert.deepEqual(rows, [
      { is: 'step', text: 'Given a CQ', failed: false },
      {
        ...{ is: 'call', to: 2, besides: [1], makes: true, atMs: '0.000' },
        text: 'ibv_create_cq(context#1, 4, 0x0, channel, 0) = recv_cq',
      },
      { is: 'step', text: 'Then it gains', failed: true },
      { is: 'call', to: 2, besides: [], makes: false, atMs: '0.900', text: 'ibv_poll_cq(recv_cq, 2, wc) = 1' },
      {
        ...{ is: 'answer', from: 2, refused: false },
        text: 'wc[0] = { .wr_id = 0x7, .status = IBV_WC_SUCCESS, .opcode = IBV_WC_RECV, .q…',
      },
      { is: 'finding', text: 'expected 2, observed 1' },
    ]);
  });

  it('shows an event from its channel, a refusal, and a call that never returned', () => {
    const { rows } = diagram([{ calls: [get, post, hung] }]);
    assert.deepEqual(
      rows.flatMap((row) => (row.is === 'answer' || row.is === 'lost' ? [row] : [])),
      [
        { is: 'answer', from: 1, text: 'cq = recv_cq, cq_context = 0x0', refused: false },
        { is: 'answer', from: 3, text: 'EINVAL', refused: true },
        { is: 'lost', from: 2, text: 'never returned' },
      ],
    );
  });

  it('tells calls that say the same once, and leaves out the first of too many', () => {
    const polls = [poll(1, []), poll(2, []), poll(3, []), poll(4, [wc])];
    const texts = diagram([{ calls: polls }]).rows.flatMap((row) => (row.is === 'call' ? [row.text] : []));
    assert.deepEqual(texts, ['ibv_poll_cq(recv_cq, 2, wc) = 0  × 3', 'ibv_poll_cq(recv_cq, 2, wc) = 1']);
    const { rows, leftOut } = diagram([{ step: 'gone', calls: [create] }, { calls: polls }], 3);
    assert.deepEqual([leftOut, rows.some((row) => row.text === 'gone')], [2, false]);
  });

  it('shows a step that failed without a call, and keeps to the busiest of very many objects', () => {
    const { rows } = diagram([{ calls: [create] }, { step: 'Then it fails', findings: ['so'] }, { step: 'silent' }]);
    assert.deepEqual(
      rows.slice(2).map((row) => row.text),
      ['Then it fails', 'so'],
    );
    const many = Array.from({ length: 50 }, (_, index) =>
      call(index, 'ibv_create_cq', { args: cqArgs, returned: `cq#${index}` }),
    );
    assert.equal(diagram([{ calls: many }]).lanes.length, 12);
  });

  it('is laid out without overlap, as wide as its longest text', () => {
    const { rows, xs, width, height } = layOut(diagram([{ step: 'x'.repeat(120), calls: [create, poll(2, [wc])] }]));
    assert.ok(rows.every(({ top, height: own }, index) => top === (rows[index - 1]?.top ?? 0) + own));
    assert.ok(rows.every(({ y }) => y < height) && xs.every((x) => x < width) && width > 120 * 6);
  });
});
