import { Given, Then, When, type DataTable } from '@cucumber/cucumber';
import {
  checkEqual,
  HarnessError,
  lackOf,
  VerbsError,
  type AccessFlag,
  type QpState,
  type QpType,
} from '../../drivers/contract';
import { rowsOf, flagsOf, type Row } from '../world/cells';
import { completionData } from '../cq/completion-table';
import { pollUntil } from '../cq/completions';
import { stepInto } from './connection';
import { entriesOf } from '../cq/cq-attributes';
import { overrunMessagesMax, postReceives, recvWrs, send, sendWr } from './messages';
import { modifyQp } from './modify-qp';
import { registerMemory } from '../mr/registered';
import type { ObjectRef } from '../world/object-ref';
import type { QpMove } from '../world/parameter-types';
import { createPair, type End } from './qp-pairs';
import { recvWrsOf, sendWrsOf } from './send-table';
import { letAMomentPass } from '../world/waits';
import type { ConnectedQp, VerbsWorld } from '../world/world';

Given(
  'connected {qp-type} QPs {string} and {string}',
  async function (this: VerbsWorld, qpType: QpType, one: string, other: string) {
    await createPair(this, [
      { name: one, qpType },
      { name: other, qpType },
    ]);
  },
);

Given(
  'connected {qp-type} QPs {string} and {string}, where {string} {direction} on CQ {string}',
  async function (
    this: VerbsWorld,
    qpType: QpType,
    one: string,
    other: string,
    subject: string,
    direction: 'sendCq' | 'recvCq',
    cq: string,
  ) {
    await createPair(this, endsOf(qpType, [one, other], subject, { [direction]: this.cqs.get(cq) }));
  },
);

/**
 * Columns: QP, send CQ, receive CQ, SRQ, signals (all, flagged), SGEs, inline (bytes), access, state (where to stop), timeout, retry_cnt, rnr_retry, min_rnr_timer.
 * Where the device connects no QPs, scenarios of datagrams do without the RC QPs of their Background.
 */
Given('connected {qp-type} QPs:', async function (this: VerbsWorld, qpType: QpType, table: DataTable) {
  if (qpType === 'IBV_QPT_RC' && lackOf(this.driver.dut, 'connection') !== undefined) return;
  const [one, other, ...more] = rowsOf(table, pairHeadings).map((row) => endOf(this, qpType, row));
  if (one === undefined || other === undefined || more.length > 0) throw new HarnessError('a pair has two QPs');
  await createPair(this, [one, other]);
});

Given(
  '{int} receive(s) (is )(are )posted on {object}',
  async function (this: VerbsWorld, count: number, ref: ObjectRef) {
    await postReceives(this, ref, await recvWrs(this, ref, count));
  },
);

Given(
  'as many receives posted on QP {string} as it takes to overrun CQ {string}',
  async function (this: VerbsWorld, qp: string, cq: string) {
    const count = overrunMessagesMax(this.cqs.get(cq)) + 1;
    const to = { kind: 'qp', name: qp } as const;
    await postReceives(this, to, await recvWrs(this, to, count));
  },
);

/** Columns: wr_id, bytes, memory. */
Given('these receives are posted on {object}:', async function (this: VerbsWorld, ref: ObjectRef, table: DataTable) {
  await postReceives(this, ref, await recvWrsOf(this, ref, table));
});

Given('{object} is destroyed', async function (this: VerbsWorld, ref: ObjectRef) {
  await this.destroy(ref);
});

Given('QPs {string} and {string} are destroyed', async function (this: VerbsWorld, one: string, other: string) {
  for (const name of [one, other]) await this.destroy({ kind: 'qp', name });
});

When(
  'QP {string} (has )sen(ds)(t) {int} {solicitation} message(s)',
  async function (this: VerbsWorld, qp: string, count: number, solicited: boolean) {
    await send(this, this.qps.get(qp), solicited, count);
  },
);

When(
  'QP {string} (has )sen(ds)(t) as many messages as CQ {string} has entries',
  async function (this: VerbsWorld, qp: string, cq: string) {
    await send(this, this.qps.get(qp), false, await entriesOf(this, this.cqs.get(cq)));
  },
);

/** Takes no event. */
When(
  'QP {string} (has )sen(ds)(t) as many messages as it takes to overrun CQ {string}',
  async function (this: VerbsWorld, qp: string, cq: string) {
    await send(this, this.qps.get(qp), false, overrunMessagesMax(this.cqs.get(cq)));
    await this.driver.settle();
  },
);

When('QP {string} tries to send wr_id {number}', async function (this: VerbsWorld, name: string, wrId: bigint) {
  const qp = this.qps.get(name);
  this.triedWrId = wrId;
  await this.driver.postSend(qp.qp, [await sendWr(this, qp, { wrId })]).catch((error: unknown) => {
    if (!(error instanceof VerbsError)) throw error;
  });
});

