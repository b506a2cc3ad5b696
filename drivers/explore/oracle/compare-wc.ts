import { unwrittenWord, type TraceStruct, type TraceValue } from '../../contract';
import type { ProgramRecord } from '../../programs/program';
import type { CallOp } from '../../programs/program';
import { isReference } from '../../programs/program';
import { wcFlags } from '../../verbs/cq';
import { isValidMember } from '../../verbs/wc-members';
import { shown } from '../shown';
import type { Guide } from '../model/guide';
import { knownForStatus } from '../model/known/other-status';
import type { Part } from './difference';

/** What they say is of the path. */
const pathMembers = ['slid', 'sl', 'dlidPathBits'];

/** Members of which pages say what they are, in the order in which they are looked at. */
const members = [
  'wrId',
  'status',
  'qpNum',
  'opcode',
  'byteLen',
  'wcFlags',
  'immData',
  'invalidatedRkey',
  'srcQp',
  'vendorErr',
  ...pathMembers,
];

const receives: ReadonlySet<unknown> = new Set(['IBV_WC_RECV', 'IBV_WC_RECV_RDMA_WITH_IMM']);
const answered: ReadonlySet<unknown> = new Set(['IBV_WC_RDMA_READ', 'IBV_WC_COMP_SWAP', 'IBV_WC_FETCH_ADD']);

/** Compares a CQE, or what was read of it, with that of the model. */
export function differenceOfWc(
  guide: Guide,
  expected: TraceStruct,
  observed: TraceStruct,
  place: string,
): Part | undefined {
  for (const member of members) {
    const value = observed[member];
    if (value === undefined) continue;
    const found = differenceOfMember(guide, member, expected, value);
    if (found !== undefined) return { what: `${place}.${member}`, expected: found.expected, observed: value };
  }
  return undefined;
}

interface Expected {
  readonly expected: TraceValue;
}

function differenceOfMember(
  guide: Guide,
  member: string,
  expected: TraceStruct,
  value: TraceValue,
): Expected | undefined {
  const wanted = expected[member] ?? null;
  if (member === 'vendorErr') return differenceOfVendorErr(expected, value);
  if (member === 'status') return sameStatus(guide, expected, value) ? undefined : { expected: wanted };
  const { status = null, wcFlags: flags = [], opcode = null } = expected;
  const qpType = typeOfQp(guide, expected.qpNum);
  if (!isValidMember(member, { status, wcFlags: flags, qpType: qpType ?? 'IBV_QPT_RC' })) {
    if (wanted !== value) guide.ledger.take('undefined-member');
    return undefined;
  }
  if (pathMembers.includes(member)) return differenceOfPath(guide, member, opcode, qpType, value);
  switch (member) {
    case 'byteLen':
      if (!receives.has(opcode) && !answered.has(opcode)) {
        if (wanted !== value) guide.ledger.take('send-member');
        return undefined;
      }
      break;
    case 'wcFlags':
      return differenceOfFlags(guide, receives.has(opcode), qpType === 'IBV_QPT_UD', wanted, value);
    case 'qpNum':
    case 'srcQp':
      return guide.isSameQp(wanted, value) ? undefined : { expected: wanted };
    case 'immData':
      if (!receives.has(opcode)) return undefined;
      break;
    case 'invalidatedRkey':
      return keyOf(guide, value) === keyOf(guide, wanted, 'model') ? undefined : { expected: wanted };
  }
  return wanted === value ? undefined : { expected: wanted };
}

function differenceOfPath(
  guide: Guide,
  member: string,
  opcode: TraceValue,
  qpType: string | undefined,
  value: TraceValue,
): Expected | undefined {
  if (qpType !== 'IBV_QPT_UD' || !receives.has(opcode)) return undefined;
  const first = guide.path.get(member) ?? value;
  guide.path.set(member, first);
  if (value !== 0) guide.ledger.take('path-member');
  return first === value ? undefined : { expected: first };
}

/** The provider's own code, which has to be written. */
function differenceOfVendorErr({ status }: TraceStruct, value: TraceValue): Expected | undefined {
  const isUnwritten = status !== 'IBV_WC_SUCCESS' && value === unwrittenWord;
  return isUnwritten ? { expected: 'a code of the provider' } : undefined;
}

/** What becomes of a request that the QP of the peer does not let in. */
const ofForbidden: ReadonlySet<unknown> = new Set(['IBV_WC_REM_ACCESS_ERR', 'IBV_WC_REM_INV_REQ_ERR']);

/** How a receive ends that a refused message with immediate data would have taken, if it is not flushed. */
const ofRefused: ReadonlySet<unknown> = new Set(['IBV_WC_REM_ACCESS_ERR', 'IBV_WC_LOC_ACCESS_ERR']);

