import assert from 'node:assert/strict';
import { it } from 'node:test';
import { objectsOfCall } from './call-objects';
import type { StoredCall } from './call-text';

const call = (verb: string, more: Partial<StoredCall>): StoredCall => ({ verb, args: {}, outputs: {}, ...more });

it('finds the objects of a call by its description: those that it was given, and those that it named or made', () => {
  const qpInitAttr = { sendCq: 'cq#3', recvCq: 'cq#4', srq: null, qpType: 'IBV_QPT_RC', cap: {} };
  const create = call('ibv_create_qp', { args: { pd: 'pd#1', qpInitAttr }, returned: 'qp#7' });
  assert.deepEqual(objectsOfCall(create), { made: 'qp#7', touched: ['pd#1', 'cq#3', 'cq#4'] });
  const get = call('ibv_get_cq_event', { args: { channel: 'channel#2' }, returned: 0, outputs: { cq: 'cq#3' } });
  assert.deepEqual(objectsOfCall(get), { touched: ['channel#2', 'cq#3'] });
});

it('finds none in what is not of its type, or that nothing describes', () => {
  assert.deepEqual(objectsOfCall(call('ibv_poll_cq', { args: { cq: 7, numEntries: 'cq#3' }, returned: 'cq#4' })), {
    touched: [],
  });
  assert.deepEqual(objectsOfCall(call('toString', { args: { cq: 'cq#3' } })), { touched: [] });
});
