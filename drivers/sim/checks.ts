import type { Check } from '../checks';

/** The simulator needs nothing but Node. */
export function checks(): Check[] {
  const major = Number.parseInt(process.versions.node, 10);
  return [
    { what: 'Node.js 20 or newer', ok: major >= 20, found: process.versions.node, remedy: 'see https://nodejs.org' },
  ];
}
