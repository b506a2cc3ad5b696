import type { Driver, Qp } from '../drivers/contract';

/** Code of the ack timeout: 4.096 µs · 2^14 = 67 ms. */
const ackTimeout = 14;
const retryCnt = 7;
/** No limit: a message waits for its receive. */
const rnrRetry = 7;
/** Code of 0.64 ms. */
const minRnrTimer = 12;

/** Connects two RC QPs of this device with each other: ibv_modify_qp(3) from RESET to RTS. */
export async function connect(driver: Driver, one: Qp, other: Qp): Promise<void> {
  await bringUp(driver, one, other);
  await bringUp(driver, other, one);
}

async function bringUp(driver: Driver, qp: Qp, peer: Qp): Promise<void> {
  const { portNum, lid, gid, gidIndex } = driver.dut.port;
  await driver.modifyQp(qp, { qpState: 'IBV_QPS_INIT', pkeyIndex: 0, portNum, qpAccessFlags: [] });
  await driver.modifyQp(qp, {
    qpState: 'IBV_QPS_RTR',
    pathMtu: driver.pathMtu,
    destQpNum: peer.qpNum,
    rqPsn: 0,
    maxDestRdAtomic: 1,
    minRnrTimer,
    ahAttr: { dlid: lid, dgid: gid, sgidIndex: gidIndex, hopLimit: 1, portNum },
  });
  await driver.modifyQp(qp, {
    qpState: 'IBV_QPS_RTS',
    sqPsn: 0,
    timeout: ackTimeout,
    retryCnt,
    rnrRetry,
    maxRdAtomic: 1,
  });
}
