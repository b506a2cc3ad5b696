import { dutName } from '../../../../programs/bindings';
import type { ProgramStruct, ProgramValue } from '../../../../programs/program';
import { pathToSelf, qkey, rightsOf } from '../../objects';
import { isAtomic, opcodesOf, type Opcode } from '../../work';
import { member, type Qp, type QpState, type QpType, type Walk } from '../../walk';

/** What a QP is given in one life, beside what names its path and its peer. */
export interface Attributes {
  readonly sqPsn: number;
  readonly qkey: number;
  readonly qpAccessFlags: readonly string[];
  readonly minRnrTimer: number;
  readonly timeout: number;
  readonly retryCnt: number;
  readonly rnrRetry: number;
  readonly maxRdAtomic: number;
  readonly maxDestRdAtomic: number;
}

/** One end of a connection: a QP, what it was given last, and the path MTU that both ends have. */
export interface End {
  readonly qp: Qp;
  readonly mtu: ProgramValue;
  attributes: Attributes;
}

/** The ends of what each attribute takes. More reads than 4 at once a device need not take. */
const boundaries = {
  sqPsn: [0, 1, 0x7f_ffff, 0x80_0000, 0xff_fffe, 0xff_ffff],
  qkey: [0, 1, 0x7fff_ffff, 0x4000_0000, qkey],
  minRnrTimer: [0, 1, 16, 31],
  timeout: [0, 1, 14, 14, 31],
  retryCnt: [0, 1, 6, 7],
  rnrRetry: [0, 1, 6, 7],
  maxRdAtomic: [0, 1, 2, 3, 4],
  maxDestRdAtomic: [0, 1, 2, 3, 4],
} as const satisfies Readonly<Partial<Record<keyof Attributes, readonly number[]>>>;

const mtus: readonly ProgramValue[] = ['IBV_MTU_256', member(dutName, 'mtu')];

/** A path MTU for both ends of a connection. */
export const someMtu = ({ chance }: Walk): ProgramValue => chance.pick(mtus) ?? 'IBV_MTU_256';

const numberOf = ({ chance }: Walk, name: keyof typeof boundaries): number =>
  chance.pick<number>(boundaries[name]) ?? 0;

/** One subset of what a peer may be let do. */
function someRights(w: Walk): readonly string[] {
  const known = rightsOf(w);
  const subset = w.chance.below(1 << known.length);
  return known.filter((_, bit) => (subset >> bit) % 2 === 1);
}

/** Values for all attributes, each at one of its ends. */
export function someAttributes(w: Walk): Attributes {
  return {
    sqPsn: numberOf(w, 'sqPsn'),
    qkey: numberOf(w, 'qkey'),
    qpAccessFlags: someRights(w),
    minRnrTimer: numberOf(w, 'minRnrTimer'),
    timeout: numberOf(w, 'timeout'),
    retryCnt: numberOf(w, 'retryCnt'),
    rnrRetry: numberOf(w, 'rnrRetry'),
    maxRdAtomic: numberOf(w, 'maxRdAtomic'),
    maxDestRdAtomic: numberOf(w, 'maxDestRdAtomic'),
  };
}

type Names = readonly (keyof Attributes)[];

const rights = ['qpAccessFlags'] as const satisfies Names;
const ofRequester = ['timeout', 'retryCnt', 'rnrRetry', 'maxRdAtomic'] as const satisfies Names;
const ofReliable = [...ofRequester, 'maxDestRdAtomic', 'minRnrTimer', ...rights] as const satisfies Names;

/** On the way to IBV_QPS_RTS and in it, and while it is drained, those that may be changed. */
const changeable: Readonly<Record<'RTS' | 'SQD', Readonly<Record<QpType, Names>>>> = {
  RTS: { IBV_QPT_RC: ['minRnrTimer', ...rights], IBV_QPT_UC: rights, IBV_QPT_UD: ['qkey'] },
  SQD: { IBV_QPT_RC: ofReliable, IBV_QPT_UC: rights, IBV_QPT_UD: ['qkey'] },
};

const partOf = (attributes: Attributes, names: Names): Partial<Attributes> =>
  Object.fromEntries(names.map((name) => [name, attributes[name]]));

/** A change of some of the attributes that may be changed on the way to a state, or in it. */
export function someChange(w: Walk, { qp }: End, state: 'RTS' | 'SQD'): Partial<Attributes> {
  return partOf(someAttributes(w), w.chance.some(changeable[state][qp.type], 0.6));
}

/** What an end needs on its way to a state. */
export function neededFor(state: QpState, { qp, mtu, attributes }: End, other: End): ProgramStruct {
  const [isUd, isReliable] = [qp.type === 'IBV_QPT_UD', qp.type === 'IBV_QPT_RC'];
  if (state === 'INIT') {
    const port = { pkeyIndex: member(dutName, 'pkeyIndex'), portNum: member(dutName, 'portNum') };
    return { ...port, ...(partOf(attributes, isUd ? ['qkey'] : rights) as ProgramStruct) };
  }
  if (state === 'RTR' && !isUd) {
    const path = { pathMtu: mtu, destQpNum: member(other.qp.name, 'qpNum'), ahAttr: pathToSelf };
    const own = isReliable ? partOf(attributes, ['maxDestRdAtomic', 'minRnrTimer']) : {};
    return { ...path, rqPsn: other.attributes.sqPsn, ...(own as ProgramStruct) };
  }
  if (state !== 'RTS') return {};
  return { ...partOf(attributes, isReliable ? ['sqPsn', ...ofRequester] : ['sqPsn']) };
}

/** Whether an end may send: with the shortest timeout an answer may come too late. */
export const maySend = ({ qp, attributes }: End): boolean => qp.type !== 'IBV_QPT_RC' || attributes.timeout !== 1;

function rightFor(opcode: Opcode): string | undefined {
  if (isAtomic(opcode)) return 'IBV_ACCESS_REMOTE_ATOMIC';
  if (opcode === 'IBV_WR_RDMA_READ') return 'IBV_ACCESS_REMOTE_READ';
  return opcode.includes('WRITE') ? 'IBV_ACCESS_REMOTE_WRITE' : undefined;
}

/** The opcodes that an end can be asked for, of those that the other one lets it do, or of those that it does not. */
export function opcodesBetween(w: Walk, from: End, to: End, isLet: boolean): readonly Opcode[] {
  const { maxRdAtomic } = from.attributes;
  const reads = maxRdAtomic > 0 && maxRdAtomic <= to.attributes.maxDestRdAtomic;
  return opcodesOf(w, from.qp).filter((opcode) => {
    const right = rightFor(opcode);
    const isAnswered = isAtomic(opcode) || opcode === 'IBV_WR_RDMA_READ';
    if (isAnswered && !reads) return false;
    return (right === undefined || to.attributes.qpAccessFlags.includes(right)) === isLet;
  });
}
