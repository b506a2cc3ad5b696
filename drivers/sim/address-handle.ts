import type { AhAttr } from '../contract';
import type { Pd } from './pd';
import { demand } from './refusal';

/** An address handle: ibv_create_ah(3). */
export class Ah {
  constructor(
    readonly pd: Pd,
    readonly attr: AhAttr,
  ) {
    demand(pd.context.device.port.accepts(attr), 'EINVAL');
    pd.users += 1;
  }

  destroy(): void {
    this.pd.users -= 1;
  }
}
