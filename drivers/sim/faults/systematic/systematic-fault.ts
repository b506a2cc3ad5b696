import type { VerbName } from '../../../verbs';
import type { Parts } from '../../device/device';

/** Hears that a fault has changed something. */
export type Tell = () => void;

/** A fault that an operator makes of the model, and nobody had to think of. */
export interface SystematicFault {
  /** `ibv_resize_cq / Cq.request / lost, those named`: unique. */
  readonly name: string;
  /** What it spoils: `Cq.request`, `wr_id of a receive of IBV_WR_SEND on IBV_QPT_RC`. */
  readonly piece: string;
  readonly operator: string;
  /** When. */
  readonly trigger: string;
  /** A C function that a scenario has to call to meet it. */
  readonly verb?: VerbName | undefined;
  /** The man page without which nobody could say that it is wrong. */
  readonly page?: string | undefined;
  /**
   * Whether it can be that it changes nothing: what is undone may not have been done, what is spoilt may be of an object that
   * is new or has ended.
   */
  readonly mayBeIdle: boolean;
  /** The classes of the faulty model, anew for each use. */
  parts(tell: Tell): Parts;
}
