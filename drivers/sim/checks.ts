import { nodeCheck, type Check } from '../checks';

/** The simulator needs nothing but Node. */
export function checks(): Check[] {
  return [nodeCheck()];
}
