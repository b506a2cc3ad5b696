import type { Wc } from '../../../contract';
import { Completions, type WcStatus } from '../../cq/completions';
import { Cq, type Cqe, type NotifyRequest } from '../../cq/cq';
import type { Parts } from '../../device/device';
import { Qp } from '../../qp/qp';
import { isAnswered, isWrite, type SendRequest } from '../../qp/work-request';
import type { Fault } from '../fault';

const notify = 'ibv_req_notify_cq';
const poll = 'ibv_poll_cq';

/** Failed work that a device treats otherwise than the rest. */
interface Which {
  readonly send?: (qp: Qp, wr: SendRequest) => boolean;
  readonly receive?: (qp: Qp) => boolean;
}

const remoteAccess: Which = { send: (_qp, wr) => isAnswered(wr) || isWrite(wr) };
const ofOtherTypes: Which = { send: (qp) => !qp.isReliable, receive: (qp) => !qp.isReliable };
const ofSrqs: Which = { receive: (qp) => qp.init.srq !== undefined };

/** Completions of which those of some failed work are changed. */
function failing(which: Which, change: (wc: Wc) => Wc): typeof Completions {
  return class extends Completions {
    override ofSend(wr: SendRequest, status: WcStatus, byteLen: number): Wc {
      if (status === 'IBV_WC_SUCCESS') return super.ofSend(wr, status, byteLen);
      const wc = super.failed(wr.wrId, status);
      return which.send?.(this.qp, wr) === true ? change(wc) : wc;
    }

    override failed(wrId: bigint, status: WcStatus): Wc {
      const wc = super.failed(wrId, status);
      return which.receive?.(this.qp) === true ? change(wc) : wc;
    }
  };
}

/** A CQ that overlooks some failed work when it was armed so. */
function overlooking(which: Which, asked: NotifyRequest): Partial<Parts> {
  const overlooked = new WeakSet<Wc>();
  const noted = (wc: Wc): Wc => {
    overlooked.add(wc);
    return wc;
  };
  return {
    Completions: failing(which, noted),
    Cq: class extends Cq {
      protected override matchesRequest(cqe: Cqe): boolean {
        return super.matchesRequest(cqe) && !(this.request === asked && overlooked.has(cqe.wc));
      }
    },
  };
}

/** An extended CQ that overlooks what has failed when it was armed so. */
function overlookingOnExtended(asked: NotifyRequest): Partial<Parts> {
  return {
    Cq: class extends Cq {
      protected override matchesRequest(cqe: Cqe): boolean {
        const isOverlooked = this.init.wcFlags !== undefined && cqe.wc.status !== 'IBV_WC_SUCCESS';
        return super.matchesRequest(cqe) && !(this.request === asked && isOverlooked);
      }
    },
  };
}

const noWrId = (wc: Wc): Wc => ({ ...wc, wrId: 0n });
const noQpNum = (wc: Wc): Wc => ({ ...wc, qpNum: 0 });

/** What goes wrong with failed work of some opcodes, types of QP and receive queues only. */
export const faults: Readonly<Record<string, Fault>> = {
  'failed-remote-access-is-silent': {
    rules: [`${notify}.zero-send-error`],
    effect: 'an RDMA write, an RDMA read or an atomic that fails makes no event for who asked for any CQE',
    parts: overlooking(remoteAccess, 'any'),
  },
  'failed-remote-access-is-unsolicited': {
    rules: [`${notify}.solicited-send-error`],
    effect: 'an RDMA write, an RDMA read or an atomic that fails makes no event for who asked for solicited CQEs',
    parts: overlooking(remoteAccess, 'solicited'),
  },
  'failed-work-of-uc-and-ud-is-silent': {
    rules: [`${notify}.zero-send-error`, `${notify}.zero-recv-error`],
    effect: 'work of UC and UD QPs that fails makes no event for who asked for any CQE',
    parts: overlooking(ofOtherTypes, 'any'),
  },
  'failed-work-of-uc-and-ud-is-unsolicited': {
    rules: [`${notify}.solicited-send-error`, `${notify}.solicited-recv-error`],
    effect: 'work of UC and UD QPs that fails makes no event for who asked for solicited CQEs',
    parts: overlooking(ofOtherTypes, 'solicited'),
  },
  'failed-srq-receives-are-silent': {
    rules: [`${notify}.zero-recv-error`],
    effect: 'a receive of an SRQ that fails makes no event for who asked for any CQE',
    parts: overlooking(ofSrqs, 'any'),
  },
  'failed-srq-receives-are-unsolicited': {
    rules: [`${notify}.solicited-recv-error`],
    effect: 'a receive of an SRQ that fails makes no event for who asked for solicited CQEs',
    parts: overlooking(ofSrqs, 'solicited'),
  },
  'failures-on-extended-cqs-are-silent': {
    rules: [`${notify}.zero-recv-error`],
    effect: 'work that fails makes no event on an extended CQ that was armed for any CQE',
    parts: overlookingOnExtended('any'),
  },
  'failures-on-extended-cqs-are-unsolicited': {
    rules: [`${notify}.solicited-recv-error`],
    effect: 'work that fails makes no event on an extended CQ that was armed for solicited CQEs',
    parts: overlookingOnExtended('solicited'),
  },
  'failed-remote-access-loses-wr-id': {
    rules: [`${poll}.error-valid-wr-id`],
    effect: 'an RDMA write, an RDMA read or an atomic that fails has wr_id 0',
    parts: { Completions: failing(remoteAccess, noWrId) },
  },
  'failed-remote-access-loses-qp-num': {
    rules: [`${poll}.error-valid-qp-num`],
    effect: 'an RDMA write, an RDMA read or an atomic that fails has qp_num 0',
    parts: { Completions: failing(remoteAccess, noQpNum) },
  },
  'failed-work-of-uc-and-ud-loses-wr-id': {
    rules: [`${poll}.error-valid-wr-id`],
    effect: 'work of UC and UD QPs that fails has wr_id 0',
    parts: { Completions: failing(ofOtherTypes, noWrId) },
  },
  'failed-work-of-uc-and-ud-loses-qp-num': {
    rules: [`${poll}.error-valid-qp-num`],
    effect: 'work of UC and UD QPs that fails has qp_num 0',
    parts: { Completions: failing(ofOtherTypes, noQpNum) },
  },
  'failed-srq-receives-lose-wr-id': {
    rules: [`${poll}.error-valid-wr-id`],
    effect: 'a receive of an SRQ that fails has wr_id 0',
    parts: { Completions: failing(ofSrqs, noWrId) },
  },
  'failed-srq-receives-lose-qp-num': {
    rules: [`${poll}.error-valid-qp-num`],
    effect: 'a receive of an SRQ that fails has qp_num 0',
    parts: { Completions: failing(ofSrqs, noQpNum) },
  },
  'flush-of-many-receives-is-cut-short': {
    rules: [`${poll}.error-valid-status`],
    effect: 'of more than 16 receives only 16 are flushed',
    parts: {
      Qp: class extends Qp {
        protected override flush(): void {
          for (const wr of this.requester.takeAll()) this.completeSend(wr, 'IBV_WC_WR_FLUSH_ERR');
          for (const wr of this.receives.takeAll().slice(0, 16)) this.failReceive(wr, 'IBV_WC_WR_FLUSH_ERR');
        }
      },
    },
  },
};
