import { fencedSendStays } from '../avoided';
import type { Cell } from '../../coverage/cell';
import type { Act } from '../aim';
import { drain } from '../completions';
import { senders } from '../moves/move';
import { makeRoomIn } from '../moves/room';
import { allAccess, bringUp, makeRegion } from '../objects';
import { isAtomic, listOf, messageOf, needsReceive, opcodesOf, postReceives, wrOf, type Opcode } from '../work';
import { member, of, type Qp, type QpType, type Walk } from '../walk';
import { canRig, connect, hasRoomForRig, makeRig, move } from './rig';

/** A send WR, by what cells tell of it. */
interface Kind {
  readonly opcode: Opcode;
  readonly flags: readonly string[];
  readonly operation: string;
}

/** The states in which sends can be posted. */
const posting = ['RTS', 'SQD', 'ERR'] as const;
type Posting = (typeof posting)[number];

const types: readonly QpType[] = ['IBV_QPT_RC', 'IBV_QPT_UC', 'IBV_QPT_UD'];

/** Sends of each kind that fail in each way that leaves no doubt. */
export function failingActs(w: Walk): Act[] {
  if (!w.backend.isQuiet) return [];
  return [...(hasRoomForRig(w) ? flushes(w) : []), ...failures(w)];
}

function kindsOf(w: Walk, type: QpType): Kind[] {
  const byOpcode = opcodesOf(w, { type }).flatMap((opcode): Kind[] => [
    { opcode, flags: ['IBV_SEND_SIGNALED'], operation: `${opcode}, signaled` },
    { opcode, flags: [], operation: `${opcode}, not signaled` },
  ]);
  const fence = w.avoided.has(fencedSendStays) ? [] : ['IBV_SEND_FENCE'];
  const names = ['IBV_SEND_SOLICITED', ...fence, ...(w.has('inline') ? ['IBV_SEND_INLINE'] : [])];
  const byFlag = names.flatMap((flag) =>
    [['IBV_SEND_SIGNALED'], []].map((others): Kind => ({
      opcode: 'IBV_WR_SEND',
      flags: [...others, flag],
      operation: `a send with ${flag}`,
    })),
  );
  return [...byOpcode, ...byFlag];
}

const cellOf = (type: QpType, state: Posting, { operation }: Kind, outcome: string): Cell => ({
  kind: 'work request',
  state: `${type.replace('IBV_QPT_', '')}, posted in ${state}`,
  operation,
  outcome,
});

function flushes(w: Walk): Act[] {
  const states = posting.filter((state) => state !== 'SQD' || w.has('sq-drain'));
  return types
    .filter((type) => canRig(w, type))
    .flatMap((type) => [
      ...states.map((state) => ofAll(w, type, state, true)),
      ...states.filter((state) => state !== 'ERR').map((state) => ofAll(w, type, state, false)),
    ]);
}

/** Sends of all kinds at once, which are flushed or succeed. */
function ofAll(w: Walk, type: QpType, state: Posting, isFlushed: boolean): Act {
  const goals = kindsOf(w, type).map((kind) => {
    const isSilent = !isFlushed && !kind.flags.includes('IBV_SEND_SIGNALED');
    return cellOf(type, state, kind, isFlushed ? 'IBV_WC_WR_FLUSH_ERR' : isSilent ? 'no CQE' : 'IBV_WC_SUCCESS');
  });
  const named = {
    opcode: 'IBV_WR_SEND',
    flags: [],
    operation: `all kinds, ${isFlushed ? 'flushed' : 'sent'}`,
  } as const;
  return {
    situation: cellOf(type, state, named, ''),
    goals,
    make: () => (isFlushed ? flushAll(w, type, state) : sendAll(w, type, state)),
  };
}

async function sendAll(w: Walk, type: QpType, state: Posting): Promise<void> {
  const rig = await makeRig(w, { type, cqe: 64 });
  if (rig === undefined) return;
  await connect(w, rig);
  const { client, server, cq } = rig;
  if (state === 'SQD') await move(w, client, 'SQD');
  const kinds = kindsOf(w, type);
  const receives = kinds.filter(({ opcode }) => needsReceive(opcode)).map(() => 16);
  await postReceives(w, server, receives);
  await w.call('ibv_post_send', {
    qp: of(client.name),
    wrs: kinds.map((kind) => wrOf(w, client, messageFor(w, client, kind))),
  });
  await w.settle();
  if (state === 'SQD') await move(w, client, 'RTS');
  for (const one of [client.sendCq, cq]) await drain(w, one);
}

/** Sends of all kinds are posted to a QP that is stopped, has failed, or fails at what is before them. */
async function flushAll(w: Walk, type: QpType, state: Posting): Promise<void> {
  const rig = await makeRig(w, { type });
  if (rig === undefined) return;
  await connect(w, rig);
  const { client } = rig;
  if (state !== 'RTS') await move(w, client, state);
  const wrs = kindsOf(w, type).map((kind) => wrOf(w, client, messageFor(w, client, kind)));
  const first = state === 'RTS' ? [await unusable(w, client)] : [];
  await w.call('ibv_post_send', { qp: of(client.name), wrs: [...first, ...wrs] });
  await w.settle();
  await move(w, client, 'ERR');
  await drain(w, client.sendCq);
}

