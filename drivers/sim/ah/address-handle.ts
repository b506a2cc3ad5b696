import type { AhAttr } from '../../contract';
import type { Pd } from '../pd/pd';

/** An address handle: ibv_create_ah(3). */
export class Ah {
  constructor(
    readonly pd: Pd,
    readonly attr: AhAttr,
  ) {}
}