/**
 * Columns: wr_id, opcode, send_flags, bytes, memory (`none`: no scatter/gather list; `head + body`: two entries), imm_data, remote,
 * remote_offset (bytes from the beginning of the memory or window), rkey (`as allocated`: that of a window before it was
 * bound), invalidates, compare_add, swap.
 */
When('QP {string} posts these sends:', async function (this: VerbsWorld, name: string, table: DataTable) {
  const qp = this.qps.get(name);
  await this.driver.postSend(qp.qp, await sendWrsOf(this, qp, table));
});

When('a moment passes', async function (this: VerbsWorld) {
  await letAMomentPass(this.driver);
});

/** The local protection error of a sender: its message lies in memory that is registered with another PD. */
When(
  'QP {string} sends 1 {solicitation} message from memory of another PD',
  async function (this: VerbsWorld, name: string, solicited: boolean) {
    const qp = this.qps.get(name);
    const pd = await this.newPd(await this.context());
    const mr = await registerMemory(this, pd, 64, ['IBV_ACCESS_LOCAL_WRITE']);
    const sgList = [{ addr: mr.addr, length: mr.length, lkey: mr.lkey }];
    const sendFlags = solicited ? (['IBV_SEND_SIGNALED', 'IBV_SEND_SOLICITED'] as const) : undefined;
    await this.driver.postSend(qp.qp, [await sendWr(this, qp, { sgList, ...(sendFlags && { sendFlags }) })]);
  },
);

When('QP {string} is moved to {qp-move}', async function (this: VerbsWorld, name: string, attr: QpMove) {
  const { qp, peer, ...bringUp } = this.qps.get(name);
  await modifyQp(this.driver, qp, { ...stepInto(this.driver, peer, bringUp, attr.qpState), ...attr });
});

/** From IBV_QPS_SQD, which takes no other attributes with it. */
When('QP {string} is moved back to IBV_QPS_RTS', async function (this: VerbsWorld, name: string) {
  await modifyQp(this.driver, this.qps.get(name).qp, { qpState: 'IBV_QPS_RTS' });
});

/** Receiving them shows that they were sent, and leaves the CQ of the sender alone. */
Then(
  'QP {string} receives as many messages as CQ {string} has entries',
  async function (this: VerbsWorld, receiver: string, cq: string) {
    const entries = await entriesOf(this, this.cqs.get(cq));
    const received = await pollUntil(this, this.qps.get(receiver).recvCq, entries);
    const failed = received.filter(({ status }) => status !== 'IBV_WC_SUCCESS');
    const observed = failed.map(completionData);
    checkEqual({ subject: `failed receives of QP "${receiver}"`, expected: [], observed });
  },
);

const pairHeadings = [
  'QP',
  'send CQ',
  'receive CQ',
  'SRQ',
  'signals',
  'SGEs',
  'inline',
  'access',
  'state',
  'timeout',
  'retry_cnt',
  'rnr_retry',
  'min_rnr_timer',
];

function endOf(world: VerbsWorld, qpType: QpType, row: Row): End {
  const { QP: name, SRQ: srq, signals, SGEs: sges, inline, access, state, timeout } = row;
  const { retry_cnt: retryCnt, rnr_retry: rnrRetry, min_rnr_timer: minRnrTimer } = row;
  if (name === undefined) throw new HarnessError('a QP of a pair has a name');
  const sendCq = row['send CQ'];
  const recvCq = row['receive CQ'];
  return {
    name,
    qpType,
    ...(sendCq !== undefined && { sendCq: world.cqs.get(sendCq) }),
    ...(recvCq !== undefined && { recvCq: world.cqs.get(recvCq) }),
    ...(srq !== undefined && { srq: world.srqs.get(srq) }),
    ...(signals !== undefined && { sqSigAll: signals === 'all' }),
    ...(sges !== undefined && { maxSge: Number(sges) }),
    ...(inline !== undefined && { maxInlineData: Number(inline) }),
    ...(access !== undefined && { access: flagsOf(access) as AccessFlag[] }),
    ...(state !== undefined && { state: state as QpState }),
    ...(timeout !== undefined && { timeout: Number(timeout) }),
    ...(retryCnt !== undefined && { retryCnt: Number(retryCnt) }),
    ...(rnrRetry !== undefined && { rnrRetry: Number(rnrRetry) }),
    ...(minRnrTimer !== undefined && { minRnrTimer: Number(minRnrTimer) }),
  };
}

/** A pair of which one end uses the CQ that the scenario names. */
function endsOf(
  qpType: QpType,
  [one, other]: readonly [string, string],
  subject: string,
  cqs: Partial<Pick<ConnectedQp, 'sendCq' | 'recvCq'>>,
): readonly [End, End] {
  const end = (name: string): End => ({ name, qpType, ...(name === subject && cqs) });
  return [end(one), end(other)];
}
