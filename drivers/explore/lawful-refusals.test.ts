import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { maskOf, qpAttrBits, type QpAttr, type QpCap, type RecvWr } from '../contract';
import { callsOf, isCall, type Op, type Program, type ProgramStruct, type ProgramValue } from '../programs/program';
import type { Cqe } from '../sim/cq/cq';
import type { WcStatus } from '../sim/cq/completions';
import { SimBackend } from '../sim/backend';
import { soundParts, type Parts } from '../sim/device/device';
import type { Answer } from '../sim/qp/message';
import type { SendRequest } from '../sim/qp/work-request';
import { demand, Refusal } from '../sim/refusal';
import { Explorer } from './explorer';
import { fail, onQp, onQpInRtr, poll, post, settle } from './fixtures/failed-qp';
import { refusedSendStays } from './generate/avoided';

const { Cq, Qp } = soundParts;

async function kindOf(program: Program, own: Partial<Parts>, ...excused: readonly string[]): Promise<string> {
  const backend = new SimBackend({ ...soundParts, ...own });
  return (await new Explorer(backend, { excused: new Set(excused) }).examine(program)).kind;
}

/** QPs that refuse sends, from that of a list on which they are asked to look at. */
const refusingSends = (firstBad: (qp: InstanceType<Parts['Qp']>, wrs: readonly SendRequest[]) => number) => ({
  Qp: class extends Qp {
    override postSend(wrs: readonly SendRequest[]): void {
      const badWr = firstBad(this, wrs);
      super.postSend(badWr < 0 ? wrs : wrs.slice(0, badWr));
      if (badWr >= 0) throw new Refusal('ENOMEM', { badWr });
    }
  },
});

/** Resets the QP, and brings it back to IBV_QPS_RTS. */
const again: readonly Op[] = [
  {
    call: 'ibv_modify_qp',
    args: { qp: { of: 'qp' }, attr: { qpState: 'IBV_QPS_RESET' }, attrMask: ['IBV_QP_STATE'] },
  },
  ...callsOf(onQp(32)).filter(({ call }) => call === 'ibv_modify_qp'),
];

/** The same with an SRQ, to which the receives are posted. */
function withSrq({ ops, ...program }: Program): Program {
  const srqInitAttr = { attr: { maxWr: 8, maxSge: 1, srqLimit: 0 } };
  const srq: Op = { as: 'srq', call: 'ibv_create_srq', args: { pd: { of: 'pd' }, srqInitAttr } };
  const shared = ops.flatMap((op): Op[] => {
    if (!isCall(op)) return [op];
    if (op.call === 'ibv_post_recv')
      return [{ call: 'ibv_post_srq_recv', args: { srq: { of: 'srq' }, wrs: op.args.wrs ?? [] } }];
    const made = JSON.parse(JSON.stringify(op).replace('"srq":null', '"srq":{"of":"srq"}')) as Op;
    return op.call === 'ibv_create_qp' ? [srq, made] : [op];
  });
  return { ...program, ops: shared };
}

describe('a QP in IBV_QPS_ERR', () => {
  const late = onQp(16, fail, post('ibv_post_recv', '0x1', '0x2'), post('ibv_post_send', '0x3'), settle, poll);
  const refusing = (badWr: number): Partial<Parts> => ({
    Qp: class extends Qp {
      override postRecv(wrs: readonly RecvWr[]): void {
        super.postRecv(wrs.slice(0, badWr));
        throw new Refusal('EINVAL', { badWr });
      }
    },
  });

  it('may refuse what is posted to it, all of it', async () => {
    assert.equal(await kindOf(late, refusing(0)), 'sound');
    assert.equal(await kindOf(late, refusing(1)), 'finding');
    assert.equal(
      await kindOf(
        late,
        refusingSends((qp) => (qp.state === 'IBV_QPS_ERR' ? 0 : -1)),
      ),
      'sound',
    );
  });

  it('may not refuse it before', async () => {
    const early = onQp(16, post('ibv_post_recv', '0x1'), settle, poll);
    assert.equal(await kindOf(early, refusing(0)), 'finding');
  });
});

