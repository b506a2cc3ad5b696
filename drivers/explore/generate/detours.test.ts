import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import type { QpAttr } from '../../contract';
import type { Op, Program } from '../../programs/program';
import { callsOf } from '../../programs/program';
import { runProgram } from '../../programs/run-program';
import { SimBackend } from '../../sim/backend';
import { soundParts, type Parts } from '../../sim/device/device';
import { simulatedDut } from '../../sim/device/dut';
import type { Mw } from '../../sim/mw/memory-window';
import type { Pd } from '../../sim/pd/pd';
import type { Qp } from '../../sim/qp/qp';
import type { SendRequest } from '../../sim/qp/work-request';
import { Aim } from './aim';
import {
  localInvalidationOfUc,
  refusedSendStays,
  secondBinding,
  secondInvalidation,
  sendOfSqdStays,
  windowKeepsItsQp,
} from './avoided';
import { Detours, goesAround } from './detours';
import { generate } from './generate';

const both = new Set([windowKeepsItsQp, sendOfSqdStays]);
const changing = (qp: string, qpState: string): Op => ({
  call: 'ibv_modify_qp',
  args: { qp: { of: qp }, attr: { qpState }, attrMask: ['IBV_QP_STATE'] },
});
const sending = (qp: string, wr: object = {}): Op => ({
  call: 'ibv_post_send',
  args: { qp: { of: qp }, wrs: [{ wrId: '0x1', sgList: [], opcode: 'IBV_WR_SEND', sendFlags: [], ...wr }] },
});
const binding = (qp: string, mw: string): Op => sending(qp, { opcode: 'IBV_WR_BIND_MW', bindMw: { mw: { of: mw } } });
const freeing = (mw: string): Op => ({ call: 'ibv_dealloc_mw', args: { mw: { of: mw } } });
const ending = (qp: string): Op => ({ call: 'ibv_destroy_qp', args: { qp: { of: qp } } });

/** What makes a QP, and brings it to IBV_QPS_RTS. */
function bringingUp(qp: string): readonly [Op, Op, Op, Op] {
  const made: Op = { call: 'ibv_create_qp', args: { qpInitAttr: { qpType: 'IBV_QPT_UD' } }, as: qp };
  const attrMask = ['IBV_QP_STATE', 'IBV_QP_PKEY_INDEX', 'IBV_QP_PORT', 'IBV_QP_QKEY', 'IBV_QP_SQ_PSN'];
  const to = (qpState: string): Op => ({
    call: 'ibv_modify_qp',
    args: { qp: { of: qp }, attr: { qpState }, attrMask },
  });
  return [made, to('IBV_QPS_INIT'), to('IBV_QPS_RTR'), to('IBV_QPS_RTS')];
}

function around(ops: readonly Op[], avoided: ReadonlySet<string> = both): readonly Op[] {
  const detours = new Detours(avoided);
  return ops.flatMap((op) => detours.around(op));
}

const programOfOps = (ops: readonly Op[]): Program => ({ version: 1, seed: 'detours', ops });

/** What a program does on the sound simulator that is to be gone around. */
async function pitfallsOf(program: Program) {
  const pitfalls = { boundEnds: 0, sendsGoOn: 0 };
  const sends = new WeakMap<object, () => number>();
  /** QPs that have taken sends in IBV_QPS_SQD. */
  const posted = new WeakSet();
  const windows = new Set<Mw>();
  const parts: Parts = {
    ...soundParts,
    Requester: class extends soundParts.Requester {
      constructor(qp: Qp) {
        super(qp);
        sends.set(qp, () => this.sends.length);
      }
    },
    Qp: class extends soundParts.Qp {
      override modify(attr: QpAttr): void {
        const isOn = this.state === 'IBV_QPS_SQD' && attr.qpState === 'IBV_QPS_RTS';
        if (isOn && posted.has(this) && (sends.get(this)?.() ?? 0) > 0) pitfalls.sendsGoOn += 1;
        super.modify(attr);
        if (this.state !== 'IBV_QPS_SQD') posted.delete(this);
      }

      override postSend(wrs: readonly SendRequest[]): void {
        super.postSend(wrs);
        if (this.state === 'IBV_QPS_SQD') posted.add(this);
      }

      override beginDestroy(): void {
        if ([...windows].some((window) => window.isBoundFor(this))) pitfalls.boundEnds += 1;
        super.beginDestroy();
      }
    },
    MemoryTable: class extends soundParts.MemoryTable {
      override allocateWindow(pd: Pd): Mw {
        const window = super.allocateWindow(pd);
        windows.add(window);
        return window;
      }

      override deallocateWindow(window: Mw): void {
        super.deallocateWindow(window);
        windows.delete(window);
      }
    },
  };
  await runProgram(new SimBackend(parts), program);
  return pitfalls;
}

/** What many programs do. */
async function totals(avoided: ReadonlySet<string>) {
  const sums = { boundEnds: 0, sendsGoOn: 0, windows: 0, drains: 0 };
  const aim = new Aim(0);
  for (let index = 0; index < 240; index++) {
    const wanted = { seed: 8, capabilities: simulatedDut.capabilities, avoided, ...(index % 2 === 1 && { aim }) };
    const program = await generate(wanted, index);
    assert.ok(goesAround(program, avoided), program.seed);
    const { boundEnds, sendsGoOn } = await pitfallsOf(program);
    sums.boundEnds += boundEnds;
    sums.sendsGoOn += sendsGoOn;
    const text = JSON.stringify(callsOf(program));
    if (text.includes('IBV_WR_BIND_MW')) sums.windows += 1;
    if (text.includes('IBV_QPS_SQD')) sums.drains += 1;
  }
  return sums;
}

