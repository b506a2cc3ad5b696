import type { Act } from '../aim';
import { destroySrq } from '../moves/destroying';
import { postReceives } from '../work';
import { of, type Srq, type Walk } from '../walk';
import { actOf, withGoal } from './act';

/** All that a program may do with its SRQs. */
export function srqActs(w: Walk): Act[] {
  return w.backend.isQuiet ? w.srqs.flatMap((srq) => [...uses(w, srq), ...destruction(w, srq)]) : [];
}

function uses(w: Walk, srq: Srq): Act[] {
  const [user] = srq.users;
  if (user === undefined) return [];
  const posts = [1, 2].map((count) => {
    const wrs = Array.from({ length: count }, () => ({ wrId: '0x1', sgList: [] }));
    return actOf(w, 'ibv_post_srq_recv', { srq: of(srq.name), wrs }, () =>
      postReceives(w, user, Array<number>(count).fill(32)),
    );
  });
  // Whether a limit above what is posted raises its event at once, no page says.
  const limits = w.received(user) > 0 ? [0, 1] : [0];
  const modified = limits.map((srqLimit) =>
    actOf(w, 'ibv_modify_srq', { srq: of(srq.name), srqAttr: { srqLimit }, srqAttrMask: ['IBV_SRQ_LIMIT'] }),
  );
  const resized = actOf(w, 'ibv_modify_srq', {
    srq: of(srq.name),
    srqAttr: { maxWr: 100 },
    srqAttrMask: ['IBV_SRQ_MAX_WR'],
  });
  return [...posts, ...modified, resized, actOf(w, 'ibv_query_srq', { srq: of(srq.name) })];
}

/** An SRQ that a QP uses is as it was afterwards. */
function destruction(w: Walk, srq: Srq): Act[] {
  const args = { srq: of(srq.name) };
  if (srq.users.size > 0) return [withGoal(actOf(w, 'ibv_destroy_srq', args), 'EBUSY')];
  return [actOf(w, 'ibv_destroy_srq', args, () => destroySrq(w, srq))];
}
