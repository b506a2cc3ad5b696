/** Rules that are about what a systematic fault spoils, by the beginnings of their clause ids: other catches are luck. */
const aboutPieces: readonly (readonly [piece: RegExp, rules: RegExp])[] = [
  [/^(Cq\.request|notification|solicitation)$/, /^ibv_(req_notify_cq|get_cq_event)\.|\.channel-used$/],
  [/^Cq\.compEvents/, /^ibv_get_cq_event\./],
  [/asyncEvents\.owed$|^AsyncEvents\.(events|forgotten)/, /^ibv_get_async_event\./],
  [/^Cq\.cqContext$/, /context/],
  [/^Cq\.channel$|^CompChannel\.(events|cqs)$/, /^ibv_(req_notify_cq|get_cq_event|create_comp_channel)\.|channel/],
  [/descriptor\./, /\.fd-|descriptor|block/],
  [/^(Cq\.cqes|completion)$/, /^ibv_(poll_cq|resize_cq|create_cq_ex)\./],
  [/^Cq\.(capacity|overrun|init\.ignoreOverrun)$/, /cqe|size|overrun|resize|backlog|enlarge|shrink/],
  [/^Cq\.moderation/, /^ibv_modify_cq\./],
  [/^Cq\.users$/, /destroy/],
  [/^CqIterator\./, /^ibv_create_cq_ex\./],
  [/^wc\./, /^ibv_(poll_cq|create_cq_ex)\./],
];

/** Whether a rule is about a piece of state. Of objects without a page of their own yet, each rule is that uses them. */
export function isAbout(piece: string, rule: string): boolean {
  const [, rules] = aboutPieces.find(([pieces]) => pieces.test(piece)) ?? [];
  return rules === undefined || rules.test(rule);
}
