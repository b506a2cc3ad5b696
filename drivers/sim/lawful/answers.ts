import type { QpAttr } from '../../contract';
import { statusesOfPeer, type WcStatus } from '../cq/completions';
import type { Parts } from '../device/device';
import type { SendRequest } from '../qp/work-request';
import type { Variants } from './variant';

/** Microseconds until a QP hears that a send is done. */
const heardUs = 20;

interface Unheard {
  readonly wr: SendRequest;
  readonly byteLen: number;
}

/** QPs that send on before they hear of what they have sent, and flush what they have not heard of. */
function lateHearing(of: Parts): Pick<Parts, 'Qp' | 'Requester'> {
  const unsignaled = new WeakSet<SendRequest>();
  return {
    Requester: class extends of.Requester {
      protected override makesCqe(wr: SendRequest, status: WcStatus): boolean {
        if (!super.makesCqe(wr, status)) unsignaled.add(wr);
        return true;
      }
    },
    Qp: class extends of.Qp {
      #unheard: Unheard[] = [];

      override completeSend(wr: SendRequest, status: WcStatus, byteLen = 0): void {
        if (status !== 'IBV_WC_SUCCESS') {
          if (statusesOfPeer.has(status)) this.#hearAll();
          else this.#flushUnheard();
          super.completeSend(wr, status, byteLen);
          return;
        }
        const send = { wr, byteLen };
        this.#unheard.push(send);
        this.device.clock.schedule(heardUs, () => {
          this.#hear(send);
        });
      }

      #hear(send: Unheard): void {
        if (!this.#unheard.includes(send)) return;
        this.#unheard.shift();
        if (!unsignaled.has(send.wr)) super.completeSend(send.wr, 'IBV_WC_SUCCESS', send.byteLen);
      }

      #hearAll(): void {
        for (const send of [...this.#unheard]) this.#hear(send);
      }

      #flushUnheard(): void {
        for (const { wr } of this.#unheard.splice(0)) super.completeSend(wr, 'IBV_WC_WR_FLUSH_ERR');
      }

      override enterError(): void {
        this.#flushUnheard();
        super.enterError();
      }

      override modify(attr: QpAttr): void {
        super.modify(attr);
        if (attr.qpState === 'IBV_QPS_RESET') this.#unheard = [];
      }

      override beginDestroy(): void {
        this.#unheard = [];
        super.beginDestroy();
      }
    },
  };
}

/** What a QP hears of its sends. */
export const variants: Variants = {
  'failing-qps-flush-what-they-have-not-heard-of': {
    does: 'a QP hears 20 microseconds late of a send that is done, and flushes it where it fails before by itself',
    because: 'no page says how soon a QP hears of a send, nor what becomes of those before one that fails',
    parts: lateHearing,
  },
};
