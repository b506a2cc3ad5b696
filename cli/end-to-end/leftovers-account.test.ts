import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventType } from '../../drivers/contract';
import { unaccountedIn } from '../../steps/leftovers/account';
import { TraceOfTest } from '../fixtures/trace-of-test';

const pair = (): TraceOfTest =>
  new TraceOfTest().cq('cq#1').cq('cq#2').qp('qp#1', 'cq#1', 'cq#1').qp('qp#2', 'cq#2', 'cq#2');

const accountOf = ({ calls }: TraceOfTest, hasSent = true) => unaccountedIn(calls, { ports: 1, hasSent });

/** The wr_ids of CQEs that nothing accounts for. */
const strays = (trace: TraceOfTest) => accountOf(trace).completions.map(({ wrId }) => wrId);

describe('a CQE', () => {
  it('is accounted for by a work request of its QP and CQ, once', () => {
    const trace = pair().send('qp#1', [1n, 2n]).receive('qp#1', [1n]).polled('cq#1', 'qp#1', [1n, 1n, 2n]);
    assert.deepEqual(strays(trace), []);
    assert.deepEqual(strays(trace.polled('cq#1', 'qp#1', [1n])), [1n]);
  });

  it('is not accounted for by work of another QP, or by another wr_id', () => {
    assert.deepEqual(strays(pair().send('qp#1', [1n]).polled('cq#1', 'qp#2', [1n])), [1n]);
    assert.deepEqual(strays(pair().send('qp#1', [1n]).polled('cq#1', 'qp#1', [2n])), [2n]);
  });

  it('is not accounted for on another CQ than that of the queue', () => {
    assert.deepEqual(strays(pair().send('qp#1', [1n]).polled('cq#2', 'qp#1', [1n])), [1n]);
    const apart = new TraceOfTest().cq('cq#1').cq('cq#2').qp('qp#1', 'cq#1', 'cq#2').send('qp#1', [1n]);
    assert.deepEqual(strays(apart.polled('cq#2', 'qp#1', [1n])), [1n]);
  });

  it('of a send without a signal is accounted for if it failed, or if all sends of the QP are signaled', () => {
    assert.deepEqual(strays(pair().send('qp#1', [1n], []).polled('cq#1', 'qp#1', [1n])), [1n]);
    assert.deepEqual(strays(pair().send('qp#1', [1n], []).polled('cq#1', 'qp#1', [1n], 'IBV_WC_WR_FLUSH_ERR')), []);
    const all = new TraceOfTest().cq('cq#1').qp('qp#1', 'cq#1', 'cq#1', { sqSigAll: true });
    assert.deepEqual(strays(all.send('qp#1', [1n], []).polled('cq#1', 'qp#1', [1n])), []);
  });

  it('that failed leaves the signaled work to those that succeeded', () => {
    const trace = pair().send('qp#1', [1n]).send('qp#1', [1n], []).polled('cq#1', 'qp#1', [1n], 'IBV_WC_WR_FLUSH_ERR');
    assert.deepEqual(strays(trace.polled('cq#1', 'qp#1', [1n])), []);
  });

  it('is accounted for by a receive of an SRQ, whichever of its QPs took it', () => {
    const shared = (): TraceOfTest =>
      new TraceOfTest()
        .cq('cq#1')
        .qp('qp#1', 'cq#1', 'cq#1', { srq: 'srq#1' })
        .qp('qp#2', 'cq#1', 'cq#1', { srq: 'srq#1' })
        .receiveOnSrq('srq#1', [1n, 2n]);
    assert.deepEqual(strays(shared().polled('cq#1', 'qp#2', [1n]).polled('cq#1', 'qp#1', [2n])), []);
    assert.deepEqual(strays(shared().polled('cq#1', 'qp#2', [1n]).polled('cq#1', 'qp#1', [1n])), [1n]);
  });

  it('is accounted for by work of a list before the request that was refused, and by no other', () => {
    const refused = (badWr: number | null): TraceOfTest => {
      const wrs = [1n, 2n, 3n].map((wrId) => ({ wrId, sendFlags: ['IBV_SEND_SIGNALED'] }));
      return pair().add('ibv_post_send', { qp: 'qp#1', wrs }, { badWr }, { returned: 12, errno: 'ENOMEM' });
    };
    assert.deepEqual(strays(refused(1).polled('cq#1', 'qp#1', [1n, 2n])), [2n]);
    assert.deepEqual(strays(refused(null).polled('cq#1', 'qp#1', [1n, 2n, 3n])), []);
  });

  it('of an extended CQ is compared by what was read of it, and counts if nothing was', () => {
    const batch = (): TraceOfTest => {
      const cqAttr = { cqe: 16, channel: null };
      return new TraceOfTest()
        .add('ibv_create_cq_ex', { context: 'context#1', cqAttr }, { cqe: 16 }, { returned: 'cq#1' })
        .qp('qp#1', 'cq#1', 'cq#1')
        .send('qp#1', [1n, 2n])
        .add('ibv_start_poll', { cq: 'cq#1' });
    };
    const next = (trace: TraceOfTest): TraceOfTest => trace.add('ibv_next_poll', { cq: 'cq#1' });
    assert.deepEqual(strays(next(batch())), []);
    assert.deepEqual(strays(next(next(batch()))), [undefined]);
    const read = batch().add('struct ibv_cq_ex', { cq: 'cq#1' }, { wrId: 7n, status: 'IBV_WC_SUCCESS' });
    assert.deepEqual(strays(read), [7n]);
    const other = batch().add('ibv_wc_read_qp_num', { cq: 'cq#1' }, { value: 9 });
    assert.deepEqual(strays(other), [undefined]);
    const none = { returned: 2, errno: 'ENOENT' };
    assert.deepEqual(strays(next(batch()).add('ibv_next_poll', { cq: 'cq#1' }, {}, none)), []);
  });

  it('of a CQ that can have overrun is nobody to judge', () => {
    const trace = new TraceOfTest().cq('cq#1', 1).qp('qp#1', 'cq#1', 'cq#1').send('qp#1', [1n]);
    assert.deepEqual(strays(trace.polled('cq#1', 'qp#1', [1n]).send('qp#1', [2n]).polled('cq#1', 'qp#1', [7n])), [7n]);
    assert.deepEqual(strays(trace.send('qp#1', [3n, 4n]).polled('cq#1', 'qp#1', [7n])), []);
  });
});

