import type { TraceStruct } from '../../contract';
import { structsOf } from '../../pipeline/values';
import type { ProgramRecord } from '../../programs/program';
import type { WcStatus } from '../../sim/cq/completions';
import type { Parts } from '../../sim/device/device';
import type { Conclude } from '../../sim/qp/transmitter';
import type { SendRequest } from '../../sim/qp/work-request';
import type { Guide } from './guide';

/** How a request ends that the peer refuses, or does not answer. */
const refusals: ReadonlySet<unknown> = new Set([
  'IBV_WC_REM_ACCESS_ERR',
  'IBV_WC_REM_INV_REQ_ERR',
  'IBV_WC_REM_OP_ERR',
  'IBV_WC_RNR_RETRY_EXC_ERR',
  'IBV_WC_RETRY_EXC_ERR',
]);

/** Transmitters that may look at the memory for an answer only when it has come: the peer may refuse the request before. */
export function guidedTransmitter(of: Parts, guide: Guide): Pick<Parts, 'Transmitter'> {
  return {
    Transmitter: class extends of.Transmitter {
      /** Of a key that opens nothing no page says whether it can be invalidated. */
      protected override performLocally(wr: SendRequest): WcStatus {
        if (wr.bindMw === undefined)
          guide.seeInvalidation(this.qp.device.memory.boundWindow(this.qp, wr.invalidateRkey));
        else if (wr.bindMw.mw.binding !== undefined) guide.goBeyond('window-bound-already');
        return super.performLocally(wr);
      }

      protected override request(wr: SendRequest, targets: readonly Uint8Array[], conclude: Conclude): void {
        super.request(wr, guide.unheardSends.has(wr) ? [] : targets, (attempt) => {
          guide.heldBuffers.copy(wr.rdma?.remoteAddr ?? wr.atomic?.remoteAddr ?? 0n, wr.sgList, guide.epoch);
          conclude(attempt);
        });
      }

      protected override refuseTarget(wr: SendRequest, conclude: Conclude): void {
        if (!isRefusedByPeer(guide, wr) && !isCarriedOut(guide, wr)) {
          super.refuseTarget(wr, conclude);
          return;
        }
        guide.ledger.take('peer-refuses-first');
        this.request(wr, [], (attempt) => {
          if (attempt.kind === 'done' && attempt.status === 'IBV_WC_SUCCESS') super.refuseTarget(wr, conclude);
          else conclude(attempt);
        });
      }
    },
  };
}

/** Whether the peer has changed its memory before that is seen. */
function isCarriedOut(guide: Guide, { atomic }: SendRequest): boolean {
  if (atomic === undefined) return false;
  guide.sawUnanswerable = true;
  return guide.schedule.carriesOutFirst;
}

/** Whether the device is seen to end the request so later. */
function isRefusedByPeer({ observation, at }: Guide, { wrId }: SendRequest): boolean {
  const isIt = (told: TraceStruct): boolean => told.wrId === wrId && refusals.has(told.status);
  const tells = ({ outputs }: ProgramRecord): boolean =>
    isIt(outputs) || (Array.isArray(outputs.wc) && structsOf(outputs, 'wc').some(isIt));
  return observation.records.slice(Math.max(at, 0)).some((record) => record !== undefined && tells(record));
}
