/** Behind the last completion of a batch, where ibv_next_poll() has found no more: a device may lose its place there. */
export const behindTheLast = 'ibv_create_cq_ex.next-error-needs-end';

/** A CQ that ignores overruns is asked for where the device makes one. */
export const ignoringOverruns = 'ibv_create_cq_ex.flag-ignore-overrun-no-error';

/** A send with IBV_SEND_FENCE and what is posted with it are not given up where the peer does not answer. No page has a clause about it. */
export const fencedSendStays = 'a send with IBV_SEND_FENCE that nobody answers';

/** A QP waits for the window that is bound to it, and is left behind. No page has a clause about it. */
export const windowKeepsItsQp = 'a QP that ends before the window that is bound to it';

/** The kernel dies of it: a window that was bound and is no more is invalidated. No page has a clause about it. */
export const secondInvalidation = 'a window whose R_Key is invalidated again';

/** A window that was bound through a send queue is not bound a second time. No page has a clause about it. */
export const secondBinding = 'a window whose R_Key was invalidated is bound again';

/** A send that is posted in IBV_QPS_SQD, or just before, is not begun in IBV_QPS_RTS. No page has a clause about it. */
export const sendOfSqdStays = 'a send that is posted in IBV_QPS_SQD';

/** An SRQ that is created with a limit has that limit. */
export const limitAtCreation = 'ibv_create_srq.attr-limit-irrelevant';

/** It is not done, and the QP fails. No page has a clause about it. */
export const localInvalidationOfUc = 'IBV_WR_LOCAL_INV on a QP of IBV_QPT_UC';

/** A list of sends that the kernel refuses, in which state of the QP soever, is done or flushed later. No page has a clause about it. */
export const refusedSendStays = 'sends that are refused without a bad_wr';

/** The link of the port is not for a program to move: others use it, or nobody here can. */
export const linkOfOthers = 'the link of the port is moved by programs';

export const hasLinkOfOthers = (avoided: ReadonlySet<string>): boolean => avoided.has(linkOfOthers);

/** What says nothing of notifications and events. */
const besideEvents: ReadonlySet<string> = new Set([
  behindTheLast,
  ignoringOverruns,
  fencedSendStays,
  windowKeepsItsQp,
  localInvalidationOfUc,
  secondBinding,
  secondInvalidation,
  sendOfSqdStays,
  refusedSendStays,
  linkOfOthers,
]);

/** Whether notifications and events go as anywhere on a device around these of whose clauses programs are made. */
export function notifiesAsAny(avoided: ReadonlySet<string>): boolean {
  return [...avoided].every((clause) => besideEvents.has(clause));
}
