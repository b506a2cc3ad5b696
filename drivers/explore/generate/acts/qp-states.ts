import type { Cell, Situation } from '../../coverage/cell';
import { takeAsync } from '../completions';
import type { Act } from '../aim';
import { destroyQp } from '../moves/destroying';
import { bringUp, modifyQp } from '../objects';
import { messageOf, postReceives, wrOf } from '../work';
import { of, type Qp, type QpState, type QpType, type Walk } from '../walk';
import { canRig, clearAsync, connect, hasRoomForRig, isSure, makeRig, move, sendTo, type Rig } from './rig';

const types: readonly QpType[] = ['IBV_QPT_RC', 'IBV_QPT_UC', 'IBV_QPT_UD'];
const queues = ['no receives', 'receives', 'SRQ'] as const;

/** A state of a QP, as cells have it. */
interface QpPlace {
  readonly type: QpType;
  readonly state: QpState;
  readonly hasSends: boolean;
  readonly queue: (typeof queues)[number];
}

const placeOf = ({ type, state, hasSends, queue }: QpPlace): Pick<Situation, 'kind' | 'state'> => ({
  kind: 'QP',
  state: `${type.replace('IBV_QPT_', '')} ${state}, ${hasSends ? 'sends' : 'no sends'}, ${queue}`,
});

/** Brings a QP of its own into each state, where other acts go on, or ends it there with an event that is not acknowledged. */
export function qpStateActs(w: Walk): Act[] {
  if (!hasRoomForRig(w) || !w.backend.isQuiet) return [];
  const places = types.flatMap((type) =>
    queues.filter((queue) => canRig(w, type, queue === 'SRQ')).flatMap((queue) => statesOf(w, type, queue)),
  );
  const owing = w.has('sq-drain') ? places.filter((place) => !place.hasSends && mayOwe(place)) : [];
  return [
    ...places.map((place) => way(w, place)),
    ...owing.map((place) => owingEnd(w, place)),
    ...places
      .filter(({ hasSends, state }) => !hasSends && (state === 'RTS' || state === 'ERR'))
      .map((place) => hurry(w, place)),
  ];
}

function statesOf(w: Walk, type: QpType, queue: QpPlace['queue']): QpPlace[] {
  const calm = (['INIT', 'RTR', 'RTS', 'SQD', 'ERR'] as const).map((state) => ({
    type,
    state,
    hasSends: false,
    queue,
  }));
  const waiting = [{ type, state: 'SQD', hasSends: true, queue }] as const;
  const stalled = type === 'IBV_QPT_RC' ? [{ type, state: 'RTS', hasSends: true, queue } as const] : [];
  const isThere = ({ state }: QpPlace): boolean =>
    (state !== 'SQD' || w.has('sq-drain')) && (state !== 'ERR' || queue !== 'receives');
  return [...calm, ...waiting, ...stalled].filter(isThere);
}

function way(w: Walk, place: QpPlace): Act {
  const leadsTo = placeOf(place);
  return { situation: { ...leadsTo, operation: 'a way there' }, leadsTo, make: () => bring(w, place) };
}

async function bring(w: Walk, place: QpPlace): Promise<Rig | undefined> {
  const { type, state, hasSends, queue } = place;
  const rig = await makeRig(w, { type, hasSrq: queue === 'SRQ' });
  if (rig === undefined) return undefined;
  const { client, server } = rig;
  await bringUp(w, server);
  await bringUp(w, client, state === 'INIT' || state === 'RTR' ? state : 'RTS');
  if (queue === 'receives') await postReceives(w, client, [32, 32]);
  if (state === 'SQD' || state === 'ERR') await move(w, client, state);
  if (hasSends) await sendTo(w, client, { flags: ['IBV_SEND_SIGNALED'] }, state === 'SQD');
  return rig;
}

/** Where a QP may be that has said that its sends are drained. */
function mayOwe({ type, state, queue }: QpPlace): boolean {
  return (
    state === 'RTS' ||
    state === 'ERR' ||
    (type === 'IBV_QPT_RC' && (state === 'INIT' || state === 'RTR') && queue !== 'receives')
  );
}

function owingEnd(w: Walk, place: QpPlace): Act {
  const there = { ...placeOf(place), operation: 'ibv_destroy_qp' };
  return {
    situation: { ...there, operation: `${there.operation}, with an event` },
    goals: ['waits', 'done after a wait'].map((outcome): Cell => ({ ...there, outcome })),
    make: () => endOwing(w, place),
  };
}

async function endOwing(w: Walk, { type, state, queue }: QpPlace): Promise<void> {
  await clearAsync(w);
  const rig = await makeRig(w, { type, hasSrq: queue === 'SRQ' });
  if (rig === undefined || isSure(w)) return;
  await connect(w, rig);
  const { client } = rig;
  await move(w, client, 'SQD', { enSqdAsyncNotify: true });
  if (!isSure(w) || !(await takeAsync(w))) return;
  await move(w, client, 'RTS');
  if (state === 'ERR') await move(w, client, 'ERR');
  else if (state !== 'RTS') await again(w, client, state);
  if (queue === 'receives') await postReceives(w, client, [32]);
  await destroyQp(w, client, { waits: true });
}

async function again(w: Walk, qp: Qp, state: QpState): Promise<void> {
  await move(w, qp, 'RESET');
  await bringUp(w, qp, state);
}

/** Calls that follow on a send before it has completed. */
function hurry(w: Walk, place: QpPlace): Act {
  const there = placeOf({ ...place, hasSends: true });
  const receives = place.queue === 'SRQ' ? [] : ['ibv_post_recv of a list'];
  const goals = ['ibv_post_send', 'ibv_post_send of a list', ...receives].map((operation): Cell => ({
    ...there,
    operation,
    outcome: 'done',
  }));
  return {
    situation: { ...there, operation: 'calls one after another' },
    goals,
    make: async () => {
      const rig = await bring(w, place);
      if (rig === undefined) return;
      const { client } = rig;
      if (place.state === 'RTS') await postReceives(w, client.peer, [16, 16, 16, 16]);
      for (const count of [1, 1, 2]) await postAtOnce(w, client, count);
      if (place.queue !== 'SRQ') await postReceives(w, client, [32, 32]);
      else if (place.state === 'ERR') await modifyQp(w, client, { qpState: 'IBV_QPS_ERR' });
      await w.settle();
    },
  };
}

async function postAtOnce(w: Walk, qp: Qp, count: number): Promise<void> {
  const messages = Array.from({ length: count }, () =>
    messageOf(w, qp, 'IBV_WR_SEND', { length: 16, flags: ['IBV_SEND_SIGNALED'] }),
  );
  await w.call('ibv_post_send', { qp: of(qp.name), wrs: messages.map((message) => wrOf(w, qp, message)) });
}
