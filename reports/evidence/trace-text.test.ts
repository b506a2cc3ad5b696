import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecordedCall, RecordedTrace } from './recorded-trace';
import { renderCall, renderTrace } from './trace-text';

const call: RecordedCall = {
  verb: 'ibv_poll_cq',
  args: { cq: 'cq#3', numEntries: 2 },
  returned: 1,
  outputs: { wc: [{ wrId: '0x7', status: 'IBV_WC_SUCCESS', opcode: 'IBV_WC_RECV' }] },
  startedAt: 1_000_000,
  durationUs: 12.4,
};

const scope: RecordedTrace['scope'] = { nameOf: (handle) => handle, qpTypeOf: () => undefined };
const trace = (calls: readonly RecordedCall[], steps: RecordedTrace['steps'] = []): RecordedTrace => ({
  ...{ calls, scope, steps },
});

test('a call reads like strace, each CQE in a line of its own', () => {
  assert.deepEqual(renderCall(call, scope), [
    'ibv_poll_cq(cq#3, 2, wc) = 1',
    '  wc[0] = { .wr_id = 0x7, .status = IBV_WC_SUCCESS, .opcode = IBV_WC_RECV }',
  ]);
});

test('columns are aligned, and times count from the first call of the trace', () => {
  const second = { ...call, args: { cq: 'cq#3' }, outputs: {}, startedAt: 13_345_678, durationUs: 250_000 };
  const [heading, row, ...others] = renderTrace(trace([call, second]), { lastMax: 1 });
  assert.deepEqual(others, []);
  assert.equal(heading, ' start ms  took µs  call');
  assert.equal(row, '12345.678   250000  ibv_poll_cq(cq#3, NULL, wc) = 1');
  assert.deepEqual(renderTrace(trace([])), []);
});

test('calls stand below the step that made them, also where the first ones are not shown', () => {
  const empty = { ...call, outputs: {} };
  const steps = ['Given one', 'When two', 'When two', 'Then three'];
  const shown = renderTrace(trace([empty, empty, empty, empty], steps), { lastMax: 2 });
  const row = '   0.000       12  ibv_poll_cq(cq#3, 2, wc) = 1';
  assert.deepEqual(shown, ['start ms  took µs  call', 'When two', row, 'Then three', row]);
});

test('a long call goes on below itself, and its members stay whole', () => {
  assert.deepEqual(renderTrace(trace([call]), { columns: 60 }).slice(1), [
    '   0.000       12  ibv_poll_cq(cq#3, 2, wc) = 1',
    '                     wc[0] = { .wr_id = 0x7,',
    '                       .status = IBV_WC_SUCCESS,',
    '                       .opcode = IBV_WC_RECV }',
  ]);
});

test('what a device says cannot break out of its line', () => {
  const args = { cq: 'a\n\u001b[2Jb', numEntries: 1 };
  const outputs = { wc: [{ wrId: 'c\n::error::', status: '\u001b[2Jd' }] };
  assert.deepEqual(renderCall({ ...call, args, outputs }, scope), [
    'ibv_poll_cq(a b, 1, wc) = 1',
    '  wc[0] = { .wr_id = c : :error::, .status = d }',
  ]);
  const [, , step] = renderTrace(trace([call, call], ['', 'Given\n::error::x']));
  assert.doesNotMatch(step ?? '', /\n|::error/);
});