describe('a completion event', () => {
  const armed = (): TraceOfTest => {
    const trace = new TraceOfTest().cq('cq#1', 16, 'channel#1').cq('cq#2', 16, 'channel#2').qp('qp#1', 'cq#1', 'cq#2');
    return trace.send('qp#1', [1n, 2n]).armed('cq#1');
  };
  const why = (trace: TraceOfTest) => accountOf(trace).compEvents.map((event) => event.why);

  it('is accounted for once each time that the CQ was armed', () => {
    assert.deepEqual(why(armed().compEvent('channel#1', 'cq#1')), []);
    const twice = armed().compEvent('channel#1', 'cq#1').compEvent('channel#1', 'cq#1');
    assert.deepEqual(why(twice), ['it was armed once']);
    assert.deepEqual(why(twice.armed('cq#1')), []);
    const never = new TraceOfTest().cq('cq#1', 16, 'channel#1').compEvent('channel#1', 'cq#1');
    assert.deepEqual(why(never), ['it was armed 0 times']);
  });

  it('takes a work request that may complete on the CQ', () => {
    const idle = new TraceOfTest().cq('cq#1', 16, 'channel#1').armed('cq#1').compEvent('channel#1', 'cq#1');
    assert.deepEqual(why(idle), ['it can have gained 0 CQEs']);
  });

  it('comes on the channel of the CQ, and not after its destruction', () => {
    assert.deepEqual(why(armed().compEvent('channel#2', 'cq#1')), ['it is not bound to that completion channel']);
    const gone = armed().add('ibv_destroy_cq', { cq: 'cq#1' }).compEvent('channel#1', 'cq#1');
    assert.deepEqual(why(gone), ['it had been destroyed']);
    const busy = armed().add('ibv_destroy_cq', { cq: 'cq#1' }, {}, { returned: 16, errno: 'EBUSY' });
    assert.deepEqual(why(busy.compEvent('channel#1', 'cq#1')), []);
  });
});

