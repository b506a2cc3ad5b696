import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { SimBackend } from '../sim/backend';
import { soundParts } from '../sim/device/device';
import { checkedProgram } from './check-program';
import type { Program } from './program';
import { runProgram, untilDeadline, type ProgramRun } from './run-program';

const of = (name: string) => ({ of: name });
const start = [
  { call: 'ibv_open_device', args: { device: { of: 'dut', member: 'name' } }, as: 'ctx' },
  { call: 'ibv_create_comp_channel', args: { context: of('ctx') }, as: 'ch' },
  {
    call: 'ibv_create_cq_ex',
    args: {
      context: of('ctx'),
      cqAttr: { cqe: 4, cqContext: '0x7', channel: of('ch'), compVector: 0, wcFlags: [], compMask: [], flags: [] },
    },
    as: 'cq',
  },
];

function run(...ops: readonly unknown[]): Promise<ProgramRun> {
  const program: Program = checkedProgram({ version: 1, seed: 'test', ops: [...start, ...ops] });
  return runProgram(new SimBackend(soundParts), program);
}

describe('running a program', () => {
  it('gives a record for each call, whose names stand for objects and numbers', async () => {
    const { records } = await run({ call: 'struct ibv_cq', args: { cq: of('cq') } });
    assert.equal(records.length, 4);
    assert.equal(records[3]?.outputs.cqContext, 7n);
    assert.equal(records[3].args.cq, records[2]?.returned);
  });

  it('moves the link of the port, and goes on when that has had its effect', async () => {
    const query = { call: 'ibv_query_port', args: { context: of('ctx'), portNum: { of: 'dut', member: 'portNum' } } };
    const event = { call: 'ibv_get_async_event', args: { context: of('ctx') } };
    const { records } = await run({ port: 'down' }, query, event, { port: 'up' }, query, event);
    assert.deepEqual(
      records.slice(3).map((record) => record?.outputs.state ?? record?.outputs.eventType),
      ['IBV_PORT_DOWN', 'IBV_EVENT_PORT_ERR', 'IBV_PORT_ACTIVE', 'IBV_EVENT_PORT_ACTIVE'],
    );
  });

  it('tells a call that does not return, and makes none after it', async () => {
    const get = { call: 'ibv_get_cq_event', args: { channel: of('ch') } };
    const { records } = await run(get, { call: 'struct ibv_cq', args: { cq: of('cq') } });
    assert.equal(records[3]?.blocked, true);
    assert.equal(records[4], undefined);
  });

  it('lets it be heard of a call that does not return', async () => {
    const get = { call: 'ibv_get_cq_event', args: { channel: of('ch') } };
    const program: Program = checkedProgram({ version: 1, seed: 'test', ops: [...start, get] });
    const heard: (true | undefined)[] = [];
    await runProgram(new SimBackend(soundParts), program, {
      isOver: (_at, { blocked }) => {
        heard.push(blocked);
        return false;
      },
    });
    assert.deepEqual(heard, [undefined, undefined, undefined, true]);
  });

  it('counts how often other threads have settled while a call waits', async () => {
    const set = { call: 'fcntl', args: { source: of('ctx'), cmd: 'F_SETFL', flags: [] } };
    const poll = { call: 'poll', args: { source: of('ch'), timeoutMs: -1 } };
    const { records } = await run({ par: [[poll], [{ settle: true }, set, { settle: true }]] });
    assert.equal(records[3]?.blocked, true);
    assert.equal(records[4]?.returned, 0);
  });

  it('makes no call on what has ended, was refused, or is in no batch', async () => {
    const destroy = { call: 'ibv_destroy_cq', args: { cq: of('cq') } };
    const refused = {
      call: 'ibv_create_cq',
      args: { context: of('ctx'), cqe: 4, cqContext: '0x0', channel: null, compVector: -1 },
      as: 'no',
    };
    const read = { call: 'ibv_wc_read_opcode', args: { cq: of('cq') } };
    const { records } = await run(refused, { call: 'struct ibv_cq', args: { cq: of('no') } }, read, destroy, destroy);
    assert.deepEqual(
      records.slice(3).map((record) => record?.returned),
      [null, undefined, undefined, 0, undefined],
    );
  });
});

test('a call is waited for as long as something happens beside it', async () => {
  let pauses = 0;
  const pause = (): Promise<void> => {
    pauses += 1;
    return Promise.resolve();
  };
  const never = new Promise<never>(() => undefined);
  const waitsFor = (changes: () => number): Promise<boolean> =>
    untilDeadline({ pause }, 10)({ hasReturned: () => false, returned: never, changes });
  assert.equal(await waitsFor(() => Math.min(pauses, 3)), false);
  assert.equal(pauses, 4);
});
