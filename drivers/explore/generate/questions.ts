import { dutName } from '../../programs/bindings';
import type { CallOp, ProgramStruct } from '../../programs/program';
import type { Chance } from './chance';

/** Those that can be asked. */
interface Asked {
  readonly chance: Chance;
  readonly context: string;
  readonly qps: readonly { readonly name: string }[];
  readonly srqs: readonly { readonly name: string }[];
}

/** How many of the times at which nothing is under way a program asks. */
const share = 0.12;

/** Between them they ask for all that counts of a QP. */
export const attrMasks: readonly (readonly string[])[] = [
  ['IBV_QP_STATE'],
  ['IBV_QP_STATE', 'IBV_QP_PKEY_INDEX', 'IBV_QP_PORT', 'IBV_QP_QKEY', 'IBV_QP_ACCESS_FLAGS'],
  [
    'IBV_QP_STATE',
    'IBV_QP_DEST_QPN',
    'IBV_QP_PATH_MTU',
    'IBV_QP_MIN_RNR_TIMER',
    'IBV_QP_MAX_DEST_RD_ATOMIC',
    'IBV_QP_RQ_PSN',
  ],
  [
    'IBV_QP_STATE',
    'IBV_QP_TIMEOUT',
    'IBV_QP_RETRY_CNT',
    'IBV_QP_RNR_RETRY',
    'IBV_QP_MAX_QP_RD_ATOMIC',
    'IBV_QP_CAP',
    'IBV_QP_SQ_PSN',
  ],
];

/** What a QP is like, in its state and by some of its attributes. */
export const questionAbout = (chance: Chance, qp: string): CallOp => ({
  call: 'ibv_query_qp',
  args: { qp: { of: qp }, attrMask: chance.pick(attrMasks) ?? [] },
});

/** What the device or its port says of itself in a context, which it says alike whenever it is asked. */
export function questionAboutDevice(chance: Chance, context: string): CallOp {
  const call = chance.one('ibv_query_device', 'ibv_query_device_ex', 'ibv_query_port');
  const port: ProgramStruct = call === 'ibv_query_port' ? { portNum: { of: dutName, member: 'portNum' } } : {};
  return { call, args: { context: { of: context }, ...port } };
}

/** At times, what a QP, an SRQ or the device is like. */
export function question({ chance, context, qps, srqs }: Asked): CallOp | undefined {
  if (!chance.happens(share)) return undefined;
  if (chance.happens(0.15)) return questionAboutDevice(chance, context);
  const srq = chance.happens(0.2) ? chance.pick(srqs) : undefined;
  if (srq !== undefined) return { call: 'ibv_query_srq', args: { srq: { of: srq.name } } };
  const qp = chance.pick(qps);
  return qp && questionAbout(chance, qp.name);
}
