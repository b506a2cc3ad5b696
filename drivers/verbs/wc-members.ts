import type { Wc } from './cq';

/** What decides which members of a completion count. */
export interface CompletionFacts {
  readonly status: unknown;
  readonly wcFlags: unknown;
  /** Type of its QP, where that is known. */
  readonly qpType?: string;
}

type Member = keyof Wc;

const validAfterError: ReadonlySet<string> = new Set<Member>(['wrId', 'status', 'qpNum', 'vendorErr']);
const validAfterErrorAlone: ReadonlySet<string> = new Set<Member>(['vendorErr']);
const validWithFlag = new Map<string, string>([
  ['immData', 'IBV_WC_WITH_IMM'],
  ['invalidatedRkey', 'IBV_WC_WITH_INV'],
] satisfies [Member, string][]);
const validOfUd: ReadonlySet<string> = new Set<Member>(['srcQp', 'pkeyIndex', 'slid', 'sl', 'dlidPathBits']);

/** Whether ibv_poll_cq(3) makes a member of a completion valid; of a QP that nobody knows, any may be. */
export function isValidMember(member: string, { status, wcFlags, qpType }: CompletionFacts): boolean {
  if (status !== 'IBV_WC_SUCCESS') return validAfterError.has(member);
  if (validAfterErrorAlone.has(member)) return false;
  const flag = validWithFlag.get(member);
  if (flag !== undefined) return Array.isArray(wcFlags) && wcFlags.includes(flag);
  return !validOfUd.has(member) || qpType === undefined || qpType === 'IBV_QPT_UD';
}
