import { descriptions } from '..';
import type { Description } from '../verb';

/** Whether a verb sets something and does no more: it makes and ends no object, fills nothing in, and waits for nothing. */
function setsOnly({ page = '', makes, ends, out, blocks, internal }: Description): boolean {
  return page.startsWith('ibv_') && [makes, ends, out, blocks, internal].every((member) => member === undefined);
}

/** The verbs of which a device could say that it has done them, and do nothing. */
export const setters: readonly Description[] = descriptions.filter(setsOnly);
