import {
  maskOf,
  mtuOf,
  qpAttrBits,
  type AccessFlag,
  type Ah,
  type AhAttr,
  type Cq,
  type Driver,
  type Mr,
  type Qp,
  type QpAttr,
  type QpType,
  type SendWr,
  type Srq,
} from '../../contract';
import type { Bench } from './bench';

/** Of all UD QPs of a trial. */
const qkey = 0x1111;

/** Bytes of a message. */
const messageBytes = 16;

/** Bytes for a message and, in front of it, the GRH that a UD QP receives. */
const receiveBytes = 64;

/** A peer that is short of processor time is not given up: 7 retries after 4.096 µs · 2^18 = 1.07 s, no end after RNR. */
const patience = { timeout: 18, retryCnt: 7, rnrRetry: 7 };

/** Code of 0.64 ms. */
const minRnrTimer = 12;

/** What a pair is made with; sizes are those of all its queues. */
export interface PairWish {
  readonly qpType: QpType;
  /** Of both QPs. */
  readonly sendCq: Cq;
  /** Of both QPs. */
  readonly recvCq: Cq;
  readonly srq?: Srq;
  readonly workRequests?: number;
  readonly maxInlineData?: number;
  readonly access?: readonly AccessFlag[];
}

/** A QP that is not yet brought up. */
export async function createQp(bench: Bench, wish: PairWish): Promise<Qp> {
  const { qpType, sendCq, recvCq, srq, workRequests = 4, maxInlineData = 0 } = wish;
  const own = srq === undefined ? 1 : 0;
  const cap = {
    maxSendWr: workRequests,
    maxRecvWr: own * workRequests,
    maxSendSge: 1,
    maxRecvSge: own,
    maxInlineData,
  };
  const init = { qpType, sendCq, recvCq, srq: srq ?? null, cap, sqSigAll: false };
  return bench.keep('qp', bench.driver.createQp(await bench.pd(), init));
}

/** Two QPs that reach each other through the port of the device. */
export class Pair {
  private constructor(
    readonly bench: Bench,
    readonly sender: Qp,
    readonly receiver: Qp,
    /** Of the messages, for both. */
    readonly memory: Mr,
    /** Where the completions of sends come. */
    readonly sendCq: Cq,
    /** Where the completions of receives come. */
    readonly recvCq: Cq,
    readonly ah: Ah | undefined,
  ) {}

  /** Makes the QPs and takes both to RTS. @throws VerbsError if the device refuses that */
  static async make(bench: Bench, wish: PairWish): Promise<Pair> {
    const { driver } = bench;
    const [memory, sender, receiver] = await Promise.all([
      bench.memory(),
      createQp(bench, wish),
      createQp(bench, wish),
    ]);
    await Promise.all([bringUp(driver, wish, receiver, sender), bringUp(driver, wish, sender, receiver)]);
    const isUd = wish.qpType === 'IBV_QPT_UD';
    const ah = isUd ? await bench.keep('ah', driver.createAh(await bench.pd(), pathToSelf(driver))) : undefined;
    return new Pair(bench, sender, receiver, memory, wish.sendCq, wish.recvCq, ah);
  }

  /** Posts receives on the receiver. */
  async receive(count = 1): Promise<void> {
    const sgList = [{ addr: this.memory.addr, length: receiveBytes, lkey: this.memory.lkey }];
    await this.bench.driver.postRecv(
      this.receiver,
      Array.from({ length: count }, () => ({ wrId: 0n, sgList })),
    );
  }

  /** Posts signaled sends; what `wanted` leaves out is that of a short message. */
  async send(count = 1, wanted: Partial<SendWr> = {}): Promise<void> {
    const sgList = [{ addr: this.memory.addr, length: messageBytes, lkey: this.memory.lkey }];
    const ud = this.ah && { ah: this.ah, remoteQpn: this.receiver.qpNum, remoteQkey: qkey };
    const wr: SendWr = {
      wrId: 0n,
      sgList,
      opcode: 'IBV_WR_SEND',
      sendFlags: ['IBV_SEND_SIGNALED'],
      ...(ud && { ud }),
      ...wanted,
    };
    await this.bench.driver.postSend(
      this.sender,
      Array.from({ length: count }, () => wr),
    );
  }
}

/** Modifies a QP with a mask by which all members count that are present. */
export function modifyQp(driver: Driver, qp: Qp, attr: QpAttr): Promise<void> {
  return driver.modifyQp(qp, attr, maskOf(qpAttrBits, attr));
}

/** Takes a QP from RESET to RTS. The calls are under way together; a device takes them in order. */
async function bringUp(driver: Driver, wish: PairWish, qp: Qp, peer: Qp): Promise<void> {
  await Promise.all(stepsToRts(driver, wish, peer).map((attr) => modifyQp(driver, qp, attr)));
}

function pathToSelf({ dut }: Driver): AhAttr {
  const { portNum, lid, gid, gidIndex } = dut.port;
  return { grh: { dgid: gid, sgidIndex: gidIndex, hopLimit: 1 }, dlid: lid, isGlobal: true, portNum };
}

/** The attributes that take a QP from RESET to RTS. */
function stepsToRts(driver: Driver, { qpType, access = [] }: PairWish, { qpNum }: Qp): QpAttr[] {
  const { portNum, pkeyIndex = 0 } = driver.dut.port;
  if (qpType === 'IBV_QPT_UD') {
    const init: QpAttr = { qpState: 'IBV_QPS_INIT', pkeyIndex, portNum, qkey };
    return [init, { qpState: 'IBV_QPS_RTR' }, { qpState: 'IBV_QPS_RTS', sqPsn: 0 }];
  }
  const isReliable = qpType === 'IBV_QPT_RC';
  const peer = { pathMtu: mtuOf(driver.pathMtu), destQpNum: qpNum, rqPsn: 0, ahAttr: pathToSelf(driver) };
  return [
    { qpState: 'IBV_QPS_INIT', pkeyIndex, portNum, qpAccessFlags: access },
    { qpState: 'IBV_QPS_RTR', ...peer, ...(isReliable && { maxDestRdAtomic: 1, minRnrTimer }) },
    { qpState: 'IBV_QPS_RTS', sqPsn: 0, ...(isReliable && { ...patience, maxRdAtomic: 1 }) },
  ];
}
