import type { Capability } from '../../contract';

/** What only a device with an ability comes to, by the keys of cells. */
const needs: readonly (readonly [Capability, RegExp])[] = [
  ['cq-moderation', /ibv_modify_cq of moderation|a period of moderation/],
  ['cq-moderation', /^CQ \| armed for any.*a CQE comes.*no event/],
  ['cq-moderation', /^CQ \| armed for solicited.*a CQE comes, (failed|solicited).*no event/],
  ['completion-timestamps', /read_completion_ts|read_completion_wallclock_ns/],
  ['extended-cq', /^batch of an extended CQ|ibv_create_cq_ex/],
  ['resize-cq', /ibv_resize_cq/],
  ['solicited-events', /armed for solicited/],
  ['sq-drain', /\bSQD\b|IBV_QPS_SQD|IBV_EVENT_SQ_DRAINED/],
  ['memory-windows', /^memory \| window|IBV_WR_BIND_MW|ibv_alloc_mw/],
  ['send-with-invalidate', /IBV_WR_SEND_WITH_INV/],
  ['atomics', /IBV_WR_ATOMIC/],
  ['inline', /IBV_SEND_INLINE/],
  ['uc', /\| UC\b/],
  ['ud', /\| UD\b|ibv_create_ah|ibv_destroy_ah/],
  ['srq', /^SRQ|\bSRQ\b|IBV_EVENT_SRQ|IBV_EVENT_QP_LAST_WQE_REACHED/],
  ['port-control', /IBV_EVENT_PORT_(ERR|ACTIVE)/],
];

/** The abilities of which cells need some. */
export const neededAbilities: readonly Capability[] = [...new Set(needs.map(([ability]) => ability))];

/** Whether a device with these abilities can come to a cell, which is named by its key. */
export function isWithin(key: string, capabilities: readonly Capability[]): boolean {
  return needs.every(([ability, cells]) => capabilities.includes(ability) || !cells.test(key));
}
