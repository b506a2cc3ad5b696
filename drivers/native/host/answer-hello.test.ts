import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Addon } from './addon';
import { answerHello } from './answer-hello';
import { errorCodes } from '../protocol';

const session = 7;

/** What a host answers that has no device, and which devices the client might have opened meanwhile. */
function greet(params: object, createVerbs: Addon['createVerbs'] = noDevices) {
  const chosen: (string | null)[] = [];
  const line = JSON.stringify({ jsonrpc: '2.0', id: '7:1', method: 'hello', params });
  const addon = { createVerbs } as unknown as Addon;
  const { id, error } = answerHello(addon, session, line, (device) => chosen.push(device));
  assert.equal(id, '7:1');
  assert.deepEqual(chosen, [null], 'a device that cannot be used is not opened, nor is the one before');
  assert.ok(error !== undefined, 'it is refused');
  return error;
}

function noDevices(): ReturnType<Addon['createVerbs']> {
  const list = { returned: 'list', errno: 0, outputs: { devices: [] }, startedAt: 0, durationUs: 0 };
  return { verbs: { ibv_get_device_list: () => list }, providerPath: () => null };
}

const hello = { session, device: 'none0', portNum: 1, gidIndex: 0 };

describe('a hello', () => {
  it('of a device that is not there is refused with the remedy', () => {
    const error = greet(hello);
    assert.equal(error.code, errorCodes.noDevice);
    assert.match(JSON.stringify(error.data), /rdma link/);
  });

  it('of another session is refused', () => {
    const error = greet({ ...hello, session: 8 });
    assert.equal(error.code, -32602);
    assert.match(error.message, /this host is of session 7/);
  });

  it('that fails for a reason that nobody expects reports it', () => {
    const error = greet(hello, () => {
      throw new Error('no verbs at all');
    });
    assert.deepEqual(error, { code: -32603, message: 'no verbs at all' });
  });
});