describe('a send queue of 8', () => {
  const four = [post('ibv_post_recv', '0x1', '0x2', '0x3', '0x4'), post('ibv_post_send', '0x5', '0x6', '0x7', '0x8')];
  const more = [post('ibv_post_recv', '0x9'), post('ibv_post_send', '0xa')];
  const many = onQp(32, ...four, settle, ...four, settle, ...more, settle, poll);
  const holding = (count: number): Partial<Parts> => {
    let posted = 0;
    return refusingSends((_qp, wrs) => {
      const room = count - posted;
      posted += Math.min(wrs.length, room);
      return wrs.length > room ? room : -1;
    });
  };

  it('may be full of sends that are done, and not of fewer', async () => {
    assert.equal(await kindOf(many, holding(8)), 'sound');
    assert.equal(await kindOf(many, holding(7)), 'finding');
  });

  it('is not full of sends whose CQEs were polled', async () => {
    const polled = onQp(32, ...four, settle, poll, ...four, settle, poll, ...more, settle, poll);
    assert.equal(await kindOf(polled, holding(8)), 'finding');
  });

  it('is empty after a reset', async () => {
    const anew = onQp(32, ...four, settle, ...four, settle, ...again, ...more, settle, poll);
    assert.equal(await kindOf(anew, holding(9)), 'sound');
    assert.equal(await kindOf(anew, holding(8)), 'finding');
  });
});

describe('a receive queue of 8', () => {
  const received = (count: number) => post('ibv_post_recv', ...Array.from({ length: count }, (_, at) => `0x${at + 1}`));
  const sent = (count: number) => post('ibv_post_send', ...Array.from({ length: count }, (_, at) => `0x${at + 1}`));
  /** Takes fewer receives once it has gone round, or so many in all. */
  const holding = (all: number, afterwards: number): Partial<Parts> => ({
    Qp: class extends Qp {
      #posted = 0;

      override firstWithoutPlace(wrs: readonly RecvWr[], cap: QpCap): number {
        const maxRecvWr = this.#posted >= cap.maxRecvWr ? afterwards : cap.maxRecvWr;
        const tooMany = this.#posted + wrs.length > all ? Math.max(0, all - this.#posted) : -1;
        const bad = tooMany >= 0 ? tooMany : super.firstWithoutPlace(wrs, { ...cap, maxRecvWr });
        this.#posted += bad < 0 ? wrs.length : bad;
        return bad;
      }
    },
  });
  const half = [received(8), sent(8), settle];

  it('may be full of receives that are done, as long as nobody has polled their CQEs', async () => {
    assert.equal(await kindOf(onQp(32, ...half, received(8), settle, poll), holding(8, 8)), 'sound');
    assert.equal(await kindOf(onQp(32, ...half, poll, poll, received(8), settle, poll), holding(8, 8)), 'finding');
    assert.equal(await kindOf(onQp(32, ...half, poll, poll, received(8), settle, poll), holding(99, 7)), 'finding');
  });

  it('holds after a reset what it held before', async () => {
    const late = onQp(32, ...half, ...again, received(8), poll, poll, received(4), settle);
    assert.equal(await kindOf(late, holding(16, 8)), 'sound');
  });
});

const foreign = 7;
const usable = { of: 'mr', member: 'lkey' };

/** A request for 8 bytes. */
const request = (verb: 'ibv_post_send' | 'ibv_post_recv', lkey: ProgramValue, own: ProgramStruct = {}): Op => {
  const sgList = [{ addr: { of: 'mem', member: 'addr' }, length: 8, lkey }];
  const more = verb === 'ibv_post_send' ? { opcode: 'IBV_WR_SEND', sendFlags: ['IBV_SEND_SIGNALED'] } : {};
  return { call: verb, args: { qp: { of: 'qp' }, wrs: [{ wrId: '0x1', sgList, ...more, ...own }] } };
};

