import type { Ah } from '../ah/address-handle';
import type { AsyncEvent, AsyncEvents } from '../async/async-events';
import type { CompChannel } from '../channel/comp-channel';
import type { Cq } from '../cq/cq';
import type { Context } from '../device/context';
import type { Memory, Mr } from '../mr/memory';
import type { Mw } from '../mw/memory-window';
import type { Pd } from '../pd/pd';
import type { Qp } from '../qp/qp';
import type { Srq } from '../srq/srq';

/** An event that was taken, and the queue that wants its acknowledgement. */
export class TakenEvent {
  constructor(
    readonly queue: AsyncEvents,
    readonly event: AsyncEvent,
  ) {}
}

/** The objects of the model by their kinds. */
export interface ModelObjects {
  readonly context: Context;
  readonly pd: Pd;
  readonly ah: Ah;
  readonly memory: Memory;
  readonly mr: Mr;
  readonly mw: Mw;
  readonly channel: CompChannel;
  readonly cq: Cq;
  readonly srq: Srq;
  readonly qp: Qp;
  readonly event: TakenEvent;
}
