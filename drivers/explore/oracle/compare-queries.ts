import { countingOf, type TraceStruct, type TraceValue } from '../../contract';
import { stringsOf } from '../../pipeline/values';
import type { ProgramRecord } from '../../programs/program';
import { qpAttrBits } from '../../verbs/qp';
import type { Guide } from '../model/guide';
import type { Part } from './difference';
import { atLeast, firstOf, same, sameFlags } from './parts';

type Compare = (expected: TraceStruct, observed: TraceStruct) => Part | undefined;

const remoteRights = ['IBV_ACCESS_REMOTE_WRITE', 'IBV_ACCESS_REMOTE_READ', 'IBV_ACCESS_REMOTE_ATOMIC'];

const equal = (name: keyof typeof qpAttrBits): readonly [typeof name, Compare] => [
  name,
  (expected, observed) => same(name, expected, observed),
];
const least = (name: keyof typeof qpAttrBits): readonly [typeof name, Compare] => [
  name,
  (expected, observed) => atLeast(name, expected, observed),
];

const ofAll = [equal('pkeyIndex'), equal('portNum')];
const ofConnected = [
  ...ofAll,
  equal('pathMtu'),
  equal('destQpNum'),
  ['qpAccessFlags', (expected, observed) => sameFlags('qpAccessFlags', remoteRights, expected, observed)],
] as const satisfies readonly (readonly [keyof typeof qpAttrBits, Compare])[];

/** The members that count by ibv_query_qp(3), by the type of the QP. */
const membersOf: Readonly<Record<string, readonly (readonly [keyof typeof qpAttrBits, Compare])[]>> = {
  IBV_QPT_RC: [
    ...ofConnected,
    equal('minRnrTimer'),
    equal('timeout'),
    equal('retryCnt'),
    equal('rnrRetry'),
    least('maxRdAtomic'),
    least('maxDestRdAtomic'),
  ],
  IBV_QPT_UC: ofConnected,
  IBV_QPT_UD: [...ofAll, equal('qkey')],
};

const textIn = (value: TraceValue | undefined): string => (typeof value === 'string' ? value : '');

const inStruct = (name: string, found: Part | undefined): Part | undefined =>
  found && { ...found, what: `${name}.${found.what}` };

/** Compares what ibv_query_qp() says of the members that were asked for and count. */
export function differenceOfQp(guide: Guide, device: ProgramRecord, model: ProgramRecord): Part | undefined {
  const asked = new Set(stringsOf(device.args, 'attrMask'));
  const [expected, observed] = [model.outputs, device.outputs].map(({ attr }) => attr as TraceStruct);
  const [wanted, given] = [model.outputs, device.outputs].map(({ initAttr }) => initAttr as TraceStruct);
  if (expected === undefined || observed === undefined || wanted === undefined || given === undefined) return undefined;
  const set = attributesSet(guide, device.args.qp ?? null);
  const first = psnsOfNoPacket(guide, device.args.qp ?? null).map(equal);
  const compared = [...(membersOf[textIn(wanted.qpType)] ?? []), ...first].filter(
    ([name]) => asked.has(qpAttrBits[name]) && name in expected,
  );
  const differenceOfSizes = ({ cap }: TraceStruct): Part | undefined =>
    inStruct(
      'cap',
      firstOf(sizesOf(guide, device.args.qp ?? null), sizeOf(wanted.cap as TraceStruct, cap as TraceStruct)),
    );
  return (
    inStruct(
      'attr',
      (asked.has('IBV_QP_STATE') ? differenceOfState(guide, wanted, expected, observed) : undefined) ??
        firstOf(compared, ([, compare]) => compare(set, observed)) ??
        (asked.has(qpAttrBits.cap) ? differenceOfSizes(observed) : undefined),
    ) ??
    inStruct('initAttr', same('qpType', wanted, given) ?? same('sqSigAll', wanted, given) ?? differenceOfSizes(given))
  );
}

const sendSizes = ['maxSendWr', 'maxSendSge', 'maxInlineData'];
const receiveSizes = ['maxRecvWr', 'maxRecvSge'];

/** Of receives a QP may have others that takes them from an SRQ. */
function sizesOf({ observation }: Guide, qp: TraceValue): readonly string[] {
  const made = observation.records.find((record) => record?.verb === 'ibv_create_qp' && record.returned === qp);
  const { srq = null } = (made?.args.qpInitAttr ?? {}) as TraceStruct;
  return srq === null ? [...sendSizes, ...receiveSizes] : sendSizes;
}

const sizeOf =
  (asked: TraceStruct, told: TraceStruct) =>
  (name: string): Part | undefined =>
    atLeast(name, asked, told);

/** What the device was asked for so far, member by member, as it has done it: some numbers are those of the device. */
function attributesSet({ observation, at }: Guide, qp: TraceValue): TraceStruct {
  const set: Record<string, TraceValue> = {};
  for (const record of observation.records.slice(0, at)) {
    if (record?.verb !== 'ibv_modify_qp' || record.args.qp !== qp || record.returned !== 0) continue;
    const mask = stringsOf(record.args, 'attrMask');
    Object.assign(set, countingOf<TraceStruct, string>(qpAttrBits, record.args.attr as TraceStruct, mask));
  }
  return set;
}

/** The PSNs are those of packets to come: of the first one, as they were set, until anything was posted. */
function psnsOfNoPacket({ observation, at }: Guide, qp: TraceValue): ('rqPsn' | 'sqPsn')[] {
  const fresh = new Set<'rqPsn' | 'sqPsn'>();
  for (const record of observation.records.slice(0, at)) {
    if (record?.verb === 'ibv_post_send') fresh.clear();
    if (record?.verb !== 'ibv_modify_qp' || record.args.qp !== qp || record.returned !== 0) continue;
    if ((record.args.attr as TraceStruct).qpState === 'IBV_QPS_RESET') fresh.clear();
    const mask = stringsOf(record.args, 'attrMask');
    for (const name of ['rqPsn', 'sqPsn'] as const) if (mask.includes(qpAttrBits[name])) fresh.add(name);
  }
  return [...fresh];
}

/** A send queue that has nothing on its way is not being drained; how long the last send is, nobody can say. */
function differenceOfState(
  guide: Guide,
  { qpType }: TraceStruct,
  expected: TraceStruct,
  observed: TraceStruct,
): Part | undefined {
  const mayTakeReceives = qpType !== 'IBV_QPT_RC' && observed.qpState === 'IBV_QPS_SQE';
  if (mayTakeReceives && expected.qpState === 'IBV_QPS_ERR') guide.ledger.take('send-queue-error');
  else if (expected.qpState !== observed.qpState) return same('qpState', expected, observed);
  const isDrained = expected.qpState === 'IBV_QPS_SQD' && expected.sqDraining === false;
  return isDrained ? same('sqDraining', expected, observed) : undefined;
}

/** Compares what ibv_query_srq() says. */
export function differenceOfSrq(
  { outputs: observed }: ProgramRecord,
  { outputs: expected }: ProgramRecord,
): Part | undefined {
  return (
    atLeast('maxWr', expected, observed) ??
    atLeast('maxSge', expected, observed) ??
    same('srqLimit', expected, observed)
  );
}
