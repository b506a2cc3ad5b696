import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { QpAttr, SrqAttr } from '../contract';
import { checkedProgram } from '../programs/check-program';
import { callsOf, isCall, type Program } from '../programs/program';
import { SimBackend } from '../sim/backend';
import type { WcStatus } from '../sim/cq/completions';
import { soundParts, type Parts } from '../sim/device/device';
import type { Answer, Message } from '../sim/qp/message';
import type { SendRequest } from '../sim/qp/work-request';
import { Refusal } from '../sim/refusal';
import { Explorer } from './explorer';
import { onQp, poll, post, settle } from './fixtures/failed-qp';
import { drainRefusesReset } from './model/guided-backend';

const of = (name: string, member?: string) => (member === undefined ? { of: name } : { of: name, member });

async function kindOf(program: Program, own: Partial<Parts>, ...excused: readonly string[]): Promise<string> {
  const backend = new SimBackend({ ...soundParts, ...own });
  return (await new Explorer(backend, { excused: new Set(excused) }).examine(program)).kind;
}

/** The same, where a send waits for a receive as long as there is none. */
const patient = (program: Program): Program =>
  checkedProgram(JSON.parse(JSON.stringify(program).replace('"rnrRetry":1', '"rnrRetry":7')));

const unblock = { call: 'fcntl', args: { source: of('ctx'), cmd: 'F_SETFL', flags: ['O_NONBLOCK'] } };
const getEvent = { call: 'ibv_get_async_event', args: { context: of('ctx') } };
const modify = (attr: QpAttr, ...attrMask: readonly string[]): object => ({
  call: 'ibv_modify_qp',
  args: { qp: of('qp'), attr, attrMask: ['IBV_QP_STATE', ...attrMask] },
});
const toSqd = modify({ qpState: 'IBV_QPS_SQD', enSqdAsyncNotify: true }, 'IBV_QP_EN_SQD_ASYNC_NOTIFY');
const toReset = modify({ qpState: 'IBV_QPS_RESET' });

