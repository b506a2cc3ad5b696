import type { Cell, Situation } from '../../coverage/cell';
import { ignoringOverruns } from '../avoided';
import { arm, drain, getEvent, poll } from '../completions';
import type { Act } from '../aim';
import { destroyCq, destroyQp } from '../moves/destroying';
import { soundCqs } from '../moves/move';
import { postReceives } from '../work';
import { callOp, of, type Cq, type Walk } from '../walk';
import { actOf, withGoal } from './act';
import { canRig, clearAsync, connect, hasRoomForRig, makeRig, move, sendTo, type Rig } from './rig';

const requests = ['not armed', 'armed for any', 'armed for solicited'] as const;
const levels = ['empty', 'some CQEs', 'full'] as const;
const arriving = ['not solicited', 'solicited', 'failed'] as const;

/** A state of a CQ, as cells have it. */
interface CqState {
  readonly request: (typeof requests)[number];
  readonly level: (typeof levels)[number] | 'overrun';
  readonly owes: boolean;
}

const nameOf = ({ request, level, owes }: CqState): string =>
  [request, level, ...(owes ? ['acks owed'] : [])].join(', ');

/** Entries of the CQs that are brought into states. */
const cqe = 2;

/** Brings a CQ of its own into each state, where it is known what it does; there other acts go on. */
export function cqStateActs(w: Walk): Act[] {
  if (!canReach(w)) return [];
  const states = requests.flatMap((request) =>
    levels.flatMap((level) => [false, true].map((owes): CqState => ({ request, level, owes }))),
  );
  const ways = states.map((state): Act => {
    const leadsTo = { kind: 'CQ', state: nameOf(state) } as const;
    return { situation: { ...leadsTo, operation: 'a way there' }, leadsTo, make: () => bring(w, state) };
  });
  return [...ways, ...overruns(w)];
}

const canReach = (w: Walk): boolean =>
  hasRoomForRig(w) &&
  canRig(w, 'IBV_QPT_RC') &&
  w.has('cq-notifications') &&
  w.has('solicited-events') &&
  w.has('arm-ignores-backlog') &&
  w.has('arm-before-get');

async function bring(w: Walk, { request, level, owes }: CqState, ignoresOverrun = false): Promise<Rig | undefined> {
  const rig = await makeRig(w, { type: 'IBV_QPT_RC', cqe, hasChannel: true, ignoresOverrun });
  if (rig?.channel === undefined) return undefined;
  const { cq, channel, client } = rig;
  await connect(w, rig);
  for (let events = owes ? w.chance.one(1, 2) : 0; events > 0; events--) {
    await arm(w, cq, 0);
    await sendTo(w, client);
    if (w.queued(channel) > 0) await getEvent(w, channel);
    await drain(w, cq);
  }
  const { size } = w.backend.cq(w.handle(cq.name));
  const count = level === 'empty' ? 0 : level === 'some CQEs' ? 1 : size;
  for (let sent = 0; sent < count; sent++) await sendTo(w, client);
  if (request !== 'not armed') await arm(w, cq, request === 'armed for any' ? 0 : 1);
  return rig;
}

/** CQEs of each kind that find no room in a CQ, which is lost or keeps the newest ones. */
function overruns(w: Walk): Act[] {
  const canIgnore = w.has('extended-cq') && !w.avoided.has(ignoringOverruns);
  return requests.flatMap((request) =>
    arriving.flatMap((kind) => [
      ...[false, true].map((owes) => overrunning(w, { request, level: 'full', owes }, kind)),
      ...(canIgnore ? [replacing(w, { request, level: 'full', owes: false }, kind)] : []),
    ]),
  );
}

const comes = (kind: string): string => `a CQE comes, ${kind}`;