function sameStatus(guide: Guide, { status: wanted = null, wrId }: TraceStruct, value: TraceValue): boolean {
  if (wanted === value) return true;
  if (typeof wrId === 'bigint' && guide.forbiddenSends.has(wrId) && ofForbidden.has(wanted) && ofForbidden.has(value)) {
    guide.ledger.take('forbidden-operation');
    return true;
  }
  const isRefused = typeof wrId === 'bigint' && guide.refusedReceives.has(wrId);
  if (isRefused && wanted === 'IBV_WC_WR_FLUSH_ERR' && ofRefused.has(value)) {
    guide.ledger.take('refused-immediate');
    return true;
  }
  const isExact = wanted === 'IBV_WC_WR_FLUSH_ERR' || wanted === 'IBV_WC_SUCCESS' || value === 'IBV_WC_SUCCESS';
  if (isExact || typeof wanted !== 'string' || typeof value !== 'string') return false;
  const known = knownForStatus(guide, wanted, value);
  if (known === undefined || !guide.excuses(known)) return false;
  guide.ledger.take('coarse-status');
  return true;
}

function differenceOfFlags(
  guide: Guide,
  isReceive: boolean,
  isDatagram: boolean,
  wanted: TraceValue,
  value: TraceValue,
): Expected | undefined {
  const [own, its] = [namesIn(wanted), namesIn(value)];
  if (its.some((flag) => !(wcFlags.names as readonly string[]).includes(flag))) return { expected: wanted };
  const free = new Set(['IBV_WC_IP_CSUM_OK', ...(isDatagram && isReceive ? [] : ['IBV_WC_GRH'])]);
  if (!isReceive) free.add('IBV_WC_WITH_IMM');
  if (own.includes('IBV_WC_WITH_INV') && !its.includes('IBV_WC_WITH_INV') && guide.excuses('ibv_poll_cq.flag-with-inv'))
    free.add('IBV_WC_WITH_INV');
  for (const flag of new Set([...own, ...its])) {
    if (own.includes(flag) === its.includes(flag)) continue;
    if (!free.has(flag)) return { expected: wanted };
    guide.ledger.take(
      flag === 'IBV_WC_GRH' ? 'grh-flag' : flag === 'IBV_WC_IP_CSUM_OK' ? 'checksum-flag' : 'send-member',
    );
  }
  return undefined;
}

const namesIn = (value: TraceValue): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

/** What a reader of an extended CQ gives, as a member of a CQE. */
const readers: Readonly<Record<string, string>> = {
  opcode: 'opcode',
  vendor_err: 'vendorErr',
  byte_len: 'byteLen',
  imm_data: 'immData',
  invalidated_rkey: 'invalidatedRkey',
  qp_num: 'qpNum',
  src_qp: 'srcQp',
  wc_flags: 'wcFlags',
  slid: 'slid',
  sl: 'sl',
  dlid_path_bits: 'dlidPathBits',
};

/** Compares what a reader gave; what counts follows from the CQE on which the model's iterator stands. */
export function differenceOfReader(guide: Guide, device: ProgramRecord, model: ProgramRecord): Part | undefined {
  const member = readers[device.verb.replace('ibv_wc_read_', '')];
  const value = device.outputs.value ?? null;
  const current = model.outputs.current as TraceStruct | undefined;
  if (member === undefined || current === undefined) return undefined;
  const found = differenceOfMember(guide, member, current, value);
  return found === undefined ? undefined : { what: 'value', expected: found.expected, observed: value };
}

/** The type of the QP with that number in the model. */
function typeOfQp(guide: Guide, qpNum: TraceValue | undefined): string | undefined {
  const name = guide.nameOfQp(qpNum);
  const made = guide.observation.calls.find(({ as, call }) => as === name && call === 'ibv_create_qp');
  return made === undefined ? undefined : typeIn(made);
}

function typeIn({ args }: CallOp): string | undefined {
  const init = args.qpInitAttr;
  if (typeof init !== 'object' || init === null || Array.isArray(init) || isReference(init)) return undefined;
  const { qpType } = init as { readonly qpType?: unknown };
  return typeof qpType === 'string' ? qpType : undefined;
}

/** An R_Key by the name of the window that it is of, and by how much the program has changed the 8 bits that it may choose. */
function keyOf(guide: Guide, value: TraceValue, side: 'device' | 'model' = 'device'): string {
  if (typeof value !== 'number') return shown(value);
  const base = guide.keyNear(side, value);
  return base === undefined ? String(value) : `${base.name}+${(value - base.key) & 0xff}`;
}