describe('IBV_EVENT_SQ_DRAINED', () => {
  const silent = (isSilent: (qp: InstanceType<Parts['Qp']>, isBusy: boolean) => boolean): Partial<Parts> => ({
    Qp: class extends soundParts.Qp {
      #isSilent = false;

      override modify(attr: QpAttr): void {
        if (attr.qpState === 'IBV_QPS_SQD') this.#isSilent = isSilent(this, this.requester.isBusy);
        super.modify(attr);
      }

      override raise(eventType: Parameters<InstanceType<Parts['Qp']>['raise']>[0]): void {
        if (!(this.#isSilent && eventType === 'IBV_EVENT_SQ_DRAINED')) super.raise(eventType);
      }
    },
  });
  const [receive, send] = [post('ibv_post_recv', '0x1'), post('ibv_post_send', '0x2')];
  const drain = [toSqd, settle, getEvent];

  it('may stay away where nothing was on its way', async () => {
    const whenIdle = silent((_, isBusy) => !isBusy);
    assert.equal(await kindOf(onQp(8, unblock, ...drain), whenIdle), 'sound');
    assert.equal(await kindOf(onQp(8, unblock, receive, send, settle, ...drain), whenIdle), 'sound');
    assert.equal(
      await kindOf(
        onQp(8, unblock, receive, send, ...drain),
        silent(() => true),
      ),
      'sound',
    );
  });

  it('may come there', async () => {
    assert.equal(await kindOf(onQp(8, unblock, ...drain), {}), 'sound');
  });

  it('comes where something was, if that was asked for', async () => {
    const always = silent(() => true);
    const waiting = patient(onQp(8, unblock, send, settle, toSqd, settle, receive, settle, getEvent));
    assert.equal(await kindOf(waiting, always), 'finding');
    assert.equal(await kindOf(waiting, {}), 'sound');
  });
});

describe('an SRQ whose limit is more than it holds', () => {
  /** A program that arms a limit of an SRQ with so many receives. */
  const armed = (receives: number): Program => {
    const srqInitAttr = { attr: { maxWr: 8, maxSge: 1, srqLimit: 0 } };
    const wrs = Array.from({ length: receives }, (_, at) => ({ wrId: `0x${at + 1}`, sgList: [] }));
    return checkedProgram({
      version: 1,
      seed: 'limit',
      ops: [
        { as: 'ctx', call: 'ibv_open_device', args: { device: of('dut', 'name') } },
        { as: 'pd', call: 'ibv_alloc_pd', args: { context: of('ctx') } },
        { as: 'srq', call: 'ibv_create_srq', args: { pd: of('pd'), srqInitAttr } },
        unblock,
        { call: 'ibv_post_srq_recv', args: { srq: of('srq'), wrs } },
        {
          call: 'ibv_modify_srq',
          args: { srq: of('srq'), srqAttr: { srqLimit: 2 }, srqAttrMask: ['IBV_SRQ_LIMIT'] },
        },
        getEvent,
        { call: 'ibv_query_srq', args: { srq: of('srq') } },
      ],
    });
  };
  const eager = (below: number): Partial<Parts> => ({
    Srq: class extends soundParts.Srq {
      override modify(attr: Partial<SrqAttr>): void {
        super.modify(attr);
        if (this.length < below) this.reachLimit();
      }
    },
  });

  it('may tell so at once, or wait for a receive to be taken', async () => {
    assert.equal(await kindOf(armed(1), eager(2)), 'sound');
    assert.equal(await kindOf(armed(1), {}), 'sound');
  });

  it('does not where it holds as much', async () => {
    assert.equal(await kindOf(armed(2), eager(3)), 'finding');
  });
});

describe('a write with immediate data that is refused', () => {
  const write = {
    call: 'ibv_post_send',
    args: {
      qp: of('qp'),
      wrs: [
        {
          wrId: '0x2',
          sgList: [{ addr: of('mr', 'addr'), length: 8, lkey: of('mr', 'lkey') }],
          opcode: 'IBV_WR_RDMA_WRITE_WITH_IMM',
          sendFlags: ['IBV_SEND_SIGNALED'],
          immData: 1,
          rdma: { remoteAddr: of('mr', 'addr'), rkey: of('mr', 'rkey') },
        },
      ],
    },
  };
  const region = [
    { as: 'mem', call: 'memory allocate', args: { length: 64 } },
    { as: 'mr', call: 'ibv_reg_mr', args: { pd: of('pd'), addr: of('mem', 'addr'), length: 64, access: [] } },
  ];
  const program = onQp(8, ...region, post('ibv_post_recv', '0x1'), write, settle, poll);
  const failing = (status: WcStatus): Partial<Parts> => ({
    Responder: class extends soundParts.Responder {
      #message: Message | undefined;

      override receive(message: Message): Answer {
        this.#message = message;
        return super.receive(message);
      }

      protected override refuse(): Answer {
        const { first } = this.qp.receives;
        if (this.#message?.wr.opcode !== 'IBV_WR_RDMA_WRITE_WITH_IMM' || first === undefined) return super.refuse();
        return this.fail(status, 'access-error');
      }
    },
  });

  it('may fail its receive as one of memory that may not be touched, by either name, or flush it', async () => {
    assert.equal(await kindOf(program, failing('IBV_WC_LOC_ACCESS_ERR')), 'sound');
    assert.equal(await kindOf(program, failing('IBV_WC_REM_ACCESS_ERR')), 'sound');
    assert.equal(await kindOf(program, {}), 'sound');
  });

  it('does not fail it for anything else', async () => {
    assert.equal(await kindOf(program, failing('IBV_WC_LOC_LEN_ERR')), 'finding');
  });
});

describe('a window that is bound already', () => {
  const access = ['IBV_ACCESS_LOCAL_WRITE', 'IBV_ACCESS_MW_BIND', 'IBV_ACCESS_REMOTE_READ'];
  const bind = (wrId: string, plus: number): object => {
    const bindMw = {
      mw: of('mw'),
      rkey: { ...of('mw', 'rkey'), plus },
      mr: of('mr'),
      addr: of('mr', 'addr'),
      length: 64,
      access: ['IBV_ACCESS_REMOTE_READ'],
    };
    const wr = { wrId, sgList: [], opcode: 'IBV_WR_BIND_MW', sendFlags: ['IBV_SEND_SIGNALED'], bindMw };
    return { call: 'ibv_post_send', args: { qp: of('qp'), wrs: [wr] } };
  };
  const objects = [
    { as: 'mem', call: 'memory allocate', args: { length: 64 } },
    { as: 'mr', call: 'ibv_reg_mr', args: { pd: of('pd'), addr: of('mem', 'addr'), length: 64, access } },
    { as: 'mw', call: 'ibv_alloc_mw', args: { pd: of('pd'), type: 'IBV_MW_TYPE_2' } },
  ];
  const refusing = (isRefused: (wr: SendRequest) => boolean): Partial<Parts> => ({
    Transmitter: class extends soundParts.Transmitter {
      protected override performLocally(wr: SendRequest): WcStatus {
        return isRefused(wr) ? 'IBV_WC_MW_BIND_ERR' : super.performLocally(wr);
      }
    },
  });

  it('may be bound again or not', async () => {
    const twice = onQp(8, ...objects, bind('0x1', 1), bind('0x2', 2), settle, poll);
    assert.equal(
      await kindOf(
        twice,
        refusing(({ bindMw }) => bindMw?.mw.binding !== undefined),
      ),
      'sound',
    );
    assert.equal(await kindOf(twice, {}), 'sound');
  });

  it('is bound where it is not', async () => {
    const once = onQp(8, ...objects, bind('0x1', 1), settle, poll);
    assert.equal(
      await kindOf(
        once,
        refusing(() => true),
      ),
      'finding',
    );
  });
});

describe('a QP that is draining', () => {
  const drainUs = 1000;
  const refusing: Partial<Parts> = {
    Qp: class extends soundParts.Qp {
      #drainsSince = -Infinity;

      override modify(attr: QpAttr): void {
        const { nowUs } = this.device.clock;
        const mayDrain = this.state === 'IBV_QPS_SQD' && nowUs - this.#drainsSince < drainUs;
        if (mayDrain && attr.qpState === 'IBV_QPS_RESET') throw new Refusal('EINVAL');
        super.modify(attr);
        if (attr.qpState === 'IBV_QPS_SQD') this.#drainsSince = nowUs;
      }
    },
  };
  const atOnce = onQp(8, settle, toSqd, toReset);

  it('refuses to be reset where that is known, and may not where it is not', async () => {
    assert.equal(await kindOf(atOnce, refusing), 'finding');
    assert.equal(await kindOf(atOnce, refusing, drainRefusesReset), 'sound');
    assert.equal(await kindOf(atOnce, {}, drainRefusesReset), 'sound');
  });

  it('is reset once it has been drained', async () => {
    const later = onQp(8, settle, toSqd, settle, toReset);
    const always: Partial<Parts> = {
      Qp: class extends soundParts.Qp {
        override modify(attr: QpAttr): void {
          if (this.state === 'IBV_QPS_SQD' && attr.qpState === 'IBV_QPS_RESET') throw new Refusal('EINVAL');
          super.modify(attr);
        }
      },
    };
    assert.equal(await kindOf(later, always, drainRefusesReset), 'finding');
    assert.ok(callsOf(later).every(isCall));
  });
});
