import type { Pd } from './pd';

/** An address handle: ibv_create_ah(3). */
export class Ah {
  constructor(readonly pd: Pd) {
    pd.users += 1;
  }

  destroy(): void {
    this.pd.users -= 1;
  }
}
