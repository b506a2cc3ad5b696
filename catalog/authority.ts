/** What a clause can rest on, the strongest first. */
export const authorities = ['page', 'posix', 'ibta', 'rdmamojo'] as const;

/**
 * What a clause rests on: a man page of libibverbs; what POSIX says of `fcntl()`, `poll()` and errno; the InfiniBand
 * Architecture Specification; or RDMAmojo, the notes on the verbs by the author of the pages.
 */
export type Authority = (typeof authorities)[number];

/** What each authority is called. */
export const authorityNames: Readonly<Record<Authority, string>> = {
  page: 'man page',
  posix: 'POSIX',
  ibta: 'InfiniBand specification',
  rdmamojo: 'RDMAmojo',
};

/**
 * What a Rule with several clauses rests on: the strongest of their authorities. What the page promises a device owes,
 * whoever says the same.
 *
 * @returns `undefined` where there is none
 */
export function strongestOf(given: readonly Authority[]): Authority | undefined {
  return authorities.find((authority) => given.includes(authority));
}
