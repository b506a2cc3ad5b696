import { UsageError } from '../../drivers/contract';

/** What the user can do where man pages are not those that he needs. */
export const otherPages = 'name with --man a folder that a newer package libibverbs-dev was unpacked into';

/** The edition that a version of rdma-core is: 65 of 65.0. @throws UsageError if the version is not known */
export function editionOf(version: string): string {
  const edition = /^\d+/.exec(version)?.[0];
  if (edition === undefined) throw new UsageError('it is not known which rdma-core the man pages are of', otherPages);
  return edition;
}
