import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { programVersion, type Op } from '../../programs/program';
import { cellKey, cellOf } from './cell';
import { cellsIn, listOfCells } from './cell-list';
import { cellsReachedBy } from './reached-by';

const of = (name: string): { readonly of: string } => ({ of: name });
const cq = (entries: number): Op => ({
  call: 'ibv_create_cq',
  args: { context: of('ctx'), cqe: entries, cqContext: '0x0', channel: of('ch'), compVector: 0 },
  as: 'cq',
});

/** The cells of calls on a context with a channel. */
function cellsOf(...ops: readonly Op[]): Promise<ReadonlySet<string>> {
  const begin: Op[] = [
    { call: 'ibv_open_device', args: { device: { of: 'dut', member: 'name' } }, as: 'ctx' },
    { call: 'ibv_create_comp_channel', args: { context: of('ctx') }, as: 'ch' },
  ];
  return cellsReachedBy({ version: programVersion, seed: 'test', ops: [...begin, ...ops] });
}

describe('the cells of a program', () => {
  it('say in which state a CQ was, what was done with it, and what came of it', async () => {
    const cells = await cellsOf(
      cq(4),
      { call: 'ibv_req_notify_cq', args: { cq: of('cq'), solicitedOnly: 0 } },
      { call: 'ibv_poll_cq', args: { cq: of('cq'), numEntries: 2 } },
      { call: 'ibv_resize_cq', args: { cq: of('cq'), cqe: 2 } },
      { call: 'ibv_destroy_cq', args: { cq: of('cq') } },
    );
    for (const key of [
      'CQ | not there | ibv_create_cq on a channel | done',
      'CQ | not armed, empty | ibv_req_notify_cq for any | done',
      'CQ | armed for any, empty | ibv_poll_cq for several | none',
      'CQ | armed for any, empty | ibv_resize_cq to less | done',
      'CQ | armed for any, empty | ibv_destroy_cq | done',
    ])
      assert.ok(cells.has(key), key);
  });

  it('have the errno of what is refused', async () => {
    const cells = await cellsOf(cq(70_000), cq(4), { call: 'ibv_destroy_comp_channel', args: { channel: of('ch') } });
    assert.ok(cells.has('CQ | not there | ibv_create_cq past the maximum | EINVAL'));
    assert.ok(cells.has('completion channel | no event, blocking | ibv_destroy_comp_channel | EBUSY'));
  });

  it('tell a get that waits from one that need not', async () => {
    const get: Op = { call: 'ibv_get_cq_event', args: { channel: of('ch') } };
    const cells = await cellsOf(
      { call: 'fcntl', args: { source: of('ch'), cmd: 'F_SETFL', flags: ['O_NONBLOCK'] } },
      get,
      { call: 'fcntl', args: { source: of('ch'), cmd: 'F_SETFL', flags: [] } },
      get,
    );
    assert.ok(cells.has('completion channel | no event, non-blocking | ibv_get_cq_event | EAGAIN'));
    assert.ok(cells.has('completion channel | no event, blocking | ibv_get_cq_event | waits'));
  });

  it('are the same after they were written to a list and read', () => {
    const cells = new Map([
      ['SRQ | empty, no limit | ibv_destroy_srq | done', 'scenarios'],
      ['CQ | not there | ibv_create_cq on a channel | done', 'generated'],
    ] as const);
    const list = listOfCells(cells);
    assert.deepEqual(Object.keys(list), ['CQ', 'SRQ']);
    assert.deepEqual(new Map(cellsIn(list)), new Map([...cells].reverse()));
    for (const key of cells.keys()) assert.equal(cellKey(cellOf(key)), key);
    assert.throws(() => cellOf('PDs | a | b | c'), /no kind of cell/);
  });
});
