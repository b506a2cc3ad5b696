import { object } from './idl';
import { verb } from './verb';

/** Protection domains. */
export const pdVerbs = {
  /** ibv_alloc_pd(3). */
  allocPd: verb({
    c: 'ibv_alloc_pd',
    page: 'ibv_alloc_pd(3)',
    fails: 'null',
    makes: 'pd',
    in: [{ context: object('context') }],
  }),
  /** ibv_dealloc_pd(3). */
  deallocPd: verb({
    c: 'ibv_dealloc_pd',
    page: 'ibv_alloc_pd(3)',
    fails: 'errno',
    ends: 'pd',
    in: [{ pd: object('pd') }],
  }),
};