describe('an asynchronous event', () => {
  const why = (trace: TraceOfTest, hasSent = true) => accountOf(trace, hasSent).asyncEvents.map((event) => event.why);
  const moved = (trace: TraceOfTest, attr: { qpState: string; enSqdAsyncNotify?: boolean }): TraceOfTest =>
    trace.add('ibv_modify_qp', { qp: 'qp#1', attr, attrMask: [] });
  const noCause = ['the scenario gave no cause for it'];

  it('of a port or the device is accounted for, whenever it comes', () => {
    for (const type of eventType.names.filter((name) => /PORT|LID|PKEY|SM_|CLIENT|GID/.test(name)))
      assert.deepEqual(why(pair().asyncEvent(type, 1).asyncEvent(type, 1)), [], type);
    assert.deepEqual(why(pair().asyncEvent('IBV_EVENT_DEVICE_FATAL', null)), []);
    assert.equal(why(pair().asyncEvent('IBV_EVENT_PORT_ERR', 2)).length, 1);
  });

  it('of a type that there is not is not accounted for', () => {
    for (const type of ['', '77', 'toString'])
      assert.deepEqual(why(pair().asyncEvent(type, 'qp#1')), ['there is no such type']);
  });

  it('names an object of its kind that the scenario has made and not destroyed', () => {
    const other = ['it names something else than its type does'];
    assert.deepEqual(why(moved(pair(), { qpState: 'IBV_QPS_RTR' }).asyncEvent('IBV_EVENT_COMM_EST', 'cq#1')), other);
    assert.deepEqual(why(pair().asyncEvent('IBV_EVENT_COMM_EST', 'qp#9')), other);
    assert.deepEqual(why(pair().asyncEvent('IBV_EVENT_COMM_EST', null)), other);
    const gone = moved(pair(), { qpState: 'IBV_QPS_RTR' }).add('ibv_destroy_qp', { qp: 'qp#1' });
    assert.deepEqual(why(gone.asyncEvent('IBV_EVENT_COMM_EST', 'qp#1')), ['it had been destroyed']);
  });

  it('of a connection takes a QP that was moved to IBV_QPS_RTR, once', () => {
    assert.deepEqual(why(pair().asyncEvent('IBV_EVENT_COMM_EST', 'qp#1')), noCause);
    const once = moved(pair(), { qpState: 'IBV_QPS_RTR' }).asyncEvent('IBV_EVENT_COMM_EST', 'qp#1');
    assert.deepEqual(why(once), []);
    assert.deepEqual(why(once.asyncEvent('IBV_EVENT_COMM_EST', 'qp#1')), ['the scenario gave cause for 1']);
  });

  it('of a drained send queue takes a move that asks for it', () => {
    const drained = (enSqdAsyncNotify: boolean) =>
      moved(pair(), { qpState: 'IBV_QPS_SQD', enSqdAsyncNotify }).asyncEvent('IBV_EVENT_SQ_DRAINED', 'qp#1');
    assert.deepEqual(why(drained(true)), []);
    assert.deepEqual(why(drained(false)), noCause);
  });

  it('of a failed QP takes something that was sent, and comes again only after a reset', () => {
    const failed = (): TraceOfTest => pair().asyncEvent('IBV_EVENT_QP_ACCESS_ERR', 'qp#1');
    assert.deepEqual(why(failed()), []);
    assert.deepEqual(why(failed(), false), noCause);
    assert.equal(why(failed().asyncEvent('IBV_EVENT_QP_ACCESS_ERR', 'qp#1')).length, 1);
    const reset = moved(failed(), { qpState: 'IBV_QPS_RESET' }).asyncEvent('IBV_EVENT_QP_ACCESS_ERR', 'qp#1');
    assert.deepEqual(why(reset), []);
  });

  it('of an SRQ takes a limit that was armed, or a QP that uses it', () => {
    const shared = (): TraceOfTest =>
      new TraceOfTest()
        .cq('cq#1')
        .add('ibv_create_srq', { pd: 'pd#1', srqInitAttr: { attr: {} } }, {}, { returned: 'srq#1' })
        .qp('qp#1', 'cq#1', 'cq#1', { srq: 'srq#1' });
    const limited = (srqLimit: number) =>
      shared()
        .add('ibv_modify_srq', { srq: 'srq#1', srqAttr: { srqLimit }, srqAttrMask: ['IBV_SRQ_LIMIT'] })
        .asyncEvent('IBV_EVENT_SRQ_LIMIT_REACHED', 'srq#1');
    assert.deepEqual(why(limited(2)), []);
    assert.deepEqual(why(limited(0)), noCause);
    assert.deepEqual(why(shared().asyncEvent('IBV_EVENT_SRQ_ERR', 'srq#1')), noCause);
    assert.deepEqual(why(shared().asyncEvent('IBV_EVENT_QP_LAST_WQE_REACHED', 'qp#1')), []);
    assert.deepEqual(why(pair().asyncEvent('IBV_EVENT_QP_LAST_WQE_REACHED', 'qp#1')), noCause);
  });

  it('of a CQ takes more work than the CQ has entries', () => {
    const overrun = (wrIds: readonly bigint[]) =>
      new TraceOfTest()
        .cq('cq#1', 1)
        .qp('qp#1', 'cq#1', 'cq#1')
        .send('qp#1', wrIds)
        .asyncEvent('IBV_EVENT_CQ_ERR', 'cq#1');
    assert.deepEqual(why(overrun([1n, 2n])), []);
    assert.deepEqual(why(overrun([1n])), noCause);
  });
});
