import type { Context } from '../device/context';

/** A protection domain: ibv_alloc_pd(3). */
export class Pd {
  constructor(readonly context: Context) {}
}
