import { callsOf } from '../../../programs/program';
import { of, type Walk } from '../walk';

/** What makes objects that are left when QPs, CQs and channels have ended, and what ends them; in the order in which that can be. */
const endings = [
  { makes: 'ibv_create_ah', ends: 'ibv_destroy_ah', as: 'ah' },
  { makes: 'ibv_alloc_mw', ends: 'ibv_dealloc_mw', as: 'mw' },
  { makes: 'ibv_reg_mr', ends: 'ibv_dereg_mr', as: 'mr' },
  { makes: 'memory allocate', ends: 'memory free', as: 'memory' },
  { makes: 'ibv_alloc_pd', ends: 'ibv_dealloc_pd', as: 'pd' },
  { makes: 'ibv_open_device', ends: 'ibv_close_device', as: 'context' },
] as const;

/** Lets go of all that was used, as far as that can be, and of the contexts only if nothing else is left in them. */
export async function leaveNothing(w: Walk): Promise<void> {
  for (const { makes, ends, as } of endings) {
    const left = (): string[] =>
      callsOf(w)
        .filter(({ call }) => call === makes)
        .flatMap((op) => (op.as !== undefined && w.handle(op.as) !== '' ? [op.as] : []));
    if (ends === 'ibv_close_device' && left().length < w.backend.living) return;
    for (const name of left().reverse()) await w.call(ends, { [as]: of(name) });
    if (left().length > 0) return;
  }
}