const messageFor = (w: Walk, qp: Qp, { opcode, flags }: Kind) =>
  messageOf(w, qp, opcode, { length: isAtomic(opcode) ? 8 : 16, flags });

/** Work of a length that no device hands over within a CQE. */
const longBytes = 160;

/** A send out of memory that the QP may not use, as it is of another PD. */
async function unusable(w: Walk, qp: Qp) {
  const pd = w.name('pd');
  await w.call('ibv_alloc_pd', { context: of(w.context) }, pd);
  const region = await makeRegion(w, allAccess, pd);
  if (qp.type !== 'IBV_QPT_RC') await postReceives(w, qp.peer, [longBytes]);
  const message = messageOf(w, qp, 'IBV_WR_SEND', { flags: ['IBV_SEND_SIGNALED'], length: longBytes, entries: 1 });
  return { ...wrOf(w, qp, message), sgList: listOf(region, 64, longBytes, 1) };
}

/** The ways to fail of a message of a pair of QPs that is there. */
const statuses = ['RETRY_EXC', 'RNR_RETRY_EXC', 'REM_INV_REQ', 'REM_OP', 'REM_ACCESS'] as const;
type Status = (typeof statuses)[number];

/** What a pair of QPs can fail at: its peer does not answer, or has no receive, or not the right one, or no such memory. */
function failures(w: Walk): Act[] {
  const qp = w.chance.pick(
    senders(w).filter((one) => one.type === 'IBV_QPT_RC' && one.peer.state === 'RTS' && isFree(w, one)),
  );
  if (qp === undefined) return [];
  const kinds = kindsOf(w, qp.type).filter(({ operation }) => !qp.signalsAll || !operation.endsWith('not signaled'));
  return kinds.flatMap((kind) =>
    statuses.filter((status) => canFail(w, qp, kind, status)).map((status) => failing(w, qp, kind, status)),
  );
}

function canFail(w: Walk, qp: Qp, { opcode, flags }: Kind, status: Status): boolean {
  const isSend = opcode === 'IBV_WR_SEND' || opcode === 'IBV_WR_SEND_WITH_IMM';
  switch (status) {
    case 'RETRY_EXC':
      return true;
    case 'RNR_RETRY_EXC':
      return needsReceive(opcode) && qp.rnrRetry !== 7 && w.received(qp.peer) === 0;
    case 'REM_ACCESS':
      return !needsReceive(opcode);
    case 'REM_INV_REQ':
    case 'REM_OP':
      return isSend && !flags.includes('IBV_SEND_INLINE') && qp.peer.srq === undefined;
  }
}

const cqsOf = ({ sendCq, recvCq, peer }: Qp): Set<Qp['sendCq']> => new Set([sendCq, recvCq, peer.sendCq, peer.recvCq]);

const isFree = (w: Walk, qp: Qp): boolean =>
  [...cqsOf(qp)].every((cq) => w.cqs.includes(cq) && !w.isOverrun(cq)) &&
  [qp, qp.peer].every((one) => w.qps.includes(one) && w.ownReceived(one) === 0);

function failing(w: Walk, qp: Qp, kind: Kind, status: Status): Act {
  const cell = cellOf(qp.type, 'RTS', kind, `IBV_WC_${status}_ERR`);
  return {
    situation: { kind: cell.kind, state: cell.state, operation: `${kind.operation}: ${status}` },
    goals: [cell],
    make: async () => {
      for (const cq of cqsOf(qp)) if (!(await makeRoomIn(w, cq, 2))) return;
      const wr = await failingWr(w, qp, kind, status);
      await w.call('ibv_post_send', { qp: of(qp.name), wrs: [wr] });
      await w.settle();
      await renew(w, qp);
    },
  };
}

/** A send, after what makes it fail. */
async function failingWr(w: Walk, qp: Qp, kind: Kind, status: Status) {
  const usual = messageFor(w, qp, kind);
  const long = { ...usual, length: longBytes, local: 64, entries: 1 };
  if (status === 'RETRY_EXC') await move(w, qp.peer, 'ERR');
  if (status === 'REM_ACCESS') {
    const { mr } = await makeRegion(w, ['IBV_ACCESS_LOCAL_WRITE']);
    return wrOf(w, qp, usual, { addr: member(mr, 'addr', 64), rkey: member(mr, 'rkey') });
  }
  if (status === 'REM_INV_REQ') await postReceives(w, qp.peer, [longBytes / 2]);
  else if (status === 'REM_OP')
    await postReceives(w, qp.peer, [longBytes], await makeRegion(w, ['IBV_ACCESS_REMOTE_READ']));
  else return wrOf(w, qp, usual);
  return wrOf(w, qp, long);
}

/** Both QPs begin anew. */
async function renew(w: Walk, qp: Qp): Promise<void> {
  for (const one of [qp, qp.peer]) await move(w, one, 'ERR');
  for (const cq of cqsOf(qp)) await drain(w, cq);
  for (const one of [qp, qp.peer]) await move(w, one, 'RESET');
  for (const one of [qp, qp.peer]) await bringUp(w, one);
}