describe('a send of memory that its QP may not use', () => {
  const region = (as: string, access: string[]): Op => ({
    as,
    call: 'ibv_reg_mr',
    args: { pd: { of: 'pd' }, addr: { of: 'mem', member: 'addr' }, length: 64, access },
  });
  const memory: Op[] = [
    { as: 'mem', call: 'memory allocate', args: { length: 64 } },
    region('mr', ['IBV_ACCESS_LOCAL_WRITE']),
    region('read_only', []),
  ];
  const async: Op = { as: 'event', call: 'ibv_get_async_event', args: { context: { of: 'ctx' } } };
  const ack: Op = { call: 'ibv_ack_async_event', args: { event: { of: 'event' } } };
  it('may be refused at once, and another one not', async () => {
    const all = refusingSends(() => 0);
    const sending = (lkey: ProgramValue): Program => onQp(16, ...memory, request('ibv_post_send', lkey), settle, poll);
    assert.equal(await kindOf(sending(foreign), all), 'sound');
    assert.equal(await kindOf(sending(usable), all), 'finding');
    const inlineMax = (bytes: number, { ops, ...program }: Program): Program => ({
      ...program,
      ops: JSON.parse(JSON.stringify(ops).replace('"maxInlineData":0', `"maxInlineData":${bytes}`)) as Op[],
    });
    const inline = request('ibv_post_send', foreign, { sendFlags: ['IBV_SEND_INLINE'] });
    assert.equal(await kindOf(inlineMax(64, onQp(16, ...memory, inline)), all), 'finding');
  });

  it('may be refused at once where its answer could not be put there', async () => {
    const rdma = { remoteAddr: { of: 'mem', member: 'addr' }, rkey: { of: 'mr', member: 'rkey' } };
    const reading = (lkey: ProgramValue): Program =>
      onQp(16, ...memory, request('ibv_post_send', lkey, { opcode: 'IBV_WR_RDMA_READ', rdma }), settle, poll);
    const all = refusingSends(() => 0);
    assert.equal(await kindOf(reading({ of: 'read_only', member: 'lkey' }), all), 'sound');
    assert.equal(await kindOf(reading(usable), all), 'finding');
  });

  it('may make the event of a violation, as a receive does, and no other failure', async () => {
    const telling = (like: WcStatus): Partial<Parts> => ({
      Qp: class extends Qp {
        override failReceive(wr: RecvWr, status: WcStatus): void {
          super.failReceive(wr, status);
          if (status === like) this.raise('IBV_EVENT_QP_ACCESS_ERR');
        }

        override completeSend(wr: SendRequest, status: WcStatus, byteLen?: number): void {
          super.completeSend(wr, status, byteLen);
          if (status === like) this.raise('IBV_EVENT_QP_ACCESS_ERR');
        }
      },
    });
    const inTime: Op = { call: 'poll', args: { source: { of: 'ctx' }, timeoutMs: 200 } };
    const nonblocking: Op = { call: 'fcntl', args: { source: { of: 'ctx' }, cmd: 'F_SETFL', flags: ['O_NONBLOCK'] } };
    const looked = (...work: readonly object[]): Program =>
      onQp(16, nonblocking, ...memory, ...work, settle, poll, inTime, async, ack, inTime, async, ack);
    const rdma = { remoteAddr: { of: 'mem', member: 'addr' }, rkey: foreign };
    const bindMw = {
      mw: { of: 'mw' },
      rkey: { of: 'mw', member: 'rkey' },
      mr: { of: 'mr' },
      addr: { of: 'mr', member: 'addr' },
      length: 8,
      access: [],
    };
    const window: Op = { as: 'mw', call: 'ibv_alloc_mw', args: { pd: { of: 'pd' }, type: 'IBV_MW_TYPE_2' } };
    const own = (opcode: string, more: ProgramStruct): Op => request('ibv_post_send', usable, { opcode, ...more });
    const violations: [WcStatus, ...Op[]][] = [
      ['IBV_WC_LOC_PROT_ERR', request('ibv_post_send', foreign)],
      ['IBV_WC_LOC_PROT_ERR', request('ibv_post_recv', foreign), request('ibv_post_send', usable)],
      ['IBV_WC_REM_ACCESS_ERR', own('IBV_WR_RDMA_WRITE', { rdma })],
      ['IBV_WC_MW_BIND_ERR', window, own('IBV_WR_BIND_MW', { sgList: [], bindMw })],
    ];
    for (const [status, ...work] of violations)
      assert.equal(await kindOf(looked(...work), telling(status)), 'sound', status);
    const unanswered = looked(request('ibv_post_send', usable));
    assert.equal(await kindOf(unanswered, telling('IBV_WC_RNR_RETRY_EXC_ERR')), 'finding');
  });
});

