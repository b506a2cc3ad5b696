import { isList, isSameData, isStruct, type Comparison, type Data } from '../../../drivers/contract';
import { membersOf } from './members';

/** What of completions failures show to differ, by the keys of scenarios: `wr_id`, `wc_flags`, or how many there are. */
export type Differing = ReadonlyMap<string, ReadonlySet<string>>;

/** How many completions there are, which is no member of one. */
const howMany = 'count';
const aboutOne = /^(\w+) of the CQEs/;
const aboutAll = 'members of the CQEs';
const aboutCount = /^CQEs (?:that|of) .* (?:gave|beyond those expected)$/;

/** What a comparison of completions shows to differ; nothing of any other. */
export function differingIn(comparison: Comparison | undefined): ReadonlySet<string> {
  const { subject = '', expected = null, observed = null } = comparison ?? {};
  if (subject.startsWith(aboutAll)) return membersThatDiffer(expected, observed);
  if (aboutCount.test(subject)) return new Set([howMany]);
  const [, member] = aboutOne.exec(subject) ?? [];
  return new Set(member === undefined ? [] : [member]);
}

function membersThatDiffer(expected: Data, observed: Data): ReadonlySet<string> {
  if (!isList(expected) || !isList(observed) || expected.length !== observed.length) return new Set([howMany]);
  return new Set(
    expected.flatMap((one, index) => {
      const other = observed[index];
      if (!isStruct(one) || !isStruct(other)) return [];
      return Object.keys(one).flatMap((name) => (isSameData(one[name], other[name]) ? [] : [memberOf(name)]));
    }),
  );
}

/** Flags are compared one by one. */
const memberOf = (name: string): string => (/IBV_WC_|wc_flags/.test(name) ? 'wc_flags' : name);

/** How much a rule counts whose members no failure shows to differ, and one whose members all show that show any. */
const counts = { least: 0.1, most: 4 } as const;

/** How likely rules are to be broken by the members of completions that they are about. */
export class MemberEvidence {
  /** By the member: in which part of the failures that show anything of completions it differs. */
  readonly #shares = new Map<string, number>();
  readonly #isKnown: boolean;

  /** @param open - the keys of the scenarios that failed */
  constructor(open: Iterable<string>, differing: Differing | undefined) {
    this.#isKnown = differing !== undefined;
    const shown = [...open].flatMap((key) => differing?.get(key) ?? []).filter(({ size }) => size > 0);
    for (const member of shown.flatMap((members) => [...members]))
      this.#shares.set(member, (this.#shares.get(member) ?? 0) + 1 / shown.length);
  }

  /** How much rules count; 1 for those about no member, or where nobody knows what differs. */
  weightOf(rules: readonly string[]): number {
    const members = [...membersOf(rules)];
    if (!this.#isKnown || members.length === 0) return 1;
    const share = members.reduce((sum, member) => sum + (this.#shares.get(member) ?? 0), 0) / members.length;
    return counts.least + (counts.most - counts.least) * share;
  }
}
