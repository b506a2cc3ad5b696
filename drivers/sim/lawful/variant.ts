import type { Capability } from '../../contract';
import type { Parts } from '../device/device';

/**
 * A device that does otherwise than the simulator, and lawfully: where the pages leave it free, or where a provider is
 * known to. The dual of a fault: no scenario may fail under it.
 */
export interface Variant {
  /** What it does otherwise. */
  readonly does: string;
  /** Why it may: what the pages leave open, or who does so. */
  readonly because: string;
  /** Rules and pages whose remarks leave that open, by clause id or by the name of the page. */
  readonly uses?: readonly string[];
  /** What it takes away; the scenarios that need it are not applicable, and no others. */
  readonly lacks?: readonly Capability[];
  /** Rules that another authority than the page promises, and that it does not keep. */
  readonly breaks?: readonly string[];
  /** Rules of the page that it does not keep either, where providers are known to do so: then it is no lawful device. */
  readonly departs?: readonly string[];
  /** Why no scenario can tell it from the simulator. */
  readonly unseen?: string;
  /** Its classes, over those of any other device: so variants can be combined. */
  readonly parts: (of: Parts) => Partial<Parts>;
}

export type Variants = Readonly<Record<string, Variant>>;