/** The same on a QP of UC, which has fewer attributes. */
function onUc({ ops, ...program }: Program): Program {
  const ofRc = ['maxDestRdAtomic', 'minRnrTimer', 'timeout', 'retryCnt', 'rnrRetry', 'maxRdAtomic'];
  const adapted = ops.map((op): Op => {
    if (!isCall(op) || op.call !== 'ibv_modify_qp') return op;
    const members = Object.entries(op.args.attr as ProgramStruct).filter(([name]) => !ofRc.includes(name));
    const attr = Object.fromEntries(members);
    return { ...op, args: { ...op.args, attr, attrMask: maskOf(qpAttrBits, attr as QpAttr) } };
  });
  return { ...program, ops: JSON.parse(JSON.stringify(adapted).replace('IBV_QPT_RC', 'IBV_QPT_UC')) as Op[] };
}

describe('a bind of a window', () => {
  const binding = (access: readonly string[]): Program => {
    const addr = { of: 'mem', member: 'addr' };
    const range = { mr: { of: 'mr' }, addr, length: 8, access: ['IBV_ACCESS_REMOTE_WRITE'] };
    const bindMw = { mw: { of: 'mw' }, rkey: { of: 'mw', member: 'rkey', plus: 1 }, ...range };
    const wr = { wrId: '0x1', sgList: [], opcode: 'IBV_WR_BIND_MW', sendFlags: ['IBV_SEND_SIGNALED'], bindMw };
    return onQp(
      16,
      { as: 'mem', call: 'memory allocate', args: { length: 64 } },
      { as: 'mr', call: 'ibv_reg_mr', args: { pd: { of: 'pd' }, addr, length: 64, access } },
      { as: 'mw', call: 'ibv_alloc_mw', args: { pd: { of: 'pd' }, type: 'IBV_MW_TYPE_2' } },
      { call: 'ibv_post_send', args: { qp: { of: 'qp' }, wrs: [wr] } },
      settle,
      poll,
    );
  };

  it('may be refused at once where the region does not let it be bound, and not where it does', async () => {
    const all = refusingSends(() => 0);
    assert.equal(await kindOf(binding(['IBV_ACCESS_LOCAL_WRITE']), all), 'sound');
    assert.equal(await kindOf(binding(['IBV_ACCESS_MW_BIND']), all), 'sound');
    assert.equal(await kindOf(binding(['IBV_ACCESS_LOCAL_WRITE', 'IBV_ACCESS_MW_BIND']), all), 'finding');
  });
});