function overrunning(w: Walk, state: CqState, kind: (typeof arriving)[number]): Act {
  const on = (level: CqState['level']): Pick<Situation, 'kind' | 'state'> => ({
    kind: 'CQ',
    state: nameOf({ ...state, level }),
  });
  const goals: Cell[] = [
    { ...on('full'), operation: comes(kind), outcome: 'overruns' },
    { ...on('overrun'), operation: comes(kind), outcome: 'is lost' },
    { ...on('overrun'), operation: 'ibv_destroy_cq', outcome: state.owes ? 'done after a wait' : 'done' },
  ];
  return {
    situation: { ...on('full'), operation: `${comes(kind)}, without room` },
    goals,
    make: async () => {
      await clearAsync(w);
      const rig = await bring(w, state);
      if (rig === undefined) return;
      await flood(w, rig, kind);
      await endOverrun(w, rig);
    },
  };
}

/** As many CQEs of a kind as find no room in any CQ of that size. */
async function flood(w: Walk, { cq, client, server }: Rig, kind: (typeof arriving)[number]): Promise<void> {
  const count = 2 * w.backend.cq(w.handle(cq.name)).size + 4;
  if (kind === 'failed') {
    await postReceives(w, server, Array<number>(count).fill(16));
    await move(w, server, 'ERR');
    return;
  }
  const flags = kind === 'solicited' ? ['IBV_SEND_SOLICITED'] : [];
  for (let sent = 0; sent < count; sent++) await sendTo(w, client, { flags });
}

/** Looks at a CQ that cannot be used any more, and ends it, with what it owes; nothing is known of its QPs. */
async function endOverrun(w: Walk, { cq, client, server }: Rig): Promise<void> {
  for (const numEntries of [1, 4]) await poll(w, cq, numEntries);
  for (const verb of ['struct ibv_cq', 'ibv_destroy_cq'] as const) await w.call(verb, { cq: of(cq.name) });
  await clearAsync(w);
  for (const qp of [client, server]) await destroyQp(w, qp, { keepsCqes: true });
  await destroyCq(w, cq, { waits: true });
  w.isOver = true;
}

function replacing(w: Walk, state: CqState, kind: (typeof arriving)[number]): Act {
  const isMatch =
    state.request === 'armed for any' || (state.request === 'armed for solicited' && kind !== 'not solicited');
  const full = { kind: 'CQ', state: nameOf(state) } as const;
  return {
    situation: { ...full, operation: `${comes(kind)}, instead of another` },
    goals: [{ ...full, operation: comes(kind), outcome: `replaces the oldest, ${isMatch ? 'event' : 'no event'}` }],
    make: async () => {
      const rig = await bring(w, state, true);
      if (rig === undefined) return;
      await flood(w, rig, kind);
      for (let polls = 0; polls < 2; polls++) await poll(w, rig.cq, 8);
      for (const qp of [rig.client, rig.server]) await destroyQp(w, qp, { keepsCqes: true });
      await destroyCq(w, rig.cq, { waits: true });
    },
  };
}

/** CQs end in the state in which they are, after the QPs that use them where these are few; before these they do not. */
export function cqEndings(w: Walk): Act[] {
  if (!w.backend.isQuiet) return [];
  return soundCqs(w).flatMap((cq) => [
    ...(cq.users.size > 0 ? [withGoal(actOf(w, 'ibv_destroy_cq', { cq: of(cq.name) }), 'EBUSY')] : []),
    ...(cq.users.size <= 2 && !cq.isInBatch ? [ending(w, cq)] : []),
  ]);
}

function ending(w: Walk, cq: Cq): Act {
  const now = w.situationOf(callOp('ibv_destroy_cq', { cq: of(cq.name) }));
  const outcomes = cq.unacked > 0 ? ['waits', 'done after a wait'] : ['done'];
  return {
    situation: now && { ...now, operation: `${now.operation}, after its QPs` },
    ...(now && { goals: outcomes.map((outcome): Cell => ({ ...now, outcome })) }),
    make: async () => {
      await clearAsync(w);
      for (const qp of [...cq.users]) await destroyQp(w, qp, { keepsCqes: true });
      await destroyCq(w, cq, { waits: true });
    },
  };
}
