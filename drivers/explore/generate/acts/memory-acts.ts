import type { Act } from '../aim';
import { senders } from '../moves/move';
import { makeRoomIn } from '../moves/room';
import { recoverPair } from '../moves/sharing';
import { makeRegion } from '../objects';
import { messageOf, wrOf } from '../work';
import { member, of, type Qp, type Walk } from '../walk';

const rights = [
  [],
  ['WRITE'],
  ['READ'],
  ['ATOMIC'],
  ['WRITE', 'READ'],
  ['READ', 'ATOMIC'],
  ['WRITE', 'READ', 'ATOMIC'],
];

const use = { write: 'IBV_WR_RDMA_WRITE', read: 'IBV_WR_RDMA_READ', atomic: 'IBV_WR_ATOMIC_FETCH_AND_ADD' } as const;

/** Regions of each kind that a peer uses and that end at once, and windows. */
export function memoryActs(w: Walk): Act[] {
  const kinds = rights.filter((granted) => w.has('atomics') || !granted.includes('ATOMIC'));
  const windows = w.has('memory-windows') ? [unboundWindow(w)] : [];
  return [...kinds.flatMap((granted) => [ending(w, granted), ...uses(w, granted)]), ...windows];
}

const stateOf = (granted: readonly string[]): string =>
  granted.length === 0 ? 'region for nobody else' : `region for ${granted.join(', ').toLowerCase()} of peers`;

const region = (w: Walk, granted: readonly string[]) =>
  makeRegion(w, ['IBV_ACCESS_LOCAL_WRITE', ...granted.map((right) => `IBV_ACCESS_REMOTE_${right}`)]);

function ending(w: Walk, granted: readonly string[]): Act {
  return {
    situation: { kind: 'memory', state: stateOf(granted), operation: 'ibv_dereg_mr' },
    make: async () => {
      const { mr } = await region(w, granted);
      await w.call('ibv_dereg_mr', { mr: of(mr) });
    },
  };
}

function uses(w: Walk, granted: readonly string[]): Act[] {
  const qp = senders(w).find(({ type, peer }) => type === 'IBV_QPT_RC' && peer.state === 'RTS');
  if (qp === undefined || !w.backend.isQuiet) return [];
  return (['write', 'read', 'atomic'] as const)
    .filter((access) => access !== 'atomic' || w.has('atomics'))
    .map((access) => ({
      situation: { kind: 'memory', state: stateOf(granted), operation: `${access} by a peer` },
      make: () => reach(w, qp, access, granted),
    }));
}

/** Reaches into a region that may refuse that, after which both QPs are in the error state. */
async function reach(w: Walk, qp: Qp, access: keyof typeof use, granted: readonly string[]): Promise<void> {
  const { peer } = qp;
  for (const cq of new Set([qp.sendCq, qp.recvCq, peer.sendCq, peer.recvCq])) {
    if (!(await makeRoomIn(w, cq, 2 + w.ownReceived(qp) + w.ownReceived(peer)))) return;
  }
  const { mr } = await region(w, granted);
  const message = messageOf(w, qp, use[access], { length: access === 'atomic' ? 8 : 16, flags: ['IBV_SEND_SIGNALED'] });
  const target = { addr: member(mr, 'addr', 64), rkey: member(mr, 'rkey') };
  await w.call('ibv_post_send', { qp: of(qp.name), wrs: [wrOf(w, qp, message, target)] });
  await w.settle();
  if (granted.includes(access.toUpperCase())) return;
  await recoverPair(w, qp);
}

function unboundWindow(w: Walk): Act {
  return {
    situation: { kind: 'memory', state: 'window, not bound', operation: 'ibv_dealloc_mw' },
    make: async () => {
      const mw = w.name('mw');
      await w.call('ibv_alloc_mw', { pd: of(w.pd), type: 'IBV_MW_TYPE_2' }, mw);
      await w.call('ibv_dealloc_mw', { mw: of(mw) });
    },
  };
}