describe('a QP with an SRQ that fails', () => {
  const silentBelow = (...states: readonly string[]): Partial<Parts> => ({
    Qp: class extends Qp {
      #failedIn = '';

      override enterError(): void {
        this.#failedIn = this.state;
        super.enterError();
      }

      protected override reachLastWqe(): void {
        if (!states.includes(this.#failedIn)) super.reachLastWqe();
      }
    },
  });
  const nonblocking: Op = { call: 'fcntl', args: { source: { of: 'ctx' }, cmd: 'F_SETFL', flags: ['O_NONBLOCK'] } };
  const async: Op = { as: 'event', call: 'ibv_get_async_event', args: { context: { of: 'ctx' } } };
  it('need not make the event of its last WQE where it could not receive yet, and has to afterwards', async () => {
    const inRtr = withSrq(onQpInRtr(nonblocking, fail, settle, async));
    const inInit = { ...inRtr, ops: inRtr.ops.filter((op) => !JSON.stringify(op).includes('IBV_QPS_RTR')) };
    assert.equal(await kindOf(inInit, silentBelow('IBV_QPS_INIT')), 'sound');
    assert.equal(await kindOf(inRtr, silentBelow('IBV_QPS_RTR')), 'finding');
  });
});

describe('a send with a flag that is not for it', () => {
  const all = refusingSends(() => 0);
  const flagged = (opcode: string, flag: string): Program => {
    const wr = { wrId: '0x1', sgList: [], opcode, sendFlags: ['IBV_SEND_SIGNALED', flag] };
    const rdma = { remoteAddr: '0x0', rkey: 0 };
    const own = opcode.includes('RDMA') ? { ...wr, rdma, immData: 0 } : wr;
    return onQp(16, { call: 'ibv_post_send', args: { qp: { of: 'qp' }, wrs: [own] } }, settle, poll);
  };

  it('may be refused', async () => {
    assert.equal(await kindOf(onUc(flagged('IBV_WR_SEND', 'IBV_SEND_FENCE')), all), 'sound');
    assert.equal(await kindOf(flagged('IBV_WR_RDMA_WRITE', 'IBV_SEND_SOLICITED'), all), 'sound');
  });

  it('may not be refused where it is for it', async () => {
    assert.equal(await kindOf(flagged('IBV_WR_SEND', 'IBV_SEND_FENCE'), all), 'finding');
    assert.equal(await kindOf(flagged('IBV_WR_SEND', 'IBV_SEND_SOLICITED'), all), 'finding');
    assert.equal(await kindOf(flagged('IBV_WR_RDMA_WRITE_WITH_IMM', 'IBV_SEND_SOLICITED'), all), 'finding');
  });
});

describe('a list with two operations of another type', () => {
  const rdma = { remoteAddr: '0x0', rkey: 0 };
  const read = { wrId: '0x1', sgList: [], opcode: 'IBV_WR_RDMA_READ', sendFlags: ['IBV_SEND_SIGNALED'], rdma };
  const two: Op = { call: 'ibv_post_send', args: { qp: { of: 'qp' }, wrs: [read, { ...read, wrId: '0x2' }] } };
  const posted = onUc(onQp(16, two, settle, poll));

  it('is refused from the first of them on', async () => {
    assert.equal(
      await kindOf(
        posted,
        refusingSends(() => 0),
      ),
      'sound',
    );
    assert.equal(
      await kindOf(
        posted,
        refusingSends(() => 1),
      ),
      'finding',
    );
  });

  it('may be refused without a name on a device that is known for it', async () => {
    const silent: Partial<Parts> = {
      Qp: class extends Qp {
        override postSend(wrs: readonly SendRequest[]): void {
          super.postSend(wrs.slice(0, 1));
          throw new Refusal('EINVAL', { badWr: null });
        }
      },
    };
    const send = { wrId: '0x3', sgList: [], opcode: 'IBV_WR_SEND', sendFlags: ['IBV_SEND_SIGNALED'] };
    const mixed: Op = { call: 'ibv_post_send', args: { qp: { of: 'qp' }, wrs: [send, read] } };
    const program = onUc(onQp(16, mixed, settle, poll));
    assert.equal(await kindOf(program, silent, refusedSendStays), 'sound');
    assert.equal(await kindOf(program, silent), 'finding');
  });
});

describe('a message with immediate data for memory that it may not write', () => {
  const text = readFileSync(join(__dirname, 'fixtures/rxe/6.1/refused-write-with-immediate.json'), 'utf8');
  const { program } = JSON.parse(text) as { program: Program };
  const failing = (count: number, status: WcStatus): Partial<Parts> => ({
    Responder: class extends soundParts.Responder {
      protected override refuse(): Answer {
        for (let failed = 0; failed < count; failed++) {
          const wr = this.qp.receives.take();
          if (wr !== undefined) this.qp.failReceive(wr, status);
        }
        return super.refuse();
      }
    },
  });

  it('may fail the receive that it would have taken by that status, and no other', async () => {
    assert.equal(await kindOf(program, failing(1, 'IBV_WC_REM_ACCESS_ERR')), 'sound');
    assert.equal(await kindOf(program, failing(2, 'IBV_WC_REM_ACCESS_ERR')), 'finding');
    assert.equal(await kindOf(program, failing(1, 'IBV_WC_REM_OP_ERR')), 'finding');
  });

  it('may take one of an SRQ for that', async () => {
    assert.equal(await kindOf(withSrq(program), failing(1, 'IBV_WC_REM_ACCESS_ERR')), 'sound');
  });
});

describe('a CQ that is resized below what it holds', () => {
  const read: Op = { call: 'struct ibv_cq', args: { cq: { of: 'cq' } } };
  const resize: Op = { call: 'ibv_resize_cq', args: { cq: { of: 'cq' }, cqe: 2 } };
  const filled = onQp(16, post('ibv_post_recv', '0x1', '0x2', '0x3'), fail, settle, resize, read, poll);
  const rounding = (least: number): Partial<Parts> => ({
    Cq: class extends Cq {
      override resize(cqe: number): void {
        super.resize(Math.max(cqe, least));
      }
    },
  });

  it('may have room for that afterwards, and no less', async () => {
    assert.equal(await kindOf(filled, rounding(3)), 'sound');
    const losing: Partial<Parts> = {
      Cq: class extends Cq {
        override resize(cqe: number): void {
          demand(cqe > 0, 'EINVAL');
          this.cqes.splice(cqe);
          super.resize(cqe);
        }
      },
    };
    assert.equal(await kindOf(filled, losing), 'finding');
    const crowded: Partial<Parts> = {
      Cq: class extends Cq {
        override resize(cqe: number): void {
          this.capacity = cqe;
        }
      },
    };
    assert.equal(await kindOf(filled, crowded), 'finding');
  });
});

describe('a CQ that was overrun', () => {
  const resize: Op = { call: 'ibv_resize_cq', args: { cq: { of: 'cq' }, cqe: 40 } };
  const refusing = (which: 'overrun' | 'all'): Partial<Parts> => ({
    Cq: class extends Cq {
      override resize(cqe: number): void {
        demand(which === 'overrun' && !this.overrun, 'EIO');
        super.resize(cqe);
      }
    },
  });
  const receives = ['0x1', '0x2', '0x3', '0x4', '0x5', '0x6'];

  it('may take all its QPs with it, and no QP of another CQ', async () => {
    const bringUp = callsOf(onQp(1)).filter(({ call }) => call === 'ibv_create_qp' || call === 'ibv_modify_qp');
    const of = (qp: string, op: Op): Op =>
      JSON.parse(JSON.stringify(op).replaceAll('"of":"qp"', `"of":"${qp}"`).replace('"as":"qp"', `"as":"${qp}"`)) as Op;
    const roomy: Op = {
      as: 'roomy',
      call: 'ibv_create_cq',
      args: { context: { of: 'ctx' }, cqe: 16, cqContext: '0x0', channel: null, compVector: 0 },
    };
    const elsewhere = (op: Op): Op => JSON.parse(JSON.stringify(op).replaceAll('"of":"cq"', '"of":"roomy"')) as Op;
    const others = bringUp.flatMap((op) => [of('beside', op), elsewhere(of('elsewhere', op))]);
    const query = (qp: string): Op => ({
      call: 'ibv_query_qp',
      args: { qp: { of: qp }, attrMask: ['IBV_QP_STATE'] },
    });
    const receives = post('ibv_post_recv', '0x1', '0x2');
    const send = post('ibv_post_send', '0x3', '0x4');
    const heard = of('elsewhere', post('ibv_post_send', '0x5') as Op);
    const overrun = onQp(
      1,
      roomy,
      ...others,
      of('elsewhere', receives as Op),
      heard,
      settle,
      receives,
      send,
      settle,
      query('qp'),
      query('beside'),
      query('elsewhere'),
    );
    const failing = (own: boolean): Partial<Parts> => {
      const cqs = new Set<InstanceType<typeof Cq>>();
      return {
        Cq: class extends Cq {
          override add(cqe: Cqe): void {
            cqs.add(this);
            super.add(cqe);
          }

          protected override fail(): void {
            super.fail();
            const { device } = this.context;
            const failed = [...cqs].filter((cq) => (cq === this) === own).flatMap((cq) => device.qpsOf(cq));
            for (const qp of failed)
              device.clock.schedule(1, () => {
                qp.enterError();
              });
          }
        },
      };
    };
    assert.equal(await kindOf(overrun, failing(true)), 'sound');
    assert.equal(await kindOf(overrun, failing(false)), 'finding');
  });

  it('need not let itself be resized, and any other has to', async () => {
    const overrun = onQp(1, post('ibv_post_recv', ...receives), fail, settle, resize);
    assert.equal(await kindOf(overrun, refusing('overrun')), 'sound');
    assert.equal(await kindOf(onQp(16, resize), refusing('all')), 'finding');
  });
});
