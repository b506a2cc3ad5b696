import type { Pd } from '../pd/pd';

/** An address handle: ibv_create_ah(3). All of them lead to the one port of the simulator. */
export class Ah {
  constructor(readonly pd: Pd) {}
}