describe('a window that is invalidated again', () => {
  const invalidating = (...keys: readonly string[]): Op => {
    const wrs = keys.map((of) => ({ wrId: '0x1', sgList: [], opcode: 'IBV_WR_LOCAL_INV', invalidateRkey: { of } }));
    return { call: 'ibv_post_send', args: { qp: { of: 'qp' }, wrs } };
  };
  const twice = [invalidating('one', 'two'), invalidating('two', 'three'), invalidating('one')];

  it('is left out where a device does not outlive it, and nowhere else', () => {
    const once = [invalidating('one', 'two'), invalidating('three')];
    assert.deepEqual(around(twice, new Set([secondInvalidation])), once);
    assert.deepEqual(around(twice), twice);
  });

  it('is left out on a QP of UC where a device cannot do it, and on no other one', () => {
    const made = (qpType: string): Op => ({ call: 'ibv_create_qp', args: { qpInitAttr: { qpType } }, as: 'qp' });
    const avoided = new Set([localInvalidationOfUc]);
    const [uc, rc] = ['IBV_QPT_UC', 'IBV_QPT_RC'].map((type) => [made(type), invalidating('one')]);
    assert.deepEqual(
      [around(uc ?? [], avoided), around(uc ?? []), around(rc ?? [], avoided)],
      [uc?.slice(0, 1), uc, rc],
    );
  });

  it('is not that of one that was bound too early, which is left out', () => {
    const [made, init, rtr, rts] = bringingUp('qp');
    const early = [made, sending('qp'), init, sending('qp'), rtr, changing('qp', 'IBV_QPS_RTS'), sending('qp')];
    const late = [made, init, rtr, rts, sending('qp')];
    const avoided = new Set([refusedSendStays]);
    assert.deepEqual(
      around(early, avoided),
      early.filter(({ call }: Op & { call?: string }) => call !== 'ibv_post_send'),
    );
    assert.deepEqual([around(early), around(late, avoided)], [early, late]);
  });

  it('is not gone around by a program that has it', () => {
    assert.equal(goesAround(programOfOps(twice), new Set([secondInvalidation])), false);
    assert.equal(goesAround(programOfOps(twice), both), true);
  });
});

test('a window that is bound again is left out where a device does not bind it, and nowhere else', () => {
  const binding = (...windows: readonly string[]): Op => {
    const wrs = windows.map((of) => ({ wrId: '0x1', sgList: [], opcode: 'IBV_WR_BIND_MW', bindMw: { mw: { of } } }));
    return { call: 'ibv_post_send', args: { qp: { of: 'qp' }, wrs } };
  };
  const twice = [binding('one', 'two'), binding('two', 'three'), binding('one')];
  assert.deepEqual(around(twice, new Set([secondBinding])), [binding('one', 'two'), binding('three')]);
  assert.deepEqual(around(twice), twice);
});

describe('the way around what a device gets wrong for good', () => {
  it('frees the windows of a QP before it ends, and those alone', () => {
    const ops = [binding('qp1', 'mw1'), binding('qp1', 'mw2'), binding('qp2', 'mw3'), freeing('mw1'), ending('qp1')];
    assert.deepEqual(around(ops), [...ops.slice(0, 4), freeing('mw2'), ending('qp1')]);
    assert.deepEqual(around(ops, new Set([sendOfSqdStays])), ops);
  });

  it('does so in threads as well', () => {
    const threads: Op = { par: [[ending('qp1')], [{ settle: true }]] };
    assert.deepEqual(around([binding('qp1', 'mw1'), threads]), [
      binding('qp1', 'mw1'),
      { par: [[freeing('mw1'), ending('qp1')], [{ settle: true }]] },
    ]);
  });

  it('flushes what was posted in IBV_QPS_SQD, also where another change was refused meanwhile', () => {
    const up = bringingUp('qp1');
    const [drain, go, fail] = [
      changing('qp1', 'IBV_QPS_SQD'),
      changing('qp1', 'IBV_QPS_RTS'),
      changing('qp1', 'IBV_QPS_ERR'),
    ];
    const from = (ops: readonly Op[], avoided = both) => around([...up, ...ops], avoided).slice(up.length);
    const refused = changing('qp1', 'IBV_QPS_RTR');
    assert.deepEqual(from([drain, sending('qp1'), go]), [drain, sending('qp1'), fail]);
    assert.deepEqual(from([drain, refused, sending('qp1'), refused, go]), [
      drain,
      refused,
      sending('qp1'),
      refused,
      fail,
    ]);
    assert.deepEqual(from([drain, go, drain, go]), [drain, go, drain, go]);
    assert.deepEqual(from([sending('qp1'), drain, sending('qp2'), go]), [sending('qp1'), drain, sending('qp2'), go]);
    assert.deepEqual(from([drain, sending('qp1'), go], new Set()), [drain, sending('qp1'), go]);
  });

  it('is what a program takes or does not', () => {
    const ops = [binding('qp1', 'mw1'), ending('qp1')];
    assert.deepEqual(
      [
        goesAround(programOfOps(ops), both),
        goesAround(programOfOps(around(ops)), both),
        goesAround(programOfOps(ops), new Set()),
      ],
      [false, true, true],
    );
  });

  it('is what generated programs take, which bind windows and drain sends all the same', async () => {
    const [careful, usual] = [await totals(both), await totals(new Set())];
    assert.deepEqual([careful.boundEnds, careful.sendsGoOn], [0, 0]);
    assert.ok(careful.windows >= 20 && careful.drains >= 20, JSON.stringify(careful));
    assert.ok(usual.boundEnds >= 2 && usual.sendsGoOn >= 10, JSON.stringify(usual));
  });
});
