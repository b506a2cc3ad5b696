/** Rules about a member of a completion, by their slugs: `field-wr-id`, `read-wr-id`, `direct-wr-id`, `error-valid-wr-id`. */
const ofMember = /^ibv_(?:poll_cq|create_cq_ex)\.(?:field|read|direct|wcflag|error-valid)-(.*?)(?:-ud-only)?$/;
const ofFlags = /^ibv_poll_cq\.(?:flag-|wc-flags)/;
const ofUnion = 'ibv_poll_cq.field-imm-inv-union';

/** Members of a completion that rules are about: `wr_id`, `imm_data`. */
export function membersOf(rules: readonly string[]): ReadonlySet<string> {
  return new Set(
    rules.flatMap((id) => {
      if (id === ofUnion) return ['imm_data', 'invalidated_rkey'];
      if (ofFlags.test(id)) return ['wc_flags'];
      const member = ofMember.exec(id)?.[1]?.replaceAll('-', '_');
      return member === undefined ? [] : [member === 'imm' ? 'imm_data' : member];
    }),
  );
}

/** Whether rules name members, and none but these. */
export function nameOnly(rules: readonly string[], members: ReadonlySet<string>): boolean {
  const named = [...membersOf(rules)];
  return named.length > 0 && named.every((member) => members.has(member));
}
