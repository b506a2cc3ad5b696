import { descriptionOf, isVerbName } from '../verbs';
import type { Difference } from './oracle/difference';

/** Clauses of members of a completion, by the names of the members. */
const members: Readonly<Record<string, string>> = {
  wrId: 'field-wr-id',
  status: 'field-status',
  opcode: 'field-opcode',
  vendorErr: 'error-valid-vendor-err',
  byteLen: 'field-byte-len',
  immData: 'field-imm-data',
  invalidatedRkey: 'field-invalidated-rkey',
  qpNum: 'field-qp-num',
  srcQp: 'field-src-qp',
  wcFlags: 'field-wc-flags',
};

/** The clause that a difference is nearest to: that of the member, or the page of the function. */
export function clauseOf({ verb, what }: Pick<Difference, 'verb' | 'what'>): string {
  const member = members[what.replace(/^wc(\[\d+\])?\.?/, '')];
  if (member !== undefined && verb !== 'call') return `ibv_poll_cq.${member}`;
  if (verb.startsWith('ibv_wc_read_')) return `ibv_create_cq_ex.${verb.replace(/^ibv_wc_/, '').replaceAll('_', '-')}`;
  return isVerbName(verb) ? (descriptionOf(verb).page ?? verb) : verb;
}
