import { demand } from './refusal';

/** A protection domain: ibv_alloc_pd(3). */
export class Pd {
  /** Memory regions and queue pairs that belong to this PD. */
  users = 0;

  dealloc(): void {
    demand(this.users === 0, 'EBUSY');
  }
}
