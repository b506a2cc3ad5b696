import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TraceStruct } from '../../../contract';
import type { ProgramRecord } from '../../../programs/program';
import { brokenRelation } from './device-relations';

const record = (verb: ProgramRecord['verb'], args: TraceStruct, outputs: TraceStruct = {}): ProgramRecord => ({
  verb,
  args,
  returned: 0,
  errno: 0,
  outputs,
});

const usualPort = { state: 'IBV_PORT_ACTIVE', maxMtu: 'IBV_MTU_4096', activeMtu: 'IBV_MTU_1024', lid: 3 };
const port = (changes: TraceStruct = {}): ProgramRecord =>
  record('ibv_query_port', { context: 'ctx#1', portNum: 1 }, { ...usualPort, gidTblLen: 4, pkeyTblLen: 2, ...changes });
const device = (context: string, changes: TraceStruct = {}): ProgramRecord =>
  record('ibv_query_device', { context }, { nodeGuid: '1', maxQp: 64, deviceCapFlags: ['A', 'B'], ...changes });
const masked = (completionTimestampMask: bigint): ProgramRecord =>
  record('ibv_query_device_ex', { context: 'ctx#1' }, { completionTimestampMask });
const stamp = (value: bigint): ProgramRecord => record('ibv_wc_read_completion_ts', { cq: 'cq#1' }, { value });
const made = (qp: string, qpNum: number): ProgramRecord => ({
  ...record('ibv_create_qp', { pd: 'pd#1' }, { qpNum }),
  returned: qp,
});
const destroyed = (qp: string): ProgramRecord => record('ibv_destroy_qp', { qp });
const used = (qp: string): ProgramRecord => record('ibv_query_qp', { qp, attrMask: [] });
const modified = (attr: TraceStruct, ...attrMask: string[]): ProgramRecord =>
  record('ibv_modify_qp', { qp: 'qp#1', attr, attrMask });

const sound = (...records: ProgramRecord[]): void => {
  assert.equal(brokenRelation(records), undefined);
};
const broken = (what: string, ...records: ProgramRecord[]): void => {
  assert.equal(brokenRelation(records)?.what, what);
};

describe('a device', () => {
  it('says the same of itself each time and in each context', () => {
    sound(device('ctx#1'), device('ctx#2'));
    broken('maxQp', device('ctx#1'), device('ctx#2', { maxQp: 63 }));
    broken('deviceCapFlags', device('ctx#1'), device('ctx#1', { deviceCapFlags: ['A'] }));
    broken('completionTimestampMask', masked(0xffn), masked(0xfffn));
  });

  it('gives no time stamp that has more bits than it says, whichever is read first', () => {
    sound(masked(0xffn), stamp(0xffn));
    sound(stamp(0x100n), masked(0n));
    broken('completionTimestampMask', masked(0xffn), stamp(0x100n));
    broken('completionTimestampMask', stamp(0x100n), masked(0xffn));
  });

  it('gives each QP that has not been destroyed a number of its own', () => {
    sound(made('qp#1', 7), made('qp#2', 8));
    sound(made('qp#1', 7), destroyed('qp#1'), made('qp#2', 7));
    sound(made('qp#1', 7), made('qp#2', 7), destroyed('qp#1'));
    sound(made('qp#1', 7), { ...destroyed('qp#1'), blocked: true }, made('qp#2', 7));
    broken('qpNum', made('qp#1', 7), made('qp#2', 7));
    broken('qpNum', made('qp#1', 7), { ...destroyed('qp#1'), returned: 16 }, made('qp#2', 7));
    broken('qpNum', made('qp#1', 7), made('qp#2', 7), used('qp#1'), destroyed('qp#1'));
  });
});

describe('a port', () => {
  it('has no larger MTU than it can have', () => {
    sound(port({ activeMtu: 'IBV_MTU_4096' }), port({ activeMtu: 'IBV_MTU_4096' }));
    sound(port({ maxMtu: '9', activeMtu: '9' }));
    broken('activeMtu', port({ maxMtu: 'IBV_MTU_2048', activeMtu: 'IBV_MTU_4096' }));
  });

  it('says the same each time, as far as its link stays as it is', () => {
    sound(port(), port());
    broken('gidTblLen', port(), port({ gidTblLen: 5 }));
    broken('lid', port(), port({ lid: 4 }));
    sound(port(), port({ state: 'IBV_PORT_DOWN', lid: 0 }), port({ lid: 4 }));
    sound(port(), record('ibv_get_async_event', {}, { eventType: 'IBV_EVENT_LID_CHANGE' }), port({ lid: 4 }));
  });

  it('has all in its tables that a QP was let use', () => {
    const init = modified({ portNum: 1, pkeyIndex: 2 }, 'IBV_QP_PORT', 'IBV_QP_PKEY_INDEX');
    const ready = modified({ ahAttr: { isGlobal: true, grh: { sgidIndex: 4 } } }, 'IBV_QP_AV');
    sound(port({ pkeyTblLen: 3, gidTblLen: 5 }), init, ready);
    broken('pkeyTblLen', init, port());
    broken('gidTblLen', port({ pkeyTblLen: 3 }), init, ready);
    sound(port(), { ...init, returned: 22 });
  });
});
