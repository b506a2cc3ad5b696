import type { Context } from './context';

/** A protection domain: ibv_alloc_pd(3). */
export class Pd {
  constructor(readonly context: Context) {}
}
