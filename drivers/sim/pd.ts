import type { Context } from './context';
import { demand } from './refusal';

/** A protection domain: ibv_alloc_pd(3). */
export class Pd {
  /** Memory regions, memory windows, address handles, QPs and SRQs that belong to this PD. */
  users = 0;

  constructor(readonly context: Context) {}

  dealloc(): void {
    demand(this.users === 0, 'EBUSY');
  }
}
