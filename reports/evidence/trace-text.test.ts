import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTrace, renderCall, renderTrace, type RecordedCall } from './trace-text';

const call: RecordedCall = {
  verb: 'ibv_poll_cq',
  args: { cq: 'cq#3', numEntries: 2 },
  returned: 1,
  outputs: { wc: [{ wrId: '0x7', wcFlags: [] }] },
  startedAt: 1_000_000,
  durationUs: 12.4,
};

test('a call reads like strace', () => {
  assert.equal(renderCall(call), 'ibv_poll_cq(cq=cq#3, numEntries=2) = 1 {wc: [{wrId: 0x7, wcFlags: []}]}');
  const refused: RecordedCall = {
    ...call,
    verb: 'ibv_create_cq',
    args: {},
    returned: null,
    errno: 'EINVAL',
    outputs: {},
  };
  assert.equal(renderCall(refused), 'ibv_create_cq() = NULL EINVAL');
});

test('a void function has no result, and what it filled in stands alone', () => {
  const ack: RecordedCall = { ...call, verb: 'ibv_ack_cq_events', args: { nevents: 1 }, returned: null, outputs: {} };
  assert.equal(renderCall(ack), 'ibv_ack_cq_events(nevents=1)');
  const read: RecordedCall = { ...call, verb: 'ibv_wc_read_byte_len', returned: null, outputs: { value: 16 } };
  assert.equal(renderCall({ ...read, args: { cq: 'cq#3' } }), 'ibv_wc_read_byte_len(cq=cq#3) = {value: 16}');
});

test('a call that never returned says so', () => {
  const { verb, args, startedAt, durationUs } = call;
  const hung = { verb, args, outputs: {}, startedAt, durationUs };
  assert.equal(renderCall(hung), 'ibv_poll_cq(cq=cq#3, numEntries=2) never returned');
});

test('columns are aligned, and times count from the first call of the trace', () => {
  const second = { ...call, verb: 'poll', args: {}, outputs: {}, startedAt: 13_345_678, durationUs: 250_000 };
  const expected = ['  start ms  took µs  call', ' 12345.678   250000  poll() = 1'];
  assert.deepEqual(
    renderTrace([call, second], 1),
    expected.map((line) => line.replace(/^ {1}/, '')),
  );
  assert.deepEqual(renderTrace([]), []);
});

test('what is not a trace is none', () => {
  assert.equal(parseTrace('[{"verb":'), undefined);
  assert.equal(parseTrace('[{"verb":"poll"}]'), undefined);
  assert.equal(parseTrace('{}'), undefined);
  assert.deepEqual(parseTrace(JSON.stringify([call])), [call]);
});

test('what a device says cannot break out of its line', () => {
  assert.equal(renderCall({ ...call, args: { name: 'a\n\u001b[2Jb' }, outputs: {} }), 'ibv_poll_cq(name=a b) = 1');
});
