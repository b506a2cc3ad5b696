import {
  mtuOf,
  type AccessFlag,
  type AhAttr,
  type Driver,
  type Qp,
  type QpAttr,
  type QpState,
  type QpType,
} from '../../drivers/contract';
import { modifyQp } from './modify-qp';

/** Code of 4.096 µs · 2^18 = 1.07 s: a peer that is short of processor time is not given up. */
const ackTimeout = 18;
const retryCntMax = 7;
/** No limit: a message waits for its receive. */
const rnrRetryUnlimited = 7;
/** Code of 0.64 ms. */
const shortRnrTimer = 12;
const maxRdAtomic = 1;

/** The Q_Key of all UD QPs of a scenario. */
export const qkey = 0x1111;

/** How a QP is brought up. */
export interface BringUp {
  readonly qpType: QpType;
  /** What the peer may do with this QP's memory. */
  readonly access: readonly AccessFlag[];
  /** The state at which to stop: IBV_QPS_RESET, _INIT, _RTR or _RTS. */
  readonly state: QpState;
  /** Code of the time after which a peer has not answered: 4.096 µs · 2^timeout. */
  readonly timeout: number;
  /** 0 to 7 retries when the peer does not answer. */
  readonly retryCnt: number;
  /** 0 to 6 retries when the peer has no receive, 7 without limit. */
  readonly rnrRetry: number;
  /** Code of the time that a peer waits at least until it tries again to find a receive here: 12 is 0.64 ms, 0 is 655 ms. */
  readonly minRnrTimer: number;
}

export const usualBringUp: BringUp = {
  qpType: 'IBV_QPT_RC',
  access: [],
  state: 'IBV_QPS_RTS',
  timeout: ackTimeout,
  retryCnt: retryCntMax,
  rnrRetry: rnrRetryUnlimited,
  minRnrTimer: shortRnrTimer,
};

/** The path from a device's port to itself. */
export function pathToSelf(driver: Driver): AhAttr {
  return pathTo(driver);
}

/** The path to the port of a device of the same kind. */
export function pathTo({ dut }: Driver): AhAttr {
  const { portNum, lid, gid, gidIndex } = dut.port;
  return { grh: { dgid: gid, sgidIndex: gidIndex, hopLimit: 1 }, dlid: lid, isGlobal: true, portNum };
}

/**
 * Brings a QP from RESET towards RTS: ibv_modify_qp(3). The calls are under way together; a device takes them in order.
 *
 * @param peer - the QP at the other end, which UD does not name
 * @param path - the way to its device; in loopback unless given
 */
export async function bringUp(
  driver: Driver,
  qp: Qp,
  peer: Qp,
  wanted: BringUp,
  path: AhAttr = pathToSelf(driver),
): Promise<void> {
  const steps = wanted.qpType === 'IBV_QPT_UD' ? unconnectedSteps(driver) : connectedSteps(driver, peer, wanted, path);
  const last = steps.findIndex(({ qpState }) => qpState === wanted.state);
  await Promise.all(steps.slice(0, last + 1).map((attr) => modifyQp(driver, qp, attr)));
}

/** The attributes that take a QP into the state, from the one before. */
export function stepInto(driver: Driver, peer: Qp, wanted: BringUp, state: QpState): QpAttr | undefined {
  const steps =
    wanted.qpType === 'IBV_QPT_UD'
      ? unconnectedSteps(driver)
      : connectedSteps(driver, peer, wanted, pathToSelf(driver));
  return steps.find(({ qpState }) => qpState === state);
}

function connectedSteps(driver: Driver, peer: Qp, wanted: BringUp, path: AhAttr): QpAttr[] {
  const { qpType, access, timeout, retryCnt, rnrRetry, minRnrTimer } = wanted;
  const { portNum, pkeyIndex = 0 } = driver.dut.port;
  const isReliable = qpType === 'IBV_QPT_RC';
  return [
    { qpState: 'IBV_QPS_INIT', pkeyIndex, portNum, qpAccessFlags: access },
    {
      qpState: 'IBV_QPS_RTR',
      pathMtu: mtuOf(driver.pathMtu),
      destQpNum: peer.qpNum,
      rqPsn: 0,
      ahAttr: path,
      ...(isReliable && { maxDestRdAtomic: maxRdAtomic, minRnrTimer }),
    },
    {
      qpState: 'IBV_QPS_RTS',
      sqPsn: 0,
      ...(isReliable && { timeout, retryCnt, rnrRetry, maxRdAtomic }),
    },
  ];
}

function unconnectedSteps({ dut }: Driver): QpAttr[] {
  const { portNum, pkeyIndex = 0 } = dut.port;
  return [
    { qpState: 'IBV_QPS_INIT', pkeyIndex, portNum, qkey },
    { qpState: 'IBV_QPS_RTR' },
    { qpState: 'IBV_QPS_RTS', sqPsn: 0 },
  ];
}
