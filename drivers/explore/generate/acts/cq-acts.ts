import { ack, ackArgs, arm, mayArm, poll, readBatch } from '../completions';
import type { Act } from '../aim';
import { destroyCq } from '../moves/destroying';
import { soundCqs } from '../moves/move';
import { member, of, type Cq, type Walk } from '../walk';
import { actOf } from './act';

/** All that a program may do with its CQs. */
export function cqActs(w: Walk): Act[] {
  return soundCqs(w).flatMap((cq) => [
    ...requests(w, cq),
    ...looks(w, cq),
    ...acks(w, cq),
    ...resizes(w, cq),
    ...moderations(w, cq),
    ...batches(w, cq),
    destruction(w, cq),
  ]);
}

function requests(w: Walk, cq: Cq): Act[] {
  return [0, 1]
    .filter((solicitedOnly) => mayArm(w, cq, solicitedOnly === 0))
    .map((solicitedOnly) =>
      actOf(w, 'ibv_req_notify_cq', { cq: of(cq.name), solicitedOnly }, () => arm(w, cq, solicitedOnly)),
    );
}

function looks(w: Walk, cq: Cq): Act[] {
  const polls = [0, 1, 4].map((numEntries) =>
    actOf(w, 'ibv_poll_cq', { cq: of(cq.name), numEntries }, () => poll(w, cq, numEntries)),
  );
  return [...polls, actOf(w, 'struct ibv_cq', { cq: of(cq.name) })];
}

function acks(w: Walk, cq: Cq): Act[] {
  const counts = [...new Set([0, Math.min(1, cq.unacked), cq.unacked])];
  return counts.map((nevents) => actOf(w, 'ibv_ack_cq_events', ackArgs(cq, nevents), () => ack(w, cq, nevents)));
}

function resizes(w: Walk, cq: Cq): Act[] {
  if (!w.has('resize-cq') || !w.backend.isQuiet) return [];
  const backlog = w.backlog(cq);
  const size = w.backend.cq(w.handle(cq.name)).size;
  const sizes = [size + 1, size, size - 1, backlog - 1].filter((cqe) => cqe > 0 && (cqe >= backlog || backlog > 1));
  const resized = [...new Set(sizes)].map((cqe) =>
    actOf(w, 'ibv_resize_cq', { cq: of(cq.name), cqe }, async () => {
      await w.call('ibv_resize_cq', { cq: of(cq.name), cqe });
      await w.call('struct ibv_cq', { cq: of(cq.name) }, `${cq.name}m`);
    }),
  );
  return [...resized, pastTheMaximum(w, cq)];
}

function pastTheMaximum(w: Walk, cq: Cq): Act {
  return actOf(w, 'ibv_resize_cq', { cq: of(cq.name), cqe: 0x7fff_ffff }, async () => {
    const attr = w.name('attr');
    await w.call('ibv_query_device', { context: of(w.context) }, attr);
    await w.call('ibv_resize_cq', { cq: of(cq.name), cqe: member(attr, 'maxCqe', 1) });
  });
}

function moderations(w: Walk, cq: Cq): Act[] {
  if (!w.backend.isQuiet) return [];
  const moderate = { cqCount: w.chance.one(2, 3), cqPeriod: 1000 };
  // A device that moderates nothing may refuse what changes nothing, and has to say so as any.
  const masks = w.has('cq-moderation') ? [['IBV_CQ_ATTR_MODERATE'], []] : [[]];
  return masks.map((attrMask) => actOf(w, 'ibv_modify_cq', { cq: of(cq.name), attr: { attrMask, moderate } }));
}

function batches(w: Walk, cq: Cq): Act[] {
  if (cq.members === undefined || cq.isInBatch) return [];
  return [actOf(w, 'ibv_start_poll', { cq: of(cq.name) }, () => readBatch(w, cq, w.chance.one(1, 2, 9)))];
}

function destruction(w: Walk, cq: Cq): Act {
  const args = { cq: of(cq.name) };
  return actOf(w, 'ibv_destroy_cq', args, cq.users.size === 0 ? () => destroyCq(w, cq) : undefined);
}
