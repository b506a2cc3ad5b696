import { completionVariants } from './completions';
import { objectVariants } from './objects';
import { lackingVariants } from './lacking';
import { textAndEventVariants } from './texts-and-events';
import { timeVariants } from './times';
import type { ProviderVariants } from './variant';

export type { ProviderVariant } from './variant';

/** The lawful variants by name. */
export const providerVariants: ProviderVariants = {
  ...completionVariants,
  ...timeVariants,
  ...objectVariants,
  ...textAndEventVariants,
  ...lackingVariants,
};
