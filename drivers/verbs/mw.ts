import { enumeration, object } from './idl';
import { verb } from './verb';

const mwType = enumeration('ibv_mw_type', ['IBV_MW_TYPE_1', 'IBV_MW_TYPE_2']);

/** Memory windows. */
export const mwVerbs = {
  /** ibv_alloc_mw(3). */
  allocMw: verb({
    c: 'ibv_alloc_mw',
    page: 'ibv_alloc_mw(3)',
    fails: 'null',
    makes: 'mw',
    in: [{ pd: object('pd') }, { type: mwType }],
  }),
  /** ibv_dealloc_mw(3). */
  deallocMw: verb({
    c: 'ibv_dealloc_mw',
    page: 'ibv_alloc_mw(3)',
    fails: 'errno',
    ends: 'mw',
    in: [{ mw: object('mw') }],
  }),
};
