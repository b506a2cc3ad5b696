import { soundParts, type Parts } from '../device/device';
import { variants as answers } from './answers';
import { variants as calls } from './calls';
import { variants as cqSizes } from './cq-sizes';
import { variants as errnos } from './errnos';
import { variants as failedCqes } from './failed-cqes';
import { variants as foreignEvents } from './foreign-events';
import { variants as lacking } from './lacking';
import { variants as members } from './members';
import { variants as memory } from './memory';
import { variants as numbers } from './numbers';
import { variants as orders } from './orders';
import { variants as refusals } from './refusals';
import { variants as requests } from './requests';
import { variants as silences } from './silences';
import { variants as texts } from './texts';
import { variants as timeStamps } from './time-stamps';
import { variants as times } from './times';
import type { Variant, Variants } from './variant';

/** The lawful variants, file by file. A name is used once among all. */
export const variantLists: readonly Variants[] = [
  requests,
  cqSizes,
  times,
  answers,
  calls,
  failedCqes,
  members,
  numbers,
  orders,
  foreignEvents,
  memory,
  errnos,
  texts,
  timeStamps,
  refusals,
  silences,
  lacking,
];

/** The lawful variants by name. */
export const variants: Variants = Object.assign({}, ...variantLists) as Variants;

/** The classes of the simulator with variants, each over those before it. */
export function partsOf(applied: readonly Pick<Variant, 'parts'>[], of: Parts = soundParts): Parts {
  return applied.reduce((parts, variant) => ({ ...parts, ...variant.parts(parts) }), of);
}
