import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RecvWr } from '../contract';
import type { Op, Program, ProgramStruct } from '../programs/program';
import type { WcStatus } from '../sim/cq/completions';
import { SimBackend } from '../sim/backend';
import { soundParts, type Parts } from '../sim/device/device';
import type { SendRequest } from '../sim/qp/work-request';
import { demand, Refusal } from '../sim/refusal';
import { Explorer } from './explorer';
import { fail, onQp, poll, post, settle } from './fixtures/failed-qp';

const { Cq, Qp } = soundParts;

async function kindOf(program: Program, own: Partial<Parts>): Promise<string> {
  return (await new Explorer(new SimBackend({ ...soundParts, ...own })).examine(program)).kind;
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
});

const sendOf = (lkey: number): Op => {
  const sgList = [{ addr: { of: 'mem', member: 'addr' }, length: 8, lkey }];
  const wr = { wrId: '0x1', sgList, opcode: 'IBV_WR_SEND', sendFlags: ['IBV_SEND_SIGNALED'] } as unknown;
  return { call: 'ibv_post_send', args: { qp: { of: 'qp' }, wrs: [wr as ProgramStruct] } };
};

describe('a send of memory that its QP may not use', () => {
  const memory: Op = { as: 'mem', call: 'memory allocate', args: { length: 64 } };
  const async: Op = { as: 'event', call: 'ibv_get_async_event', args: { context: { of: 'ctx' } } };
  const ack: Op = { call: 'ibv_ack_async_event', args: { event: { of: 'event' } } };
  const foreign = onQp(16, memory, sendOf(7), settle, poll);

  it('may be refused at once, and another one not', async () => {
    const all = refusingSends(() => 0);
    assert.equal(await kindOf(foreign, all), 'sound');
    assert.equal(await kindOf(onQp(16, post('ibv_post_recv', '0x1'), post('ibv_post_send', '0x2')), all), 'finding');
  });

  it('may make the event of a violation, and no other failure does', async () => {
    const telling = (like: WcStatus): Partial<Parts> => ({
      Qp: class extends Qp {
        override completeSend(wr: SendRequest, status: WcStatus, byteLen?: number): void {
          super.completeSend(wr, status, byteLen);
          if (status === like) this.raise('IBV_EVENT_QP_ACCESS_ERR');
        }
      },
    });
    const nonblocking: Op = { call: 'fcntl', args: { source: { of: 'ctx' }, cmd: 'F_SETFL', flags: ['O_NONBLOCK'] } };
    const looked = (send: object) => onQp(16, nonblocking, memory, send, settle, poll, async, ack);
    assert.equal(await kindOf(looked(sendOf(7)), telling('IBV_WC_LOC_PROT_ERR')), 'sound');
    const unanswered = looked(post('ibv_post_send', '0x1'));
    assert.equal(await kindOf(unanswered, telling('IBV_WC_RNR_RETRY_EXC_ERR')), 'finding');
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

  it('need not let itself be resized, and any other has to', async () => {
    const overrun = onQp(1, post('ibv_post_recv', ...receives), fail, settle, resize);
    assert.equal(await kindOf(overrun, refusing('overrun')), 'sound');
    assert.equal(await kindOf(onQp(16, resize), refusing('all')), 'finding');
  });
});
